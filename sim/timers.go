package sim

import "github.com/sqmctl/sqmctl/sim/qdisc"

// timers are the moments at which transfers want to be looked at, in a heap. A
// moment that has moved on since is found out only when it comes: most never
// do, as each acknowledgement moves a timeout on, and a delayed one is mostly
// sent with the next segment.
type timers struct {
	due  []moment // by flow: what it wants
	heap []timer  // of the flows that want something, none after what it wants, the first one first; and behind the last one Never
}

type moment struct {
	at    int64  // ns
	rank  uint32 // of the same moment the lower comes first
	place uint16 // of the flow in the heap; nowhere if it isn't in there
}

const nowhere = 1<<16 - 1

type timer struct {
	at   int64
	rank uint32
	flow uint16
}

func (t *timer) before(o *timer) bool {
	return t.at < o.at || t.at == o.at && int32(t.rank-o.rank) < 0
}

// newTimers are those of so many transfers, none of which is set.
func newTimers(flows int) timers {
	t := timers{due: make([]moment, flows), heap: make([]timer, 1, flows+1)}
	for i := range t.due {
		t.due[i] = moment{at: qdisc.Never, place: nowhere}
	}
	t.heap[0].at = qdisc.Never
	return t
}

// next is the first moment if that is before another one; if not, it is only
// known not to be.
func (t *timers) next(other int64) int64 {
	for t.heap[0].at < other && t.moved() {
		t.settle()
	}
	return t.heap[0].at
}

// moved tells whether the first moment has moved on.
func (t *timers) moved() bool {
	first := &t.heap[0]
	due := &t.due[first.flow]
	return due.at != first.at || due.rank != first.rank
}

// set asks for a look at a flow at a moment, and not before.
func (t *timers) set(flow uint16, at int64, rank uint32) {
	due := &t.due[flow]
	if due.at == at {
		return
	}
	due.at, due.rank = at, rank
	switch place := int(due.place); {
	case place != nowhere && at < t.heap[place].at:
		t.sooner(place, timer{at, rank, flow})
	case place == nowhere && at != qdisc.Never:
		t.heap = append(t.heap, timer{at: qdisc.Never})
		t.sooner(len(t.heap)-2, timer{at, rank, flow})
	}
}

// sooner moves what belongs at i or above to where it belongs.
func (t *timers) sooner(i int, moved timer) {
	for i > 0 {
		up := (i - 1) / 2
		if !moved.before(&t.heap[up]) {
			break
		}
		t.put(i, t.heap[up])
		i = up
	}
	t.put(i, moved)
}

// settle moves the first flow to where its moment belongs.
func (t *timers) settle() {
	flow := t.heap[0].flow
	due := &t.due[flow]
	if due.at != qdisc.Never {
		t.later(timer{due.at, due.rank, flow})
		return
	}
	due.place = nowhere
	last := len(t.heap) - 2
	moved := t.heap[last]
	t.heap[last].at = qdisc.Never
	t.heap = t.heap[:last+1]
	if last > 0 {
		t.later(moved)
	}
}

// later puts one that belongs at the top or below where it belongs. Which of
// two children is the first is left to chance, so it is computed: a branch
// would be foreseen wrong half of the time.
func (t *timers) later(moved timer) {
	i, heap := 0, t.heap
	for down := 1; down+1 < len(heap); down = 2*i + 1 {
		left, right := &heap[down], &heap[down+1]
		second := 0
		if right.at < left.at {
			second = 1
		}
		if right.at == left.at && right.before(left) {
			second = 1
		}
		child := heap[down+second]
		if !child.before(&moved) {
			break
		}
		heap[i] = child
		t.due[child.flow].place = uint16(i)
		i = down + second
	}
	t.put(i, moved)
}

func (t *timers) put(i int, moved timer) {
	t.heap[i] = moved
	t.due[moved.flow].place = uint16(i)
}
