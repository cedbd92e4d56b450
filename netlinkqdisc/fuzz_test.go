package netlinkqdisc

import (
	"encoding/binary"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// fuzz feeds a decoder with what a kernel sent, and with what becomes of it. A
// decoder may refuse anything, and must not panic.
func fuzz(f *testing.F, object string) {
	n := 0
	for label, b := range captures(f) {
		if strings.HasPrefix(label, object+" ") {
			f.Add(b)
			n++
		}
	}
	if n == 0 {
		f.Fatalf("%s has no %s to begin with", messagesFile, object)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		err := decode(object, b)
		if err != nil && strings.ContainsAny(err.Error(), "\n") {
			t.Errorf("an error of more than one line: %q", err)
		}
	})
}

func FuzzReadQdisc(f *testing.F)  { fuzz(f, "qdisc") }
func FuzzReadClass(f *testing.F)  { fuzz(f, "class") }
func FuzzReadFilter(f *testing.F) { fuzz(f, "filter") }
func FuzzReadLink(f *testing.F)   { fuzz(f, "link") }

// What appendAttribute writes is what parse reads.
func FuzzAttribute(f *testing.F) {
	f.Add(uint16(1), []byte("cake\x00"), []byte{1, 2, 3})
	f.Add(uint16(16383), []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, kind uint16, value, before []byte) {
		kind &= attributeType
		if len(value) > 60000 || len(before) > 60000 {
			return
		}
		b := appendAttribute(appendAttribute(nil, 1, before), int(kind), value)
		if len(b)%4 != 0 {
			t.Errorf("%d bytes", len(b))
		}
		var got []byte
		n := 0
		if err := eachAttribute(b, func(k int, v []byte) { n++; got = v }); err != nil {
			t.Fatal(err)
		}
		if n != 2 || string(got) != string(value) {
			t.Errorf("%d attributes, the last %v, want %v", n, got, value)
		}
	})
}

// The filters that pick a class, for which the same messages do, are decoded and
// made again.
func FuzzReadMarks(f *testing.F) {
	for label, b := range captures(f) {
		if strings.HasPrefix(label, "filter ") {
			f.Add(b)
		}
	}
	mark := markMessage(&plan.Marks{Parent: plan.HandleOwned, Priority: 1}, plan.MarkRule{Value: 0x40b80000, Mask: 0xf0fc0000, Class: plan.HandleOwned | 3}, 7)
	f.Add(mark)
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseMessage(b)
		if err == errShort {
			return
		}
		l := filterList{index: m.index, parent: m.parent, messages: []message{m}}
		found := l.readMarks(names{7: "wan"}, func(*message, string, error) {})
		if found == nil || found.Rules[0].Class == 0 {
			return
		}
		again, err := parseMessage(markMessage(found, found.Rules[0], m.index))
		if err != nil {
			t.Fatal(err)
		}
		again.handle = m.handle
		if rule, isFilter, err := readMark(&again); err != nil || !isFilter || rule != found.Rules[0] {
			t.Errorf("%+v is read again as %+v, %v", found.Rules[0], rule, err)
		}
	})
}

// An answer of the kernel is an errno with its text, whatever else is in it.
func FuzzRefusal(f *testing.F) {
	refused := binary.NativeEndian.AppendUint32(nil, uint32(1<<32-2)) // ENOENT
	refused = append(binary.NativeEndian.AppendUint32(refused, 16), make([]byte, 12)...)
	f.Add(uint16(unix.NLM_F_ACK_TLVS), appendAttribute(refused, unix.NLMSGERR_ATTR_MSG, []byte("Specified qdisc kind is unknown\x00")))
	f.Add(uint16(0), make([]byte, 20))
	f.Fuzz(func(t *testing.T, flags uint16, b []byte) {
		err := refusal(&syscall.NetlinkMessage{Header: syscall.NlMsghdr{Flags: flags}, Data: b})
		if (err != nil) != (unsigned32(b, 0) != 0) {
			t.Errorf("%x: %v", b, err)
		}
	})
}

func FuzzParseMemory(f *testing.F) {
	f.Add("MemTotal:         124356 kB\nMemFree:           1 kB\n")
	f.Fuzz(func(t *testing.T, text string) {
		if n := parseMemory(text); n%1024 != 0 {
			t.Errorf("%q: %d", text, n)
		}
	})
}
