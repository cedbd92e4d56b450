package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

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

func TestUnlimitedBelowHTB(t *testing.T) {
	samples := run(seconds(2, traffic{packets: 100}, traffic{}), onLeaf(func(q *plan.QdiscState) {
		q.Kind, q.FQCodel, q.FQCodelStats, q.Cake, q.CakeStats = "cake", nil, nil, &plan.Cake{}, &plan.CakeStats{}
	}))
	if findings := Check(Observed(samples[0], "wan"), samples); hasCode(findings, Unlimited) || hasCode(findings, NoShaper) {
		t.Errorf("%+v", findings)
	}
}
