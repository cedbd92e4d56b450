package netlinkqdisc

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// A change keeps what it doesn't mention, so zeros are mentioned too.
func TestCakeOptionsAreAllThere(t *testing.T) {
	for _, raw := range []bool{false, true} {
		var table [cakeMax + 1][]byte
		if err := parse(cakeOptions(&plan.Cake{Raw: raw}), table[:]); err != nil {
			t.Fatal(err)
		}
		for kind := cakeRate64; kind <= cakeMax; kind++ {
			if sent := table[kind] != nil; sent != (kind != cakeRaw || raw) {
				t.Errorf("raw %v: %d is sent: %v", raw, kind, sent)
			}
		}
	}
}

func TestCakeOptions(t *testing.T) {
	want := plan.Cake{
		Rate:          19 * linklayer.Mbit,
		Diffserv:      plan.Diffserv8,
		Isolation:     plan.DualDsthost,
		NAT:           true,
		RTT:           1500 * us,
		Target:        75 * us,
		AckFilter:     plan.AckFilterAggressive,
		Ingress:       true,
		Encapsulation: linklayer.Encapsulation{Overhead: -4, MPU: 64, Framing: linklayer.PTM},
		MemoryLimit:   5_000_001,
		FwMark:        0xff00,
	}
	var table [cakeMax + 1][]byte
	if err := parse(cakeOptions(&want), table[:]); err != nil {
		t.Fatal(err)
	}
	if len(table[cakeRate64]) != 8 || unsigned(table[cakeRate64]) != 2_375_000 || len(table[cakeRTT]) != 4 || unsigned(table[cakeRTT]) != 1500 {
		t.Errorf("rate %x, rtt %x", table[cakeRate64], table[cakeRTT])
	}
	got, err := readCake(cakeOptions(&want))
	if diff := cmp.Diff(&want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

func TestQdiscObject(t *testing.T) {
	refused := []plan.Qdisc{
		{Link: "wan", Kind: "htb"},
		{Link: "wan", Kind: "cake"},
		{Link: "wan", Kind: "cake_mq"},
	}
	for _, q := range refused {
		if _, err := qdiscObject(&q, 7); err == nil {
			t.Errorf("%+v was not refused", q)
		}
	}
	o, err := qdiscObject(&plan.Qdisc{Kind: "ingress", Handle: plan.HandleIngressQdisc, Parent: plan.HandleIngress}, 7)
	if err != nil {
		t.Fatal(err)
	}
	if o.Ifindex != 7 || o.Handle != 0xFFFF0000 || o.Parent != 0xFFFFFFF1 || o.Kind != "ingress" {
		t.Errorf("%+v", o)
	}
}

func TestFilterObject(t *testing.T) {
	f := plan.Filter{Link: "wan", Parent: plan.HandleIngressQdisc, Kind: "matchall", Priority: 10, Protocol: 3, Redirect: "ifb4wan"}
	for _, kind := range []string{"matchall", "u32"} {
		f.Kind = kind
		o, err := filterObject(&f, 7, 9)
		if err != nil {
			t.Fatal(err)
		}
		if o.Ifindex != 7 || o.Parent != 0xFFFF0000 || o.Info>>16 != 10 || hostOrder(uint16(o.Info)) != 3 || o.Kind != kind {
			t.Errorf("%+v", o)
		}
	}
	f.Kind = "flower"
	if _, err := filterObject(&f, 7, 9); err == nil {
		t.Error("flower was not refused")
	}
}
