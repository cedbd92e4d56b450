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
		{name: "the route is by a VLAN of it", intervals: quiet, alter: both(onCake(unused), vlan, by("wan.7")), want: absent},
		{name: "the route is by PPP over it", intervals: quiet, alter: both(onCake(unused), ppp, by("ppp0")), want: absent},
		{name: "the route is elsewhere, but it is used", intervals: load, alter: both(other, by("eth9")), want: absent},
		{name: "a dump without the device", alter: both(onCake(unused), countersUnseen), want: Notice, says: "no packet has passed cake on wan since it was made"},
		{name: "a dump without statistics", alter: both(onCake(unused), countersUnseen, onCake(func(q *plan.QdiscState) { q.Unknown.Stats = true })), want: absent},
		{name: "made anew while the device sends", intervals: load, alter: func(s *plan.State) {
			if s.Devices[0].Counters.TxPackets > 900 {
				unused(s.Devices[0].At(plan.HandleRoot))
			}
		}, want: absent},
		{name: "on the way in", direction: linklayer.Ingress, intervals: quiet, alter: onCakeOf("ifb4wan", unused), want: absent},
	})
}

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

func TestNoShaper(t *testing.T) {
	load := seconds(2, traffic{packets: 200}, traffic{})
	byDefault := onCake(func(q *plan.QdiscState) { q.Handle, q.Cake.Rate = 0, 0 })
	unread := onCake(func(q *plan.QdiscState) {
		q.Handle, q.Cake, q.CakeStats, q.Unknown.Options = 0, nil, nil, true
	})
	mq := func(handle plan.Handle, children ...plan.Qdisc) func(*plan.State) {
		return func(s *plan.State) {
			wan := s.Device("wan")
			root := wan.At(plan.HandleRoot)
			root.Kind, root.Handle, root.Cake, root.CakeStats = "mq", handle, nil, nil
			for i, child := range children {
				child.Link, child.Parent = "wan", handle|plan.Handle(i+1)
				wan.Qdiscs = append(wan.Qdiscs, plan.QdiscState{Qdisc: child})
			}
		}
	}
	cake := plan.Qdisc{Kind: "cake", Cake: &plan.Cake{}}
	limited := plan.Qdisc{Kind: "cake", Handle: 0x80010000, Cake: &plan.Cake{Rate: linklayer.Mbit}}
	htb := plan.Qdisc{Kind: "htb", Handle: 0x10000, HTB: &plan.HTB{Default: 2}}
	dropping := func(s *plan.State) {
		s.Device("wan").At(plan.HandleRoot).Stats.Drops = s.Device("wan").Counters.TxPackets / 100
	}
	checkSituations(t, NoShaper, []situation{
		{name: "the default at the root", intervals: load, alter: byDefault, want: Fault, says: "nobody installed a shaper on wan: it has a CAKE without a rate"},
		{name: "the default at the root, with a profile", access: "docsis", intervals: load, alter: byDefault, want: Fault, says: "run: sqmctl apply"},
		{name: "the default that tc couldn't read", alter: unread, want: Fault, says: "default qdisc"},
		{name: "the default below a default mq", intervals: load, alter: mq(0, cake, cake), want: Fault, says: "a CAKE for each of 2 queues"},
		{name: "the default below somebody's mq", intervals: load, alter: mq(0x7fff0000, cake, cake), want: Fault, says: "a CAKE for each of 2 queues"},
		{name: "below an mq, and the device is the bottleneck", intervals: load, alter: both(mq(0, cake, cake), dropping), want: absent},
		{name: "a shaper below one queue of an mq", intervals: load, alter: mq(0x7fff0000, htb, cake), want: absent},
		{name: "CAKEs with rates below an mq", intervals: load, alter: mq(0x7fff0000, limited, limited), want: absent},
		{name: "fq_codel below an mq", intervals: load, alter: mq(0, plan.Qdisc{Kind: "fq_codel"}), want: absent},
		{name: "somebody's CAKE without a rate", intervals: load, alter: onCake(func(q *plan.QdiscState) { q.Cake.Rate = 0 }), want: absent},
		{name: "a CAKE with a rate", intervals: load, want: absent},
	})
	// A shaper below an mq isn't said to be none.
	for name, alter := range map[string]func(*plan.State){"htb": mq(0x7fff0000, htb, cake), "cake": mq(0x7fff0000, limited)} {
		samples := run(load, alter)
		if findings := Check(Observed(samples[0], "wan"), samples); hasCode(findings, Unlimited) || hasCode(findings, NotBottleneck) {
			t.Errorf("%s below an mq: %+v", name, findings)
		}
	}
}

// CAKE without a rate below a class of HTB is as it should be: the class has it.
func TestUnlimitedBelowHTB(t *testing.T) {
	samples := run(seconds(2, traffic{packets: 100}, traffic{}), onLeaf(func(q *plan.QdiscState) {
		q.Kind, q.FQCodel, q.FQCodelStats, q.Cake, q.CakeStats = "cake", nil, nil, &plan.Cake{}, &plan.CakeStats{}
	}))
	if findings := Check(Observed(samples[0], "wan"), samples); hasCode(findings, Unlimited) || hasCode(findings, NoShaper) {
		t.Errorf("%+v", findings)
	}
}
