package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// The first moment always comes first, of the same ones that of the lowest
// rank, whatever was asked for and taken back since.
func TestTimersComeInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const flows = 100
	all := newTimers(flows)
	if all.next(qdisc.Never) != qdisc.Never {
		t.Error("no flow wants to be looked at")
	}
	want := make([]timer, flows)
	for i := range want {
		want[i] = timer{at: qdisc.Never, flow: uint16(i)}
	}
	now := int64(0)
	set := func(flow uint16, at int64, rank uint32) {
		all.set(flow, at, rank)
		want[flow] = timer{at, rank, flow}
	}
	for step := range uint32(20_000) {
		if step%3 > 0 {
			at := now + random.Int64N(50)
			if random.IntN(5) == 0 {
				at = qdisc.Never
			}
			if flow := uint16(random.IntN(flows)); want[flow].at != at {
				set(flow, at, step)
			}
			continue
		}
		first := slices.MinFunc(want, func(a, b timer) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank))
		})
		if first.at == qdisc.Never {
			continue
		}
		if got := all.next(first.at + 1); got != first.at || all.heap[0] != first {
			t.Fatalf("step %d: the first is %+v at %d, want %+v", step, all.heap[0], got, first)
		}
		now = first.at
		set(first.flow, now+1+random.Int64N(50), step)
		all.settle()
	}
}

// What has moved on is left alone until its moment comes.
func TestTimersAreLazy(t *testing.T) {
	all := newTimers(2)
	all.set(0, 10, 0)
	all.set(1, 20, 0)
	all.set(0, 30, 0)
	if got := all.next(10); got < 10 {
		t.Errorf("something comes at %d", got)
	}
	if all.heap[0].flow != 0 {
		t.Error("the first has been moved before its moment")
	}
	if got := all.next(11); got != 20 || all.heap[0].flow != 1 {
		t.Errorf("%d comes first, at %d; should be 1 at 20", all.heap[0].flow, got)
	}
}
