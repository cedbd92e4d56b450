package verify

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestSuperPackets(t *testing.T) {
	longest := func(bytes int, r linklayer.Rate) func(*plan.State) {
		return both(htb, func(s *plan.State) {
			s.Device("wan").At(0x10001).FQCodelStats.MaxPacket = bytes
			s.Device("wan").Classes[0].Rate, s.Device("wan").Classes[0].Ceil = r, r
		})
	}
	atm := withStab(plan.Stab{Overhead: -4, ATM: true})
	target := func(s *plan.State) { s.Device("wan").At(0x10001).FQCodel.Target = 17700 * time.Microsecond }
	cake := func(bytes int, split bool, r linklayer.Rate) func(*plan.State) {
		return onCake(func(q *plan.QdiscState) {
			q.Cake.SplitGSO, q.Cake.Rate = split, r
			q.CakeStats.Tins[0].MaxPacketLength = bytes
		})
	}
	const kbit = linklayer.Kbit
	checkSituations(t, SuperPackets, []situation{
		{name: "three packets at 11 Mbit/s", alter: both(longest(4876, 11_000*kbit), atm), want: Fine, says: "which take 3.55ms; the queue's target is 5ms"},
		{name: "three packets at 5 Mbit/s", alter: both(longest(4876, 5_000*kbit), atm), want: Notice, says: "7.8ms at 5 Mbit/s"},
		{name: "three packets at 790 kbit/s", alter: both(longest(4876, 790*kbit), atm), want: Warning, says: "49.4ms"},
		{name: "three packets at 790 kbit/s with their target", alter: both(longest(4876, 790*kbit), atm, target), want: Warning, says: "the queue's target is 17.7ms"},
		{name: "a full packet at 790 kbit/s", alter: longest(1514, 790*kbit), want: absent},
		{name: "a full packet in cells", alter: both(longest(1643, 790*kbit), atm), want: absent},
		{name: "64 KiB at 100 Mbit/s", alter: longest(65226, 100_000*kbit), want: Notice, says: "5.2ms"},
		{name: "64 KiB at 1 Gbit/s", alter: longest(65226, 1_000_000*kbit), want: Fine, says: "harmless"},
		{name: "jumbo frames", alter: both(longest(9014, 10_000*kbit), onDevice("wan", func(d *plan.Device) { d.MTU = 9000 })), want: absent},
		{name: "the hardware below a VLAN", alter: both(longest(65226, 10_000*kbit), named("eth0")), want: Warning, says: "ethtool -K eth0 gro off"},
		{name: "CAKE that doesn't cut", alter: cake(25738, false, 10_000*kbit), want: Warning, says: "set split-gso"},
		{name: "CAKE that cuts", alter: cake(25738, true, 10_000*kbit), want: absent},
		{name: "a root without a rate", alter: onCake(func(q *plan.QdiscState) {
			q.Kind, q.Cake, q.CakeStats, q.FQCodelStats = "fq_codel", nil, nil, &plan.FQCodelStats{MaxPacket: 65226}
		}), want: absent},
	})
}
