package netlinkqdisc

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

func TestReadQdisc(t *testing.T) {
	tests := []struct {
		label string
		want  plan.QdiscState
	}{
		{"qdisc wan ingress ffff: parent ffff:fff1", plan.QdiscState{
			Qdisc: plan.Qdisc{Link: "wan", Kind: "ingress", Handle: plan.HandleIngressQdisc, Parent: plan.HandleIngress}}},
		{"qdisc lan clsact ffff: parent ffff:fff1", plan.QdiscState{
			Qdisc: plan.Qdisc{Link: "lan", Kind: "clsact", Handle: plan.HandleIngressQdisc, Parent: plan.HandleIngress}}},
		{"qdisc lan htb 1: parent root", plan.QdiscState{
			Qdisc: plan.Qdisc{Link: "lan", Kind: "htb", Handle: 0x10000, Parent: plan.HandleRoot,
				HTB:  &plan.HTB{Default: 0x10, DirectLimit: 1000},
				Stab: &plan.Stab{Overhead: -4, ATM: true, MTU: 2047, Size: 512}}}},
		{"qdisc lan netem 120: parent 1:20", plan.QdiscState{
			Qdisc: plan.Qdisc{Link: "lan", Kind: "netem", Handle: 0x1200000, Parent: 0x10020}}},
		{"qdisc many pfifo_fast 0: parent 2:3", plan.QdiscState{
			Qdisc: plan.Qdisc{Link: "many", Kind: "pfifo_fast", Parent: 0x20003}}},
	}
	devices := capturedNames(t)
	for _, test := range tests {
		got, err := readQdisc(capturedMessage(t, test.label), devices)
		if err != nil {
			t.Fatal(err)
		}
		got.Stats = plan.Stats{}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.label, diff)
		}
	}
}

func TestReadQdiscOfUnknownKind(t *testing.T) {
	m := tcMessage("dualpi2", 0x80010000, plan.HandleRoot,
		unix.TCA_OPTIONS, []byte("what nobody knows"), unix.TCA_STATS2, nest(statsBasic, b64(9)))
	got, err := readQdisc(m, names{7: "wan"})
	if err != nil {
		t.Fatal(err)
	}
	want := plan.QdiscState{
		Qdisc: plan.Qdisc{Link: "wan", Kind: "dualpi2", Handle: 0x80010000, Parent: plan.HandleRoot},
		Stats: plan.Stats{Bytes: 9},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A fault in one part leaves the other parts readable.
func TestReadQdiscGarbled(t *testing.T) {
	m := tcMessage("cake", plan.HandleOwned, plan.HandleRoot,
		unix.TCA_OPTIONS, []byte{1, 2, 3}, unix.TCA_STATS2, nest(statsBasic, b64(9)))
	got, err := readQdisc(m, names{7: "wan"})
	if !errors.Is(err, errAttributes) {
		t.Errorf("error %v", err)
	}
	if got.Kind != "cake" || got.Handle != plan.HandleOwned || got.Stats.Bytes != 9 || got.Cake != nil {
		t.Errorf("%+v", got)
	}
}

func TestReadStab(t *testing.T) {
	base := structOf(0x0003_0102, 44, 1, 68, 1500, 256)
	got, err := readStab(nest(stabBase, base))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&plan.Stab{Overhead: 44, MPU: 68, MTU: 1500, Size: 256}, got); diff != "" {
		t.Error(diff)
	}
	if got, err := readStab(nest(stabBase, base[:20])); err == nil {
		t.Errorf("%+v of a base that is cut off", got)
	}
	if got, err := readStab(nil); got != nil || err != nil {
		t.Errorf("%+v, %v without a size table", got, err)
	}
}

// Every message cut off at every byte, and with every byte spoiled, is either
// read or refused.
func TestNothingPanics(t *testing.T) {
	for label, whole := range captures(t) {
		object, _, _ := strings.Cut(label, " ")
		for i := range whole {
			decode(object, whole[:i])
			spoiled := append([]byte(nil), whole...)
			spoiled[i] ^= 0xFF
			decode(object, spoiled)
		}
	}
}

// decode is all that is done with a message, and the error if it is refused.
func decode(object string, b []byte) error {
	if object == "link" {
		_, err := readLink(b)
		return err
	}
	m, err := parseMessage(b)
	if errors.Is(err, errShort) {
		return err
	}
	devices := names{7: "wan"}
	faults := []error{err, nil}
	switch object {
	case "qdisc":
		_, faults[1] = readQdisc(&m, devices)
		qdiscAgain(&m)
	case "class":
		_, faults[1] = readClass(&m)
		classAgain(&m)
	case "filter":
		_, _, faults[1] = readFilter(&m, devices)
		filtersAgain(byPriority([]message{m}))
	}
	return first(faults...)
}
