package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// What was added last doesn't have to come last.
func TestDelayedAcksComeInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all delayedAcks
	if all.next() != qdisc.Never {
		t.Error("nothing waits")
	}
	var want []int64
	for step := range 10_000 {
		if len(want) > 0 && random.IntN(2) == 0 {
			first := slices.Min(want)
			if all.next() != first {
				t.Fatalf("step %d: the next is %d, want %d", step, all.next(), first)
			}
			if flow := all.pop(); int64(flow) != first%1000 {
				t.Fatalf("step %d: %d is of flow %d", step, first, flow)
			}
			want = slices.Delete(want, slices.Index(want, first), slices.Index(want, first)+1)
			continue
		}
		at := int64(step) + random.Int64N(50)
		all.add(at, uint16(at%1000))
		want = append(want, at)
	}
}
