package main

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim"
)

// A run is long enough for a queue to fill and for CUBIC to fill a long path,
// and short enough to end.
func TestPreviewTime(t *testing.T) {
	for _, tt := range []struct {
		name             string
		rate             linklayer.Rate
		buffer           int
		rtt              time.Duration
		warmup, duration time.Duration
		cut              bool
	}{
		{"usual", 20 * linklayer.Mbit, 512 << 10, 24 * time.Millisecond, 10 * time.Second, 30 * time.Second, false},
		{"slow", 500 * linklayer.Kbit, 125_000, 24 * time.Millisecond, 20 * time.Second, 60 * time.Second, false},
		{"long", 500 * linklayer.Mbit, 1 << 20, 600 * time.Millisecond, 30 * time.Second, 50 * time.Second, false},
		{"fast", 100 * linklayer.Gbit, 1 << 20, 24 * time.Millisecond, 800 * time.Millisecond, 2400 * time.Millisecond, true},
		{"endless", 8 * linklayer.Kbit, 1 << 30, time.Second, 15 * time.Minute, time.Hour, false},
	} {
		l := previewLine{rtt: tt.rtt, flows: 4}
		l.lines[linklayer.Egress] = sim.Line{Rate: tt.rate, Buffer: tt.buffer}
		l.takeTime()
		if l.warmup != tt.warmup || l.duration != tt.duration || l.cut != tt.cut {
			t.Errorf("%s: %v of %v, cut %v; should be %v of %v, %v", tt.name, l.warmup, l.duration, l.cut, tt.warmup, tt.duration, tt.cut)
		}
	}
}
