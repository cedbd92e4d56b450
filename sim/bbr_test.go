package sim

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// One BBR transfer keeps less than a bandwidth-delay product in the queue,
// whatever its size, and lets it run empty each ten seconds.
func TestBBR(t *testing.T) {
	s := Scenario{Delay: 12 * time.Millisecond, Duration: 65 * time.Second, Warmup: 5 * time.Second, Seed: 1}
	way := &s.Ways[linklayer.Egress]
	way.Line = Line{Rate: 20 * linklayer.Mbit, Buffer: 512 << 10, Encapsulation: linklayer.Encapsulation{Overhead: 38}}
	way.Load = Load{Flows: 1, Congestion: BBR, Call: true}
	n := newNetwork(&s)
	var small int // looks at a window of no more than four segments
	s.Progress = func(time.Duration) {
		if n.bulk[0].sender.Window <= 4 {
			small++
		}
	}
	n.run()
	r := n.result().Ways[linklayer.Egress]
	product := 2 * s.Delay
	if r.Modem.Mean > product || r.Modem.Max > product+3*way.Line.Rate.Time(1538) || r.Modem.Mean == 0 {
		t.Errorf("the queue has %v on average and %v at most, a product of rate and round trip is %v", r.Modem.Mean, r.Modem.Max, product)
	}
	if r.Goodput < .95*18.74e6 {
		t.Errorf("goodput %.2f Mbit/s of 18.74", r.Goodput/1e6)
	}
	// 200 ms and a round trip each, looked at every 100 ms.
	if small < 6*2 || small > 6*4 {
		t.Errorf("the window was at its least in %d of 650 looks, should be in some 14", small)
	}
}
