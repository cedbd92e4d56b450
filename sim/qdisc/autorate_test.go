package qdisc

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// Whatever it begins with, the rate comes to 15/16 of what arrives: packets in
// pairs here, for a peak has to end with a longer gap.
func TestAutorate(t *testing.T) {
	for _, begin := range []linklayer.Rate{5 * linklayer.Mbit, 500 * linklayer.Mbit} {
		q := NewCake(plan.Cake{Rate: begin, Autorate: true}, 1)
		now := int64(0)
		for n := range 20_000 {
			now += []int64{200_000, 400_000}[n%2]
			q.Enqueue(Packet{Size: 1500, Flow: uint16(n & 3)}, now)
			for q.Ready() <= now {
				q.Dequeue(now)
			}
		}
		arriving := 1500 * 8 * 1e9 / 300_000.0
		got, want := float64(q.rate*8), arriving*15/16
		if got < want*0.97 || got > want*1.03 {
			t.Errorf("from %v: %.0f bit/s, want %.0f", begin, got, want)
		}
	}
}
