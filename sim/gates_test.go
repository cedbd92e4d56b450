package sim

import (
	"math"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// One CUBIC transfer through a single CoDel at 20 Mbit/s and a round trip of
// 160 ms got 16.86 Mbit/s from 1.88 s to 120 s in the CoDel run of heistp's
// l4s-tests: CoDel's target is far below what so long a path needs.
func TestCoDelOnLongPath(t *testing.T) {
	s := Scenario{Delay: 80 * time.Millisecond, Warmup: 1880 * time.Millisecond, Duration: 120 * time.Second, Seed: 1}
	s.Ways[linklayer.Egress] = Way{
		Line:   Line{Rate: linklayer.Gbit, Buffer: 10 << 20},
		Router: Router{Qdisc: CoDel, Shaper: 20 * linklayer.Mbit},
		Load:   Load{Flows: 1},
	}
	const want = 16.86
	got := upload(t, s).Goodput / 1e6
	t.Logf("%.2f Mbit/s, should be %.2f", got, want)
	if math.Abs(got/want-1) > 0.03 {
		t.Errorf("%.2f Mbit/s, should be %.2f", got, want)
	}
}
