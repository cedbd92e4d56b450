package netlinkqdisc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

func messages(all ...*message) (list []message) {
	for _, m := range all {
		list = append(list, *m)
	}
	return list
}

func TestSnapshotState(t *testing.T) {
	links := []link{{index: 7, device: plan.Device{Name: "wan", Index: 7}}}
	lost := tcMessage("pfifo", 0x90000, plan.HandleRoot)
	lost.index = 99
	s := &snapshot{
		links:   links,
		names:   nameLinks(links),
		qdiscs:  messages(tcMessage("htb", 0x10000, plan.HandleRoot), tcMessage("cake", 0x20000, 0x10001, unix.TCA_OPTIONS, []byte{1}), lost),
		classes: messages(tcMessage("htb", 0x10001, plan.HandleRoot)),
		unread:  []string{"something else"},
	}
	got := s.state()
	want := plan.State{
		Devices: []plan.Device{{
			Name: "wan", Index: 7,
			Qdiscs: []plan.QdiscState{
				{Qdisc: plan.Qdisc{Link: "wan", Kind: "htb", Handle: 0x10000, Parent: plan.HandleRoot}},
				{Qdisc: plan.Qdisc{Link: "wan", Kind: "cake", Handle: 0x20000, Parent: 0x10001}},
			},
			Classes: []plan.ClassState{{Kind: "htb", Handle: 0x10001, Parent: plan.HandleRoot}},
		}},
		Unreadable: []string{
			"something else",
			"qdisc htb 1: on wan can't be read: its options are cut off",
			"qdisc cake 2: on wan can't be read: its attributes are cut off or garbled",
			"class htb 1:1 on wan can't be read: its options are cut off",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFilterListRead(t *testing.T) {
	at := func(m *message, prio uint32) *message { m.info = prio << 16; return m }
	head := func(kind string, prio uint32) *message { return at(tcMessage(kind, 0, 0xFFFFFFF2), prio) }
	filter := func(kind string, handle plan.Handle, prio uint32, options ...any) *message {
		return at(tcMessage(kind, handle, 0xFFFFFFF2, unix.TCA_OPTIONS, nest(options...)), prio)
	}
	l := filterList{index: 7, parent: plan.HandleIngressQdisc, messages: messages(
		head("matchall", 10), filter("matchall", 1, 10),
		head("u32", 20), filter("u32", 0x80000000, 20, u32Divisor, b32(1)), // nothing in it
		head("u32", 30), filter("u32", 0x80100000, 30, u32Divisor, b32(1)), filter("u32", 0x80100800, 30, u32Sel, make([]byte, 16)),
		head("flower", 40), filter("flower", 1, 40), filter("flower", 2, 40),
		head("fw", 50),
	)}
	type short struct {
		Kind     string
		Priority uint16
		Handle   uint32
	}
	var got []short
	fail := func(m *message, _ string, err error) {
		if err != nil {
			t.Errorf("%s: %v", m.kind, err)
		}
	}
	for _, f := range l.read(names{7: "wan"}, fail) {
		if f.Link != "wan" || f.Parent != plan.HandleIngressQdisc {
			t.Errorf("%+v", f)
		}
		got = append(got, short{f.Kind, f.Priority, f.Handle})
	}
	want := []short{{"matchall", 10, 1}, {"u32", 20, 0}, {"u32", 30, 0x80100800}, {"flower", 40, 1}, {"flower", 40, 2}, {"fw", 50, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
