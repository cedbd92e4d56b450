package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

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
