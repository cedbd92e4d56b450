package main

import (
	"github.com/sqmctl/sqmctl/netlinkqdisc"
	"github.com/sqmctl/sqmctl/plan"
)

// drops is how many packets the root qdisc of a router's device dropped.
func (s *story) drops(device string) (drops uint64) {
	s.t.Helper()
	s.Router.In(func() {
		kernel, err := netlinkqdisc.Open()
		if err != nil {
			s.t.Fatal(err)
		}
		defer kernel.Close()
		state, err := kernel.Read()
		if err != nil {
			s.t.Fatal(err)
		}
		drops = state.Device(device).At(plan.HandleRoot).Stats.Drops
	})
	return drops
}
