package sim

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// searchLine is a line of 20 Mbit/s with an upload through CAKE, which charges
// overhead bytes for each packet where the line charges 38.
func searchLine(overhead int) Scenario {
	s := Scenario{Delay: 12 * time.Millisecond, Duration: 20 * time.Second, Warmup: 8 * time.Second, Seed: 1}
	s.Ways[linklayer.Egress] = Way{
		Line: Line{Rate: 20 * linklayer.Mbit, Buffer: 512 << 10, Encapsulation: linklayer.Encapsulation{Overhead: 38, MPU: 84}, Burst: 1600},
		Router: Router{Qdisc: Cake, Cake: plan.Cake{
			Rate: 22 * linklayer.Mbit, Diffserv: plan.Besteffort, Isolation: plan.TripleIsolate, SplitGSO: true,
			RTT: 100 * time.Millisecond, Target: 5 * time.Millisecond,
			Encapsulation: linklayer.Encapsulation{Overhead: overhead, MPU: 84},
		}},
		Load: Load{Flows: 4, Call: true},
	}
	return s
}

// What the shaper counts too little it has to be slower, by as much: 1500
// bytes of IP are 1538 on the line, and 1514 for a shaper that counts 14.
func TestHighestShaper(t *testing.T) {
	for _, tt := range []struct {
		overhead  int
		low, high linklayer.Rate
	}{
		{38, 19_700_000, 20_200_000},
		{14, 19_300_000, 19_900_000},
	} {
		s := searchLine(tt.overhead)
		rate, err := HighestShaper(s, linklayer.Egress)
		if err != nil {
			t.Fatal(err)
		}
		if rate < tt.low || rate > tt.high {
			t.Errorf("overhead %d: %s, should be from %s to %s", tt.overhead, rate, tt.low, tt.high)
		}
		if got := s.Ways[linklayer.Egress].Router.Cake.Rate; got != 22*linklayer.Mbit {
			t.Errorf("the scenario's own shaper was changed to %s", got)
		}
		for _, other := range []struct {
			rate linklayer.Rate
			want bool
		}{{rate, true}, {rate + rate/20, false}} {
			if got, err := managedAt(s, linklayer.Egress, other.rate); got != other.want || err != nil {
				t.Errorf("overhead %d at %s: in the router %v, %v", tt.overhead, other.rate, got, err)
			}
		}
	}
}
