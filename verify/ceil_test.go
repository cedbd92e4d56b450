package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// A class of HTB that may not borrow all of its parent's rate holds packets back
// at what it may.
func TestClassThatBorrowsAPart(t *testing.T) {
	inner := func(ceil linklayer.Rate) func(*plan.State) {
		return both(htb, func(s *plan.State) {
			wan := s.Device("wan")
			wan.Classes = append(wan.Classes, plan.ClassState{
				Kind: "htb", Handle: 0x10002, Parent: 0x10001, Rate: linklayer.Mbit, Ceil: ceil,
				HTB: &plan.HTBClass{Rate: linklayer.Mbit, Ceil: ceil, Burst: 1600, CBurst: 1600}, Stats: wan.Classes[0].Stats,
			})
			wan.At(plan.HandleRoot).HTB.Default, wan.At(0x10001).Parent = 2, 0x10002
		})
	}
	other := func(s *plan.State) { // as much as the first, by a filter
		wan := s.Device("wan")
		c := wan.Classes[1]
		c.Handle = 0x10003
		wan.Classes = append(wan.Classes, c)
	}
	const nineMbit = 9 * linklayer.Mbit
	load := seconds(5, traffic{packets: 148, drops: 1, backlog: 20 * fullPacket}, traffic{}) // 9 Mbit/s
	checkSituations(t, Engaged, []situation{
		{name: "up to nine tenths", intervals: load, alter: inner(nineMbit), want: Fine, says: "9 Mbit/s"},
		{name: "up to all", intervals: load, alter: inner(2 * nineMbit), want: absent},
	})
	checkSituations(t, NotBottleneck, []situation{
		{name: "up to nine tenths", intervals: load, alter: inner(nineMbit), want: absent},
		{name: "up to all", intervals: load, alter: inner(2 * nineMbit), want: Fault},
		{name: "two of them", intervals: load, alter: both(inner(nineMbit), other), want: Fault},
	})
}
