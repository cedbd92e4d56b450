package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// What passes all classes by passes no shaper, and noqueue has no counters of its
// own.
func TestNothingShapes(t *testing.T) {
	passingBy := func(percent uint64) func(*plan.State) {
		return both(htb, func(s *plan.State) {
			root := s.Device("wan").At(plan.HandleRoot)
			root.HTB.Default, root.DirectPackets = 99, root.Stats.Packets*percent/100
		})
	}
	noqueue := func(s *plan.State) {
		root := s.Device("wan").At(plan.HandleRoot)
		*root = plan.QdiscState{Qdisc: plan.Qdisc{Link: "wan", Kind: "noqueue", Parent: plan.HandleRoot}}
	}
	load, light := seconds(3, traffic{packets: 100}, traffic{}), seconds(3, traffic{packets: 2}, traffic{})
	checkSituations(t, NotBottleneck, []situation{
		{name: "all pass by", intervals: load, alter: passingBy(100), want: Fault},
		{name: "half pass by", intervals: load, alter: passingBy(50), want: absent},
		{name: "noqueue with traffic", intervals: load, alter: noqueue, want: Fault},
		{name: "noqueue with hardly any", intervals: light, alter: noqueue, want: absent},
	})
}

// A tunnel's own shaper leaves the line's nothing to hold back.
func TestShapedInTunnel(t *testing.T) {
	tunnel := func(rate linklayer.Rate, percent uint64) func(*plan.State) {
		return func(s *plan.State) {
			c := s.Device("wan").Counters
			root := rootOf("tun0")
			root.Cake.Rate, root.Cake.Raw = rate, true
			root.Stats = s.Device("wan").At(plan.HandleRoot).Stats
			root.Stats.Drops, root.Stats.Backlog = root.Stats.Packets/50, 20*fullPacket
			s.Devices = append(s.Devices, plan.Device{Name: "tun0", Kind: "ipip", Tunnel: &plan.Tunnel{}, Up: true, Qdiscs: []plan.QdiscState{root},
				Counters: plan.Counters{TxBytes: c.TxBytes * percent / 100, TxPackets: c.TxPackets}})
		}
	}
	const slower = 17926 * linklayer.Kbit // what near is without the line's overhead
	load := seconds(5, traffic{packets: near}, traffic{})
	checkSituations(t, NotBottleneck, []situation{
		{name: "a tunnel with a shaper", intervals: load, alter: tunnel(slower, 95), want: absent},
		{name: "one with a rate above", intervals: load, alter: tunnel(2*slower, 95), want: Fault},
		{name: "one without a rate", intervals: load, alter: tunnel(0, 95), want: Fault},
		{name: "one with half of the traffic", intervals: load, alter: tunnel(slower, 50), want: Fault},
	})
	checkSituations(t, Idle, []situation{
		{name: "a tunnel with a shaper", intervals: load, alter: tunnel(slower, 95), want: Fine, says: "the queue stands there"},
	})
}
