package sim

import (
	"math/bits"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// timers are the moments at which transfers want to be looked at, in a
// tournament: of each two the sooner one is compared with that of two others.
// Most moments are put off again before they come, with each acknowledgement.
// That takes the same few steps whatever their order is; with a heap they are
// fewer, but a processor foresees half of them wrong.
type timers struct {
	tree []entry // of flows, in the second half, a power of two of them; of i the sooner one of 2i and 2i+1
}

// entry is a moment in ns and in the lowest bits its flow, inverted: of the
// same moment the last flow's comes first.
type entry int64

const (
	flowBits = 13                      // for mostFlows both ways
	latest   = qdisc.Never >> flowBits // ns, 13 days: beyond the end of any run
)

func entryOf(flow uint16, at int64) entry {
	return entry(min(at, latest)<<flowBits | int64(^flow&(1<<flowBits-1)))
}

// newTimers are those of so many transfers, none of which is set.
func newTimers(flows int) timers {
	places := 1 << bits.Len(uint(max(flows, 1)-1))
	t := timers{make([]entry, 2*places)}
	for i := range t.tree {
		t.tree[i] = entryOf(0, qdisc.Never)
	}
	return t
}

// next is the first moment, or beyond the end if there is none.
func (t *timers) next() int64 { return int64(t.tree[1] >> flowBits) }

// first is the flow that wants it.
func (t *timers) first() uint16 { return ^uint16(t.tree[1]) & (1<<flowBits - 1) }

// set asks for a look at a flow at a moment, and not before.
func (t *timers) set(flow uint16, at int64) {
	tree, e := t.tree, entryOf(flow, at)
	i := uint(len(tree)/2) + uint(flow)
	tree[i] = e
	for i > 1 {
		e = min(e, tree[i^1])
		i /= 2
		tree[i] = e
	}
}
