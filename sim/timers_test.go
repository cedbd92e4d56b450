package sim

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// The first moment always comes first, of the same ones that of the last flow,
// whatever was asked for and taken back since.
func TestTimersComeInOrder(t *testing.T) {
	for _, flows := range []int{1, 2, 3, 100, 512, 2 * mostFlows} {
		t.Run(fmt.Sprint(flows), func(t *testing.T) { inOrder(t, flows) })
	}
}

func inOrder(t *testing.T, flows int) {
	type timer struct {
		at   int64
		flow uint16
	}
	random := rand.New(rand.NewPCG(1, 2))
	all := newTimers(flows)
	if all.next() < int64(mostDuration) {
		t.Error("no flow wants to be looked at")
	}
	want := make([]timer, flows)
	for i := range want {
		want[i] = timer{qdisc.Never, uint16(i)}
	}
	now := int64(0)
	for step := range 3000 {
		if step%3 > 0 {
			at := now + random.Int64N(50)
			if random.IntN(5) == 0 {
				at = qdisc.Never
			}
			flow := random.IntN(flows)
			all.set(uint16(flow), at)
			want[flow].at = at
			continue
		}
		first := slices.MinFunc(want, func(a, b timer) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.flow, a.flow))
		})
		if first.at == qdisc.Never {
			continue
		}
		if got := (timer{all.next(), all.first()}); got != first {
			t.Fatalf("step %d: the first is %+v, want %+v", step, got, first)
		}
		now = first.at
		want[first.flow].at = now + 1 + random.Int64N(50)
		all.set(first.flow, want[first.flow].at)
	}
}
