package netlinkqdisc

import (
	"strings"
	"testing"
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
