package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/plan"
)

func TestMemoryLimit(t *testing.T) {
	cakeUsed := func(used, limit uint64) func(*plan.State) {
		return onCake(func(q *plan.QdiscState) { q.CakeStats.MemoryUsed, q.CakeStats.MemoryLimit = used, limit })
	}
	overlimit := func(n, memory uint64) func(*plan.State) {
		return func(s *plan.State) {
			q := s.Device("wan").At(0x10001)
			q.FQCodelStats.DropOverlimit, q.FQCodelStats.DropOvermemory = n, memory
		}
	}
	room := func(packets int, memory uint32) func(*plan.State) {
		return onLeaf(func(q *plan.QdiscState) { q.FQCodel.Limit, q.FQCodel.MemoryLimit = packets, memory })
	}
	grows := growing(3, func(s *plan.State, n uint64) { overlimit(n, 0)(s) })
	growsMemory := growing(3, func(s *plan.State, n uint64) { overlimit(n, n)(s) })
	once := func(s *plan.State) { overlimit(7, 0)(s) }
	load := seconds(2, traffic{packets: 100}, traffic{})
	checkSituations(t, MemoryLimit, []situation{
		{name: "CAKE below its limit", alter: cakeUsed(1797884, 10_000_000), want: absent},
		{name: "CAKE at its limit", alter: cakeUsed(4<<20, 4<<20), want: absent},
		{name: "CAKE beyond it", alter: cakeUsed(4<<20+1500, 4<<20), want: Notice, says: "somebody sends without listening"},
		{name: "CAKE beyond a limit that is too low", alter: cakeUsed(66_000, 65_536), want: Warning, says: "raise its memlimit to 1000000 bytes"},
		{name: "CAKE unused", alter: cakeUsed(0, 15140<<10), want: absent},
		{name: "CAKE's limit not told", alter: cakeUsed(66_000, 0), want: absent},
		{name: "fq_codel never full", intervals: load, alter: htb, want: absent},
		{name: "fq_codel full", intervals: load, alter: both(htb, grows), want: Notice, says: "30 packets dropped because it was full, 0 of them for memory"},
		{name: "fq_codel full of too few packets", intervals: load, alter: both(room(60, 32<<20), grows), want: Warning, says: "raise its limit"},
		{name: "fq_codel out of too little memory", intervals: load, alter: both(room(10240, 100_000), growsMemory), want: Warning, says: "raise its memory_limit"},
		{name: "fq_codel full before", intervals: load, alter: both(htb, once), want: absent},
		{name: "fq_codel full at some time, one look", alter: both(htb, once), want: Notice, says: "7 packets dropped"},
		{name: "statistics not shown", alter: both(onLeaf(func(q *plan.QdiscState) { q.Unknown.Stats = true }), once), want: absent},
	})
}
