package netlinkqdisc

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// tcMessage is a made-up message about the device 7.
func tcMessage(kind string, handle, parent plan.Handle, attributes ...any) *message {
	b := append(header(7, handle, parent, 0), nest(unix.TCA_KIND, []byte(kind+"\x00"))...)
	m, err := parseMessage(append(b, nest(attributes...)...))
	if err != nil {
		panic(err)
	}
	return &m
}

func TestParseMessage(t *testing.T) {
	m := capturedMessage(t, "qdisc lan fq_codel 110: parent 1:10")
	if m.index != 6 || m.kind != "fq_codel" || m.handle != 0x1100000 || m.parent != 0x10010 {
		t.Errorf("device %d, kind %q, handle %v, parent %v", m.index, m.kind, m.handle, m.parent)
	}
	for _, kind := range []int{unix.TCA_OPTIONS, unix.TCA_STATS, unix.TCA_XSTATS, unix.TCA_STATS2} {
		if m.attribute[kind] == nil {
			t.Errorf("attribute %d is missing", kind)
		}
	}
}

func TestParseMessageCutOff(t *testing.T) {
	whole := captured(t, "qdisc wan cake 7371: parent root")
	if _, err := parseMessage(whole[:messageHeader-1]); !errors.Is(err, errShort) {
		t.Errorf("error %v for half a header", err)
	}
	m, err := parseMessage(whole[:len(whole)-5])
	if !errors.Is(err, errAttributes) {
		t.Errorf("error %v for a message that is cut off", err)
	}
	if m.kind != "cake" || m.handle != plan.HandleOwned {
		t.Errorf("kind %q and handle %v got lost", m.kind, m.handle)
	}
	line := m.unreadable("qdisc", "wan", err)
	for _, word := range []string{"qdisc cake 7371: on wan", "cut off"} {
		if !strings.Contains(line, word) {
			t.Errorf("%q lacks %q", line, word)
		}
	}
}

func TestHeaderReadsBack(t *testing.T) {
	m, err := parseMessage(header(3, 0x10000, plan.HandleRoot, 0xA0300))
	if err != nil {
		t.Fatal(err)
	}
	if m.index != 3 || m.handle != 0x10000 || m.parent != plan.HandleRoot || m.info != 0xA0300 {
		t.Errorf("%+v", m)
	}
}

func TestNames(t *testing.T) {
	devices := names{7: "wan"}
	for index, want := range map[uint32]string{7: "wan", 0: plan.Gone, 8: "if8"} {
		if got := devices.of(index); got != want {
			t.Errorf("name of %d is %q, want %q", index, got, want)
		}
	}
}
