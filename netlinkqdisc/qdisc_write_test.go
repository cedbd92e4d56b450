package netlinkqdisc

import (
	"reflect"
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// A change keeps what it doesn't mention, so zeros are mentioned too.
func TestCakeOptionsAreAllThere(t *testing.T) {
	for _, raw := range []bool{false, true} {
		options := reflect.ValueOf(*cakeOptions(&plan.Cake{Raw: raw}))
		for i := range options.NumField() {
			name := options.Type().Field(i).Name
			if sent := !options.Field(i).IsNil(); sent != (name != "Raw" || raw) {
				t.Errorf("raw %v: %s is sent: %v", raw, name, sent)
			}
		}
	}
}

func TestCakeOptions(t *testing.T) {
	o := cakeOptions(&plan.Cake{
		Rate:          19 * linklayer.Mbit,
		RTT:           1500 * us,
		AckFilter:     plan.AckFilterAggressive,
		Ingress:       true,
		Encapsulation: linklayer.Encapsulation{Overhead: -4, MPU: 64, Framing: linklayer.PTM},
	})
	if *o.BaseRate != 2_375_000 || *o.Rtt != 1500 || *o.AckFilter != 2 || *o.Ingress != 1 || *o.Nat != 0 {
		t.Errorf("rate %d, rtt %d, ack filter %d, ingress %d, nat %d", *o.BaseRate, *o.Rtt, *o.AckFilter, *o.Ingress, *o.Nat)
	}
	if int32(*o.Overhead) != -4 || *o.Mpu != 64 || *o.Atm != 2 {
		t.Errorf("overhead %d, mpu %d, atm %d", int32(*o.Overhead), *o.Mpu, *o.Atm)
	}
}

func TestQdiscObject(t *testing.T) {
	refused := []plan.Qdisc{
		{Link: "wan", Kind: "htb"},
		{Link: "wan", Kind: "cake"},
		{Link: "wan", Kind: "cake_mq", Cake: &plan.Cake{}},
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
