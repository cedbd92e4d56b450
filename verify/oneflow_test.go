package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestOneFlow(t *testing.T) {
	load, light := seconds(2, traffic{packets: 200}, traffic{}), seconds(2, traffic{packets: 50}, traffic{})
	flows := func(n int) func(*plan.State) {
		set := func(q *plan.QdiscState) { q.CakeStats.Tins[0].BulkFlows = n }
		return both(onCakeOf("wan", set), onCakeOf("ifb4wan", set))
	}
	tunnel := func(kind string, percent uint64) func(*plan.State) {
		return func(s *plan.State) {
			c := s.Device("wan").Counters
			s.Devices = append(s.Devices, plan.Device{Name: "tun0", Kind: kind, Tunnel: &plan.Tunnel{}, Up: true, Counters: plan.Counters{
				RxBytes: c.RxBytes * percent / 100, RxPackets: c.RxPackets, TxBytes: c.TxBytes * percent / 100, TxPackets: c.TxPackets,
			}})
		}
	}
	in := linklayer.Ingress
	checkSituations(t, OneFlow, []situation{
		{name: "a tunnel takes all", direction: in, intervals: load, alter: both(flows(1), tunnel("wireguard", 95)), want: Notice, says: "nearly all download goes through the tunnel tun0"},
		{name: "a tunnel takes all, the flows are told apart", direction: in, intervals: load, alter: both(flows(8), tunnel("wireguard", 95)), want: absent},
		{name: "a tunnel takes half", direction: in, intervals: load, alter: both(flows(1), tunnel("wireguard", 50)), want: absent},
		{name: "one download, no tunnel", direction: in, intervals: load, alter: flows(1), want: absent},
		{name: "hardly any traffic", direction: in, intervals: light, alter: both(flows(1), tunnel("wireguard", 95)), want: absent},
		{name: "OpenVPN on the way out", intervals: load, alter: both(flows(1), tunnel("tun", 95)), want: Notice, says: "upload"},
		{name: "one look", direction: in, alter: both(flows(1), tunnel("tun", 95)), want: absent},
	})
}
