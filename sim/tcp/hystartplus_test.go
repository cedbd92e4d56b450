package tcp

import (
	"testing"
	"time"
)

// rounds feeds an exit with a round of samples for each round trip, and gives
// the round in which it left, -1 for never.
func rounds(h Exit, s *Sender, trips ...time.Duration) int {
	now := int64(0)
	for i, trip := range trips {
		s.acknowledged = s.next
		s.next += 100
		for range 20 {
			now += int64(trip) / 20
			if h.leave(s, int64(trip), int64(20*time.Millisecond), now) {
				return i
			}
		}
	}
	return -1
}

const ms = time.Millisecond

func TestHyStartPlus(t *testing.T) {
	tests := []struct {
		name  string
		trips []time.Duration
		left  int
		slow  int // the divisor at the end
	}{
		{"steady", []time.Duration{20 * ms, 20 * ms, 20 * ms, 20 * ms}, -1, 1},
		{"a little more", []time.Duration{20 * ms, 23 * ms, 26 * ms, 29 * ms}, -1, 1},
		{"doubt", []time.Duration{20 * ms, 25 * ms}, -1, conservativeDivisor},
		{"doubt that passes", []time.Duration{20 * ms, 25 * ms, 24 * ms}, -1, 1},
		{"doubt for five rounds", []time.Duration{20 * ms, 25 * ms, 30 * ms, 35 * ms, 40 * ms, 45 * ms, 50 * ms}, 6, conservativeDivisor},
	}
	for _, test := range tests {
		h := &HyStartPlus{}
		s := NewSender(0, Reno{}, false, nil)
		s.Window = 100
		want(t, test.name+": left in round", rounds(h, s, test.trips...), test.left)
		want(t, test.name+": divisor", h.divisor(), test.slow)
	}
}

// In doubt the window grows by one for four acknowledged.
func TestConservativeSlowStart(t *testing.T) {
	h := &HyStartPlus{baseline: 1}
	c := &Cubic{Exit: h}
	s := NewSender(0, c, false, nil)
	s.Window = 100
	c.Acked(s, 40, 0)
	want(t, "window", s.Window, 110)
	h.reset()
	c.Acked(s, 40, 0)
	want(t, "window without doubt", s.Window, 150)
}

func TestHyStartNeedsAWindow(t *testing.T) {
	s := NewSender(0, Reno{}, false, nil)
	want(t, "left with 10 segments", rounds(&HyStart{}, s, 20*ms, 60*ms, 90*ms), -1)
	s.Window = 100
	if rounds(&HyStart{}, s, 20*ms, 60*ms, 90*ms) < 0 {
		t.Error("didn't leave although the round trip has tripled")
	}
}
