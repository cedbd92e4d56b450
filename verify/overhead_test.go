package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestOverhead(t *testing.T) {
	stab := func(overhead int, atm bool) *plan.Stab { return &plan.Stab{Overhead: overhead, ATM: atm} }
	encapsulation := func(overhead int, framing linklayer.Framing) linklayer.Encapsulation {
		return linklayer.Encapsulation{Overhead: overhead, Framing: framing}
	}
	tests := []struct {
		name   string
		stab   *plan.Stab
		raw    bool
		cake   linklayer.Encapsulation
		want   Severity
		advice string
	}{
		{"CAKE's alone", nil, false, encapsulation(38, linklayer.Plain), Fine, ""},
		{"a table's alone", stab(26, true), true, encapsulation(0, linklayer.Plain), Fine, ""},
		{"a table that adds nothing", stab(0, false), false, encapsulation(38, linklayer.Plain), Fine, ""},
		{"both add", stab(26, false), false, encapsulation(40, linklayer.Plain), Fault, "take one of them away; sqmctl apply leaves CAKE's alone"},
		{"both count cells", stab(0, true), true, encapsulation(0, linklayer.ATM), Fault, "take one of them away; sqmctl apply leaves CAKE's alone"},
		{"a table's figure", nil, false, encapsulation(-4, linklayer.ATM), Warning, "if it was made for a size table (stab) on Ethernet, CAKE's is -4 + 14 = 10, which is type adsl-pppoa-vcmux"},
		{"a figure of no type", nil, false, encapsulation(-3, linklayer.PTM), Warning, "if it was made for a size table (stab) on Ethernet, CAKE's is -3 + 14 = 11"},
		{"a figure of nothing", nil, false, encapsulation(-40, linklayer.Plain), Warning, "find out what the line adds, with: sqmctl types"},
	}
	for _, test := range tests {
		s := box()
		root := s.Devices[0].At(plan.HandleRoot)
		root.Stab, root.Cake.Raw, root.Cake.Encapsulation = test.stab, test.raw, test.cake
		got := &Finding{}
		for _, f := range Check(Observed(s, "wan"), []plan.State{s}) {
			if f.Code == OverheadTwice || f.Code == OverheadNegative {
				record(f)
				got = &f
			}
		}
		if got.Severity != test.want || got.Advice != test.advice {
			t.Errorf("%s: %s, %q", test.name, got.Severity, got.Advice)
		}
	}
}

// A tunnel that nobody meant to shape needs no rate.
func TestOnTunnel(t *testing.T) {
	for kind, want := range map[string]Severity{"wireguard": Notice, "gre": Notice, "veth": Fault, "": Fault} {
		s := box()
		s.Devices[0].Kind = kind
		if want == Notice {
			s.Devices[0].Tunnel = &plan.Tunnel{Outer: 80}
		}
		rate("wan", 0)(&s)
		if got := Check(Observed(s, "wan"), []plan.State{s})[0]; got.Code != Unlimited || got.Severity != want {
			t.Errorf("on %q: %+v", kind, got)
		}
		if got := Check(upload(), []plan.State{s})[0]; got.Code != Unlimited || got.Severity != Fault {
			t.Errorf("on %q, as planned with a rate: %+v", kind, got)
		}
	}
}
