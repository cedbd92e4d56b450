package tcp

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The estimate is at least the newest value, at most the greatest of the
// window, and exact while values only fall or rise.
func TestWindowMax(t *testing.T) {
	const window = 10
	random := rand.New(rand.NewPCG(1, 1))
	var w windowMax
	var values []int64
	exact := 0
	for round := range 10_000 {
		v := random.Int64N(1000)
		values = append(values, v)
		w.see(window, round, v)
		greatest := slices.Max(values[max(0, round-window):])
		if w.get() < v || w.get() > greatest {
			t.Fatalf("round %d: %d, the newest is %d and the greatest of the window %d", round, w.get(), v, greatest)
		}
		if w.get() == greatest {
			exact++
		}
	}
	if exact < 9000 {
		t.Errorf("exact in %d of 10000 rounds only", exact)
	}
}
