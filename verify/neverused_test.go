package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func unused(q *plan.QdiscState) {
	q.Stats, q.CakeStats.MinNetworkLength = plan.Stats{}, 65535
}

func TestNeverUsed(t *testing.T) {
	quiet, load := seconds(2, traffic{}, traffic{}), seconds(2, traffic{packets: 100}, traffic{})
	by := func(names ...string) func(*plan.State) { return func(s *plan.State) { s.DefaultRoutes = names } }
	vlan := func(s *plan.State) {
		s.Devices = append(s.Devices, plan.Device{Name: "wan.7", Kind: "vlan", Parent: "wan", Type: 1, Up: true})
	}
	ppp := func(s *plan.State) { s.Devices = append(s.Devices, plan.Device{Name: "ppp0", Type: 512, Up: true}) }
	other := func(s *plan.State) { s.Devices = append(s.Devices, plan.Device{Name: "eth9", Type: 1, Up: true}) }
	countersUnseen := onDevice("wan", func(d *plan.Device) { d.Unknown.Counters, d.Counters = true, plan.Counters{} })
	checkSituations(t, NeverUsed, []situation{
		{name: "the device sends", intervals: load, alter: onCake(unused), want: Warning, says: "wan sent 1000 packets meanwhile"},
		{name: "the qdisc sends", intervals: load, want: absent},
		{name: "just made, a quiet line", intervals: quiet, alter: onCake(unused), want: absent},
		{name: "just made, a quiet line with its route", intervals: quiet, alter: both(onCake(unused), by("wan")), want: absent},
		{name: "the route is elsewhere", intervals: quiet, alter: both(onCake(unused), other, by("eth9")), want: Notice, says: "shape eth9 instead"},
		{name: "a spare line beside one that is shaped", intervals: quiet, alter: both(onCake(unused), func(s *plan.State) {
			s.Devices = append(s.Devices, plan.Device{Name: "eth9", Type: 1, Up: true, Qdiscs: []plan.QdiscState{rootOf("eth9")}})
		}, by("eth9")), want: absent},
		{name: "the route is by a VLAN of it", intervals: quiet, alter: both(onCake(unused), vlan, by("wan.7")), want: absent},
		{name: "the route is by PPP over it", intervals: quiet, alter: both(onCake(unused), ppp, by("ppp0")), want: absent},
		{name: "the route is elsewhere, but it is used", intervals: load, alter: both(other, by("eth9")), want: absent},
		{name: "a dump without the device", alter: both(onCake(unused), countersUnseen), want: Notice, says: "no packet has passed cake on wan since it was made"},
		{name: "a dump of an HTB and a CAKE below an mq", alter: both(countersUnseen, onDevice("wan", func(d *plan.Device) {
			d.Qdiscs = []plan.QdiscState{
				{Qdisc: plan.Qdisc{Link: "wan", Kind: "mq", Handle: 0x7fff0000, Parent: plan.HandleRoot}},
				{Qdisc: plan.Qdisc{Link: "wan", Kind: "htb", Handle: 0x10000, Parent: 0x7fff0001, HTB: &plan.HTB{Default: 2}}},
				{Qdisc: plan.Qdisc{Link: "wan", Kind: "cake", Handle: 0x800a0000, Parent: 0x10002, Cake: &plan.Cake{Raw: true}}, CakeStats: &plan.CakeStats{MinNetworkLength: 65535, MinAdjustedLength: 65535}},
			}
		})), want: Notice, says: "no packet has passed mq on wan"},
		{name: "a dump without statistics", alter: both(onCake(unused), countersUnseen, onCake(func(q *plan.QdiscState) { q.Unknown.Stats = true })), want: absent},
		{name: "made anew while the device sends", intervals: load, alter: func(s *plan.State) {
			if s.Devices[0].Counters.TxPackets > 900 {
				unused(s.Devices[0].At(plan.HandleRoot))
			}
		}, want: absent},
		{name: "on the way in", direction: linklayer.Ingress, intervals: quiet, alter: onCakeOf("ifb4wan", unused), want: absent},
	})
}
