package main

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// Each technology has an assumption of its own; only a line that nobody knows
// gets the last one.
func TestEveryTypeHasAnAssumption(t *testing.T) {
	used := map[string]bool{}
	for _, name := range linklayer.AccessNames() {
		a, _ := linklayer.AccessByName(name)
		as := assumptionFor(a)
		used[as.prefix] = true
		if unknown := name == "conservative" || name == "raw"; unknown != (as.prefix == "") {
			t.Errorf("%s: assumption for %q", name, as.prefix)
		}
		if as.up <= 0 || as.down < as.up || as.why == "" || as.rtt <= 0 || as.wobble < 0 || as.wobble >= 100 {
			t.Errorf("%s: %+v", name, as)
		}
	}
	if len(used) != len(assumptions) {
		t.Errorf("%d of %d assumptions are for a type", len(used), len(assumptions))
	}
}

// A fast line's queue grows with its rate.
func TestAssumedBuffer(t *testing.T) {
	a, _ := linklayer.AccessByName("gpon")
	as := assumptionFor(a)
	for _, tt := range []struct {
		direction linklayer.Direction
		rate      linklayer.Rate
		want      int
	}{
		{linklayer.Egress, 20 * linklayer.Mbit, 512 << 10},
		{linklayer.Ingress, 100 * linklayer.Mbit, 1 << 20},
		{linklayer.Ingress, linklayer.Gbit, 6_250_000 >> 10 << 10},
	} {
		got := as.buffer(tt.direction, tt.rate)
		if got != tt.want {
			t.Errorf("%s at %s: %d bytes, should be %d", tt.direction, tt.rate, got, tt.want)
		}
		if drained := tt.rate.Time(got); drained < leastQueue-time.Millisecond {
			t.Errorf("%s at %s: drains in %v", tt.direction, tt.rate, drained)
		}
	}
}
