package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/plan"
)

func TestUnclassified(t *testing.T) {
	load := seconds(2, traffic{packets: 900}, traffic{})
	direct := func(s *plan.State, n uint64) { s.Device("wan").At(plan.HandleRoot).DirectPackets = n }
	nowhere := func(s *plan.State) { s.Device("wan").At(plan.HandleRoot).HTB.Default = 0x20 }
	sent := func(n uint64) func(*plan.State) {
		return both(htb, onCake(func(q *plan.QdiscState) { q.Stats.Packets = n }))
	}
	checkSituations(t, Unclassified, []situation{
		{name: "a default that is no class, and packets", intervals: load, alter: both(htb, nowhere, growing(90, direct)), want: Warning, says: "900 of 9000 packets passed the classes by, 10 %"},
		{name: "its advice", intervals: load, alter: both(htb, nowhere, growing(90, direct)), want: Warning, says: "it is 0x20 now, and there is no class 1:20"},
		{name: "no default", intervals: load, alter: both(htb, onCake(func(q *plan.QdiscState) { q.HTB.Default = 0 }), growing(900, direct)), want: Warning, says: "it is 0 now, which is none"},
		{name: "a default that is no class, and filters for all", intervals: load, alter: both(htb, nowhere), want: absent},
		{name: "some before its class was made", alter: both(sent(9027), func(s *plan.State) { direct(s, 4) }), want: Fine, says: "4 packets have passed the classes of HTB on wan by, of 9027"},
		{name: "many at some time, one look", alter: both(sent(9027), func(s *plan.State) { direct(s, 400) }), want: Warning, says: "400 of 9027"},
		{name: "many before, none now", intervals: load, alter: both(htb, func(s *plan.State) { direct(s, 400) }), want: Fine, says: "its default, 0x1, is class 1:1"},
		{name: "a few now and then", intervals: load, alter: both(htb, growing(1, direct)), want: Fine},
		{name: "CAKE", intervals: load, want: absent},
	})
}
