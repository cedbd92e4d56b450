package sim

import "github.com/sqmctl/sqmctl/sim/qdisc"

// timers are the moments at which transfers want to be looked at, each one's
// earliest, in a heap. A moment that has moved away since is found out only
// when it comes: most never do, as each acknowledgement moves a timeout on.
type timers struct {
	at    []int64  // by flow
	heap  []uint16 // flows, the earliest first
	place []uint16 // by flow: where in the heap
}

func (t *timers) add(at int64) {
	flow := uint16(len(t.at))
	t.at = append(t.at, qdisc.Never)
	t.place = append(t.place, uint16(len(t.heap)))
	t.heap = append(t.heap, flow)
	t.by(flow, at)
}

// next is the earliest moment; Never without flows.
func (t *timers) next() int64 {
	if len(t.heap) == 0 {
		return qdisc.Never
	}
	return t.at[t.heap[0]]
}

// by asks for a look at a flow by a moment.
func (t *timers) by(flow uint16, at int64) {
	if at >= t.at[flow] {
		return
	}
	t.at[flow] = at
	i := int(t.place[flow])
	for i > 0 {
		up := (i - 1) / 2
		if t.at[t.heap[up]] <= at {
			break
		}
		t.put(i, t.heap[up])
		i = up
	}
	t.put(i, flow)
}

// later moves the first flow's moment on.
func (t *timers) later(at int64) {
	flow := t.heap[0]
	t.at[flow] = at
	i := 0
	for {
		down := 2*i + 1
		if down >= len(t.heap) {
			break
		}
		if down+1 < len(t.heap) && t.at[t.heap[down+1]] < t.at[t.heap[down]] {
			down++
		}
		if t.at[t.heap[down]] >= at {
			break
		}
		t.put(i, t.heap[down])
		i = down
	}
	t.put(i, flow)
}

func (t *timers) put(i int, flow uint16) {
	t.heap[i] = flow
	t.place[flow] = uint16(i)
}
