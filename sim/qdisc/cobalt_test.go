package qdisc

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/plan"
)

// A queue that was never late drops at the second late packet, as the kernel
// does, and then keeps to the law: 71, 58, 50 ms.
func TestCobaltLaw(t *testing.T) {
	drops := standing(NewCake(plan.Cake{Diffserv: plan.Besteffort}, 1), 200, 600, NotECT)
	if drops[0] < 6 || drops[0] > 8 {
		t.Errorf("drops at %v ms", drops)
	}
	if diff := cmp.Diff([]int{70, 58, 50, 45, 40}, gaps(drops)[:5]); diff != "" {
		t.Error(diff)
	}
}

func TestCobaltRoots(t *testing.T) {
	c := cobalt{}
	check := func() {
		t.Helper()
		want := (1 << 32) / math.Sqrt(float64(max(1, c.count)))
		// A step from n−1 leaves 3/2 of the square of 1/2n: 0.15 % at 16, and what
		// was left before.
		if off := math.Abs(float64(c.inverseRoot)/want - 1); off > 0.002 {
			t.Errorf("1/√%d is off by %.2f %%", c.count, 100*off)
		}
	}
	for n := range uint32(2000) {
		c.setCount(n)
		check()
	}
	for c.count > 0 {
		c.setCount(c.count - 1)
		check()
	}
}

// The state decays while nothing is late, and then is at rest.
func TestCobaltDecay(t *testing.T) {
	o := cobaltParameters{target: 5e6, interval: 100e6}
	c := cobalt{}
	c.setCount(10)
	r := newRandom(1)
	last := uint32(10)
	for now := int64(0); now < 2e9; now += 10e6 {
		c.drop(&Packet{Enqueued: now}, now, 0, &o, &r)
		if c.count > last {
			t.Fatalf("the count rises to %d", c.count)
		}
		last = c.count
	}
	if c.count != 0 || !c.atRest(3e9) || c.atRest(2e9-1e6) {
		t.Errorf("%+v", c)
	}
}

// BLUE's probability rises at most once a target while packets don't fit, and
// drops what heeds no mark.
func TestBlue(t *testing.T) {
	o := cobaltParameters{target: 5e6, interval: 100e6}
	c := cobalt{}
	for now := int64(10e6); now < 110e6; now += 1e6 {
		c.full(now, &o)
	}
	if c.blue != 17*blueUp {
		t.Errorf("17 times a target: %d", c.blue/blueUp)
	}
	r := newRandom(1)
	drops := 0
	for range 100_000 {
		before := c
		if drop, _ := c.drop(&Packet{Enqueued: 110e6, ECN: ECT}, 110e6, 0, &o, &r); drop {
			drops++
		}
		c = before
	}
	if want := 100_000 * 17 / 256; math.Abs(float64(drops-want)) > 300 {
		t.Errorf("%d drops of 100000, want %d", drops, want)
	}
	for now := int64(200e6); c.blue > 0; now += 6e6 {
		c.empty(now, &o)
		if now > 200e6+6e6*17*16 {
			t.Fatal("BLUE's probability doesn't fall to 0")
		}
	}
}
