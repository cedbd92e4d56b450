package sim

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A distribution is what sorting the delays gives.
func TestSpread(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 400; n++ {
		delays := make([]int64, n)
		var sum int64
		for i := range delays {
			delays[i] = random.Int64N(1 + random.Int64N(300))
			sum += delays[i]
		}
		sorted := slices.Sorted(slices.Values(delays))
		at := func(percent int) time.Duration { return time.Duration(sorted[n*percent/100]) }
		want := Delay{
			Count: n, Median: at(50), P95: at(95), P99: at(99),
			Max: time.Duration(sorted[n-1]), Mean: time.Duration(sum / int64(n)),
		}
		if diff := cmp.Diff(want, spread(delays)); diff != "" {
			t.Fatalf("%d delays (-sorted +found):\n%s", n, diff)
		}
	}
	if got := spread(nil); got != (Delay{}) {
		t.Errorf("no delays give %+v", got)
	}
}
