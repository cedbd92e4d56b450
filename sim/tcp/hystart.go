package tcp

import "time"

// Exit decides when a slow start has found the line's rate.
type Exit interface {
	// leave is told of each round trip and the least of all; true ends it.
	leave(s *Sender, rtt, minimum, now int64) bool
	// divisor is how many acknowledged segments the window grows by one for.
	divisor() int
	reset()
}

// HyStart is Linux's (Ha and Rhee, 2008): slow start ends when a train of
// acknowledgements is half a round trip long, or when round trips grow.
type HyStart struct {
	end     uint32 // the round ends when this segment is acknowledged
	began   int64
	last    int64 // the train's last acknowledgement
	samples int
	current int64 // the least round trip of this round's first
	started bool
}

const (
	hystartWindow   = 16 // segments: no exit below
	hystartSamples  = 8
	hystartTrainGap = int64(2 * time.Millisecond)
	hystartLeast    = int64(4 * time.Millisecond)
	hystartMost     = int64(16 * time.Millisecond)
)

func (h *HyStart) leave(s *Sender, rtt, minimum, now int64) bool {
	if s.Window < hystartWindow {
		return false
	}
	if !h.started || before(h.end, s.acknowledged) {
		*h = HyStart{started: true, end: s.next, began: now, last: now, current: rtt}
	}
	if now-h.last <= hystartTrainGap {
		h.last = now
		if now-h.began > minimum/2 {
			return true
		}
	}
	h.current = min(h.current, rtt)
	if h.samples < hystartSamples {
		h.samples++
		return false
	}
	return h.current > minimum+min(max(minimum/8, hystartLeast), hystartMost)
}

func (h *HyStart) divisor() int { return 1 }

func (h *HyStart) reset() { *h = HyStart{} }
