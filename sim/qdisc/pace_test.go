package qdisc

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
)

// A pace is as good as a division, for any rate that a line has.
func TestPace(t *testing.T) {
	for _, rate := range []linklayer.Rate{64 * linklayer.Kbit, linklayer.Mbit, 7*linklayer.Mbit + 3, 100 * linklayer.Mbit, linklayer.Gbit, 10 * linklayer.Gbit} {
		for _, bytes := range []int{0, 1, 66, 1514, 65535} {
			want := int64(bytes) * 1e9 / int64(rate.BytesPerSecond())
			for name, p := range map[string]pace{"sched": schedPace(rate.BytesPerSecond()), "cake": cakePace(rate.BytesPerSecond())} {
				if got := p.time(bytes); got > want+1 || got < want-1-want/1e6 {
					t.Errorf("%s: %d bytes at %v take %d ns, want %d", name, bytes, rate, got, want)
				}
			}
		}
	}
	if got := schedPace(0).time(1514) + cakePace(0).time(1514); got != 0 {
		t.Errorf("without a rate, bytes take %d ns", got)
	}
	// CAKE never goes below 64 bytes/s, so that no rate wedges it.
	if got := cakePace(1).time(64); got > 1e9 || got < 1e9-10 {
		t.Errorf("64 bytes at the least rate of CAKE take %d ns", got)
	}
}
