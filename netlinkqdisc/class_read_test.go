package netlinkqdisc

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestReadClassOfAKernel(t *testing.T) {
	tests := []struct {
		label string
		want  plan.ClassState
	}{
		// Beyond 34 Gbit/s the rate stands in TCA_HTB_RATE64.
		{"class lan htb 1:1", plan.ClassState{Kind: "htb", Handle: 0x10001, Parent: plan.HandleRoot,
			Rate: 40 * linklayer.Gbit, Ceil: 40 * linklayer.Gbit,
			HTB: &plan.HTBClass{Rate: 40 * linklayer.Gbit, Ceil: 40 * linklayer.Gbit, Quantum: 200_000}}},
		{"class lan htb 1:10", plan.ClassState{Kind: "htb", Handle: 0x10010, Parent: 0x10001, Leaf: 0x1100000,
			Rate: 5 * linklayer.Mbit, Ceil: 10 * linklayer.Mbit,
			HTB: &plan.HTBClass{Rate: 5 * linklayer.Mbit, Ceil: 10 * linklayer.Mbit, Burst: 1600, CBurst: 1600, Quantum: 62_500, Priority: 1}}},
	}
	for _, test := range tests {
		got, err := readClass(capturedMessage(t, test.label))
		if err != nil {
			t.Fatal(err)
		}
		if got.Stats.Packets < 50 {
			t.Errorf("%s: %d packets", test.label, got.Stats.Packets)
		}
		got.Stats = plan.Stats{}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.label, diff)
		}
	}
}

func TestReadClassOfAnotherKind(t *testing.T) {
	got, err := readClass(tcMessage("hfsc", 0x10001, 0x10000, unix.TCA_OPTIONS, []byte{9}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plan.ClassState{Kind: "hfsc", Handle: 0x10001, Parent: 0x10000}, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadClassCutOff(t *testing.T) {
	for name, options := range map[string][]byte{
		"no options":   nil,
		"short struct": nest(htbParms, make([]byte, htbParmsLength-1)),
	} {
		got, err := readClass(tcMessage("htb", 0x10001, 0x10000, unix.TCA_OPTIONS, options))
		if !errors.Is(err, errOptions) {
			t.Errorf("%s: error %v", name, err)
		}
		if got.Kind != "htb" || got.Handle != 0x10001 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
