package tcp

import "time"

// rates measures how fast segments are delivered (Linux's tcp_rate.c). Only
// BBR asks for it.
type rates struct {
	stamps      []stamp // beside window.segments
	deliveredAt int64   // ns: when a segment last arrived
	firstSent   int64   // ns: when the newest segment that arrived was sent
	limited     int     // until so many are delivered, it isn't the network that limits; 0: it is

	best sample // of the acknowledgement at hand
}

// stamp is what was so when a segment was sent.
type stamp struct {
	deliveredAt, firstSent int64
	delivered              int
	limited                bool
}

// sample is what an acknowledgement says of the rate.
type sample struct {
	valid     bool
	priorAt   int64 // ns: deliveredAt when the newest segment it reports was sent
	prior     int   // and what had been delivered
	sending   int64 // ns from the first to the last of the segments in between
	number    uint32
	limited   bool
	delivered int   // segments
	interval  int64 // µs that they took; 0: not known
	acked     int   // segments that this acknowledgement reports
	losses    int   // and that it shows to be lost
	rtt       int64 // ns; 0: not known
	flight    int   // segments on their way before it
}

// stampSent notes what is so when a segment is sent.
func (s *Sender) stampSent(number uint32, now int64) {
	if s.next-s.acknowledged <= 1 && s.retransmittedOut == 0 {
		s.firstSent, s.deliveredAt = now, now
	}
	if len(s.stamps) != len(s.window.segments) {
		s.stamps = s.regrown()
	}
	s.stamps[number&uint32(len(s.stamps)-1)] = stamp{s.deliveredAt, s.firstSent, s.delivered, s.limited > 0}
}

// regrown is room for as many stamps as there are segments.
func (s *Sender) regrown() []stamp {
	larger := make([]stamp, len(s.window.segments))
	if old := len(s.stamps); old > 0 {
		for n := s.acknowledged; n != s.next; n++ {
			larger[n&uint32(len(larger)-1)] = s.stamps[n&uint32(old-1)]
		}
	}
	return larger
}

// stampArrived takes the newest segment that an acknowledgement reports.
func (s *Sender) stampArrived(number uint32, sent int64) {
	b := &s.best
	if b.valid && (sent < s.firstSent || sent == s.firstSent && !before(b.number, number)) {
		return
	}
	then := &s.stamps[number&uint32(len(s.stamps)-1)]
	b.valid, b.number, b.limited = true, number, then.limited
	b.prior, b.priorAt = then.delivered, then.deliveredAt
	s.firstSent = sent
	b.sending = sent - then.firstSent
}

// finish works the sample of an acknowledgement out.
func (s *Sender) finish(now int64) {
	b := &s.best
	if s.limited > 0 && s.delivered > s.limited {
		s.limited = 0
	}
	if b.acked > 0 {
		s.deliveredAt = now
	}
	if !b.valid {
		return
	}
	b.delivered = s.delivered - b.prior
	interval := max(b.sending, now-b.priorAt)
	if interval >= s.leastRTT {
		b.interval = interval / int64(time.Microsecond)
	}
}
