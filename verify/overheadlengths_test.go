package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// lengthsSeen are what a CAKE says of packets that it saw.
func lengthsSeen(device string, e linklayer.Encapsulation, shortest, longest int) func(*plan.State) {
	return onCakeOf(device, func(q *plan.QdiscState) {
		q.Cake.Encapsulation, q.Cake.SplitGSO, q.Stats.Packets = e, true, q.Stats.Packets+5000
		s := q.CakeStats
		s.MinNetworkLength, s.MaxNetworkLength = shortest, longest
		s.MinAdjustedLength, s.MaxAdjustedLength = e.WireSize(shortest), e.WireSize(longest)
	})
}

func header(device string, bytes int) func(*plan.State) {
	return onCakeOf(device, func(q *plan.QdiscState) { q.CakeStats.AverageNetworkOffset = bytes })
}

func TestOverheadLengths(t *testing.T) {
	docsis := linklayer.Encapsulation{Overhead: 18, MPU: 64}
	vdsl := linklayer.Encapsulation{Overhead: 30, Framing: linklayer.PTM}
	stale := func(q *plan.QdiscState) { q.CakeStats.MinAdjustedLength = 46 }
	ppp := onDevice("wan", func(d *plan.Device) { d.Type, d.Name = 512, "wan" })
	pppoe := onDevice("wan", func(d *plan.Device) { d.PPPoE = true })
	checkSituations(t, OverheadLengths, []situation{
		{name: "cable as it should be", alter: lengthsSeen("wan", docsis, 28, 1500), want: absent},
		{name: "mpu came later", alter: both(lengthsSeen("wan", docsis, 28, 1500), onCake(stale)), want: Notice, says: "overhead 18, mpu 64 and plain framing make 64 to 1518 of these"},
		{name: "framing came later", alter: both(lengthsSeen("wan", vdsl, 36, 1492), onCake(func(q *plan.QdiscState) { q.Cake.Encapsulation.Framing = linklayer.ATM })), want: Notice, says: "tc qdisc change dev wan root cake overhead 30"},
		{name: "ptm with 44", alter: lengthsSeen("wan", linklayer.Encapsulation{Overhead: 44, Framing: linklayer.PTM}, 36, 1492), want: absent},
		{name: "unused", alter: onCake(func(q *plan.QdiscState) { q.CakeStats.MinNetworkLength, q.CakeStats.MinAdjustedLength = 65535, 65535 }), want: absent},
		{name: "statistics not shown", alter: both(lengthsSeen("wan", docsis, 28, 1500), onCake(stale), onCake(func(q *plan.QdiscState) { q.Unknown.Stats = true })), want: absent},
		{name: "under PPPoE with its overhead", alter: both(lengthsSeen("wan", vdsl, 44, 1500), pppoe), want: Notice, says: "set CAKE's overhead to 30 − 8 = 22"},
		{name: "under PPPoE with 8 less", alter: both(lengthsSeen("wan", linklayer.Encapsulation{Overhead: 22, Framing: linklayer.PTM}, 44, 1500), pppoe), want: absent},
		{name: "the same overhead without PPPoE", alter: lengthsSeen("wan", vdsl, 44, 1500), want: absent},
		{name: "on the PPP device", alter: both(lengthsSeen("wan", vdsl, 36, 1492), header("wan", 0), ppp), want: absent},
		{name: "1500 through PPPoE", access: "vdsl2-pppoe", direction: linklayer.Ingress, alter: lengthsSeen("ifb4wan", vdsl, 44, 1500), want: Notice, says: "overhead = 30 − 8 = 22"},
		{name: "1492 through PPPoE", access: "vdsl2-pppoe", direction: linklayer.Ingress, alter: lengthsSeen("ifb4wan", vdsl, 44, 1492), want: absent},
		{name: "1500 sent to a modem with PPPoE", access: "vdsl2-pppoe", alter: lengthsSeen("wan", vdsl, 44, 1500), want: absent},
		{name: "1500 on a line without PPPoE", access: "vdsl2", direction: linklayer.Ingress, alter: lengthsSeen("ifb4wan", linklayer.Encapsulation{Overhead: 22, Framing: linklayer.PTM}, 44, 1500), want: absent},
		{name: "no header on Ethernet", alter: both(lengthsSeen("wan", docsis, 42, 1514), header("wan", 0)), want: Notice, says: "set CAKE's overhead to 18 − 14 = 4"},
		{name: "a header on PPP", alter: both(lengthsSeen("wan", vdsl, 22, 1478), ppp), want: Notice, says: "set CAKE's overhead to 30 + 14 = 44"},
		{name: "an average that hasn't settled", alter: both(lengthsSeen("wan", docsis, 76, 300), header("wan", 1), onCake(func(q *plan.QdiscState) { q.Stats.Packets = 21 })), want: absent},
		{name: "few steps of many packets", alter: both(lengthsSeen("wan", docsis, 76, 300), header("wan", 2), onCake(func(q *plan.QdiscState) { q.Cake.SplitGSO = false })), want: absent},
		{name: "an IFB of PPP", direction: linklayer.Ingress, alter: both(lengthsSeen("ifb4wan", vdsl, 36, 1492), header("ifb4wan", 0), ppp), want: absent},
		{name: "a tag inside", alter: both(lengthsSeen("wan", docsis, 28, 1500), header("wan", 18), onDevice("wan", func(d *plan.Device) { d.Kind, d.TagInside = "vlan", true })), want: absent},
		{name: "a device not shown", alter: both(lengthsSeen("wan", docsis, 42, 1514), header("wan", 0), unseenLink), want: absent},
	})
}
