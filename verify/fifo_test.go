package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestFIFO(t *testing.T) {
	hidden := func(length int) func(*plan.State) {
		return both(htb, onDevice("wan", func(d *plan.Device) { d.Qdiscs = d.Qdiscs[:2]; d.Classes[0].Leaf, d.TxQueueLen = 0, length }))
	}
	shown := func(kind string, limit int) func(*plan.State) {
		return onLeaf(func(q *plan.QdiscState) { q.Kind, q.FIFOLimit, q.FQCodel, q.FQCodelStats = kind, limit, nil, nil })
	}
	checkSituations(t, FIFO, []situation{
		{name: "no qdisc below the class", alter: hidden(1000), want: Warning, says: "a FIFO that the kernel doesn't show, of 1000 packets, 1.211s when full at 10 Mbit/s"},
		{name: "a qdisc below it that was not shown", alter: both(hidden(1000), onDevice("wan", func(d *plan.Device) { d.Classes[0].Leaf = 0x100000 })), want: absent},
		{name: "no qdisc below it, a short queue", alter: hidden(32), want: absent},
		{name: "fq_codel below it", alter: htb, want: absent},
		{name: "pfifo", alter: shown("pfifo", 1000), want: Warning, says: "pfifo of 1000 packets"},
		{name: "a short pfifo", alter: shown("pfifo", 30), want: absent},
		{name: "bfifo", alter: shown("bfifo", 1_514_000), want: Warning, says: "bfifo of 1000 packets"},
		{name: "a pfifo whose length isn't known", alter: shown("pfifo", 0), want: absent},
		{name: "CAKE below it", alter: shown("cake", 0), want: absent},
		{name: "a queue not shown, and a device not shown", alter: both(hidden(0), unseenLink), want: Warning, says: "1000 packets"},
		{name: "classes not shown", alter: both(hidden(1000), onDevice("wan", func(d *plan.Device) { d.Unknown.Classes = true })), want: absent},
		{name: "at 1 Gbit/s", alter: both(hidden(1000), onDevice("wan", func(d *plan.Device) { d.Classes[0].Ceil = linklayer.Gbit })), want: absent},
	})
}
