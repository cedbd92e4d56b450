package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func named(name string) func(*plan.State) {
	return func(s *plan.State) { s.Device("wan").Parent = name }
}

func TestATMCells(t *testing.T) {
	plain, atm := linklayer.Encapsulation{Overhead: 40}, linklayer.Encapsulation{Overhead: 40, Framing: linklayer.ATM}
	checkSituations(t, ATMCells, []situation{
		{name: "ADSL without cells", access: "adsl-pppoe-llcsnap", alter: counting(plain), want: Warning, says: "1500 bytes + 40 are 33 cells, which is 1749 bytes; the shaper counts 1540, 11.9 % too little"},
		{name: "ADSL without cells, acknowledgements", access: "adsl-pppoe-llcsnap", alter: counting(plain), want: Warning, says: "40 bytes + 40 are 2 cells, which is 106 bytes; the shaper counts 80, 24.5 % too little"},
		{name: "ADSL with cells", access: "adsl-pppoe-llcsnap", alter: counting(atm), want: absent},
		{name: "ADSL with cells in a table", access: "adsl-pppoe-llcsnap", alter: both(htb, withStab(plan.Stab{Overhead: 26, ATM: true})), want: absent},
		{name: "ADSL with a table that has none", access: "adsl-pppoe-llcsnap", alter: both(htb, withStab(plan.Stab{Overhead: 26})), want: Warning, says: "33 cells"},
		{name: "VDSL", access: "vdsl2-pppoe", alter: counting(plain), want: absent},
		{name: "an unknown line", access: "conservative", alter: counting(plain), want: absent},
		{name: "nobody says ADSL", alter: counting(plain), want: absent},
		{name: "an ATM device below", alter: both(counting(plain), named("nas0")), want: Warning, says: "nas0 is an ATM device by its name"},
		{name: "a PTM device below", alter: both(counting(plain), named("ptm0")), want: absent},
		{name: "a disk's name", alter: both(counting(plain), named("nas")), want: absent},
		{name: "a table not shown", access: "adsl-pppoe-llcsnap", alter: both(htb, onCake(func(q *plan.QdiscState) { q.Unknown.Stab = true })), want: absent},
	})
}

func TestMPU(t *testing.T) {
	without, with := linklayer.Encapsulation{Overhead: 18}, linklayer.Encapsulation{Overhead: 18, MPU: 64}
	checkSituations(t, MPU, []situation{
		{name: "cable without", access: "docsis", alter: counting(without), want: Warning, says: "an acknowledgement of 40 bytes + 18 = 58 counts 58 instead of 64, 9.4 % too little"},
		{name: "cable with", access: "docsis", alter: counting(with), want: absent},
		{name: "cable with another overhead", access: "docsis", alter: counting(linklayer.Encapsulation{Overhead: 44}), want: absent},
		{name: "cable's overhead", alter: counting(without), want: Notice, says: "the overhead is that of cable"},
		{name: "cable's overhead and minimum", alter: counting(with), want: absent},
		{name: "cable's overhead with cells", alter: counting(linklayer.Encapsulation{Overhead: 18, Framing: linklayer.ATM}), want: absent},
		{name: "cable's overhead in a table", alter: both(htb, withStab(plan.Stab{Overhead: 4})), want: Notice, says: "counts 58 instead of 64"},
		{name: "cable's overhead and minimum in a table", alter: both(htb, withStab(plan.Stab{Overhead: 4, MPU: 64})), want: absent},
		{name: "no table", alter: htb, want: absent},
		{name: "Ethernet without", access: "ethernet", alter: counting(linklayer.Encapsulation{Overhead: 38}), want: Notice, says: "counts 78 instead of 84"},
		{name: "Ethernet's overhead, nobody says that it is", alter: counting(linklayer.Encapsulation{Overhead: 38}), want: absent},
		{name: "VDSL's overhead", access: "vdsl2", alter: counting(linklayer.Encapsulation{Overhead: 22, Framing: linklayer.PTM}), want: absent},
	})
}

func TestPTMOverhead(t *testing.T) {
	ptm := func(overhead int) func(*plan.State) {
		return counting(linklayer.Encapsulation{Overhead: overhead, Framing: linklayer.PTM})
	}
	mtu := onDevice("wan", func(d *plan.Device) { d.MTU = 1492 })
	checkSituations(t, PTMOverhead, []situation{
		{name: "the figure for any line", alter: both(ptm(44), mtu), want: Notice, says: "1492 + 44, and a byte for each 64 started, = 1560; with 34 it is 1550, 0.6 % less"},
		{name: "PPPoE with a tag", alter: ptm(34), want: absent},
		{name: "PPPoE with two tags", alter: ptm(38), want: absent},
		{name: "the figure for any line, plain", alter: counting(linklayer.Encapsulation{Overhead: 44}), want: absent},
		{name: "no rate", alter: both(ptm(44), rate("wan", 0)), want: absent},
	})
}

func TestAutorateIngress(t *testing.T) {
	on := func(q *plan.QdiscState) { q.Cake.Autorate = true }
	up, down := onCakeOf("wan", on), onCakeOf("ifb4wan", on)
	checkSituations(t, AutorateIngress, []situation{
		{name: "on the way out", alter: up, want: Warning, says: "on the way out"},
		{name: "on the way out of a satellite's", access: "starlink", alter: up, want: Warning, says: "on the way out"},
		{name: "on the way in", direction: linklayer.Ingress, alter: down, want: Notice, says: "keep it if the line is mobile"},
		{name: "on the way in of cable", direction: linklayer.Ingress, access: "docsis", alter: down, want: Notice, says: "fixed on this line (cable"},
		{name: "on the way in of a mobile line", direction: linklayer.Ingress, access: "lte", alter: down, want: absent},
		{name: "off", direction: linklayer.Ingress, want: absent},
	})
}

func TestIsolation(t *testing.T) {
	set := func(device string, i plan.Isolation) func(*plan.State) {
		return onCakeOf(device, func(q *plan.QdiscState) { q.Cake.Isolation = i })
	}
	elsewhere := func(s *plan.State) { s.DefaultRoutes = []string{"eth9"} }
	checkSituations(t, Isolation, []situation{
		{name: "receivers on the way out", alter: set("wan", plan.DualDsthost), want: Notice, says: "dual-srchost"},
		{name: "senders on the way in", direction: linklayer.Ingress, alter: set("ifb4wan", plan.DualSrchost), want: Notice, says: "dual-dsthost"},
		{name: "senders on the way out", alter: set("wan", plan.DualSrchost), want: absent},
		{name: "receivers on the way in", direction: linklayer.Ingress, alter: set("ifb4wan", plan.DualDsthost), want: absent},
		{name: "connections", alter: set("wan", plan.Flows), want: absent},
		{name: "three ways", alter: set("wan", plan.TripleIsolate), want: absent},
		{name: "at the side of the clients", alter: both(set("wan", plan.DualDsthost), elsewhere), want: absent},
		{name: "a bridge", alter: both(set("wan", plan.DualDsthost), onDevice("wan", func(d *plan.Device) { d.Kind = "bridge" })), want: absent},
		{name: "as the profile says", access: "docsis", alter: set("wan", plan.DualDsthost), want: Notice, says: `delete isolation, or write isolation = "dual-srchost"`},
		{name: "options not shown", alter: both(set("wan", plan.DualDsthost), onCake(func(q *plan.QdiscState) { q.Unknown.Options = true })), want: absent},
	})
}

func TestAckFilter(t *testing.T) {
	on := func(q *plan.QdiscState) { q.Cake.AckFilter = plan.AckFilterOn }
	checkSituations(t, AckFilter, []situation{
		{name: "on the way in", direction: linklayer.Ingress, alter: onCakeOf("ifb4wan", on), want: Notice, says: "0 acknowledgements dropped"},
		{name: "on the way out", alter: onCakeOf("wan", on), want: absent},
		{name: "off", direction: linklayer.Ingress, want: absent},
		{name: "the clients' upload", direction: linklayer.Ingress, alter: both(onCakeOf("ifb4wan", on), onDevice("wan", func(d *plan.Device) { d.Kind = "bridge" })), want: absent},
	})
}

// What applying the profile corrects is said once, as not as planned.
func TestProfileCorrects(t *testing.T) {
	p := upload()
	cable, _ := linklayer.AccessByName("docsis")
	p.Links[0].Title = cable.Title
	p.Links[0].Egress.Qdisc.Cake.Encapsulation = cable.Encapsulation
	for name, alter := range map[string]func(*plan.State){
		"no minimum":    counting(linklayer.Encapsulation{Overhead: 18}),
		"below zero":    counting(linklayer.Encapsulation{Overhead: -4, MPU: 64}),
		"far end":       both(counting(cable.Encapsulation), onCake(func(q *plan.QdiscState) { q.Cake.Isolation = plan.DualDsthost })),
		"twice":         both(counting(cable.Encapsulation), withStab(plan.Stab{Overhead: 4})),
		"a large ptm":   counting(linklayer.Encapsulation{Overhead: 44, Framing: linklayer.PTM}),
		"old lengths":   both(lengthsSeen("wan", linklayer.Encapsulation{Overhead: 18}, 40, 1500), onCake(func(q *plan.QdiscState) { q.CakeStats.MaxAdjustedLength = 99 })),
		"overhead of 0": both(counting(linklayer.Encapsulation{}), withStab(plan.Stab{Overhead: 4})),
	} {
		findings := Check(p, run(nil, alter))
		if len(findings) != 2 || findings[0].Code != NotAsPlanned || findings[1].Code != Idle {
			t.Errorf("%s: %+v", name, findings)
		}
	}
}
