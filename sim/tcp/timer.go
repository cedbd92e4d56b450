package tcp

import (
	"time"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// timer is the retransmission timer (RFC 6298, with Linux's bounds), the tail
// loss probe (RFC 8985, section 7) and the wait for what may be reordered.
type timer struct {
	smoothed, deviation int64 // ns
	leastRTT            int64 // ns
	deadline            int64
	backoff             int32
	wait                wait // what the deadline is for
	probed              bool // a probe is out
	restart             bool // the oldest segment was sent again, so the time begins anew
}

type wait uint8

const (
	forTimeout wait = iota
	forProbe
	forReordered
)

const (
	leastTimeout   = int64(200 * time.Millisecond) // Linux's TCP_RTO_MIN
	mostTimeout    = int64(120 * time.Second)
	initialTimeout = int64(time.Second)
)

func (t *timer) measure(rtt int64) {
	if t.smoothed == 0 {
		t.smoothed, t.deviation, t.leastRTT = rtt, rtt/2, rtt
		return
	}
	t.leastRTT = min(t.leastRTT, rtt)
	off := rtt - t.smoothed
	t.smoothed += off / 8
	if off < 0 {
		off = -off
	}
	t.deviation += (off - t.deviation) / 4
}

func (t *timer) timeout() int64 {
	if t.smoothed == 0 {
		return initialTimeout << min(t.backoff, 7)
	}
	return min((t.smoothed+max(leastTimeout, 4*t.deviation))<<min(t.backoff, 10), mostTimeout)
}

// Deadline is when Late has something to do; Never if it hasn't.
func (s *Sender) Deadline() int64 { return min(s.deadline, s.waiting) }

// arm sets the timer anew.
func (s *Sender) arm(now int64) {
	s.restart = false
	if s.next == s.acknowledged {
		s.deadline = qdisc.Never
		return
	}
	s.wait, s.deadline = forTimeout, now+s.timeout()
	switch {
	case s.sackedOut > 0 && s.reorder < s.deadline:
		s.wait, s.deadline = forReordered, s.reorder
	case s.state == open && s.sackedOut == 0 && !s.probed && s.smoothed > 0:
		s.wait, s.deadline = forProbe, min(s.deadline, now+s.probeAfter())
	}
}

func (s *Sender) probeAfter() int64 {
	after := 2 * s.smoothed
	if s.next-s.acknowledged == 1 {
		return after + leastTimeout
	}
	return after + int64(2*time.Millisecond)
}

// Late does what is due by now.
func (s *Sender) Late(now int64) {
	if s.waiting <= now {
		s.continuePaced(now)
	}
	if now < s.deadline {
		return
	}
	switch s.wait {
	case forProbe:
		s.probe(now)
	case forReordered:
		s.reordered(now)
	default:
		s.timedOut(now)
	}
	s.arm(now)
}

// probe sends a new segment beyond the window, so that an acknowledgement
// tells of a loss at its end.
func (s *Sender) probe(now int64) {
	s.probed = true
	s.sendNew(now)
}
