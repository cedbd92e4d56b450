package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// The earliest moment always comes first, whatever was asked for.
func TestTimersComeInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all timers
	if all.next() != qdisc.Never {
		t.Error("no flow wants to be looked at")
	}
	want := make([]int64, 100)
	for i := range want {
		want[i] = random.Int64N(1000)
		all.add(want[i])
	}
	for step := range 10_000 {
		if got := all.next(); got != slices.Min(want) {
			t.Fatalf("step %d: the next is %d, want %d", step, got, slices.Min(want))
		}
		if step%2 == 0 {
			flow, at := random.IntN(len(want)), random.Int64N(2000)
			all.by(uint16(flow), at)
			want[flow] = min(want[flow], at)
			continue
		}
		at := all.next() + random.Int64N(1000)
		want[all.heap[0]] = at
		all.later(at)
	}
}
