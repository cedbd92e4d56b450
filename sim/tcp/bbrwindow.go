package tcp

import "time"

// setPace sends a hundredth slower than the rate.
func (b *BBR) setPace(s *Sender) {
	rate := pacingRate(b.current(), b.pacing)
	if s.perSegment == 0 {
		rate = pacingRate(int64(s.Window)*bbrRateUnit*int64(time.Microsecond)/max(s.smoothed, int64(time.Microsecond)), bbrHighGain)
		s.setRate(rate)
	} else if b.full || rate > b.bytes(s) {
		s.setRate(rate)
	}
}

// bytes is the rate of pacing in bytes a second.
func (b *BBR) bytes(s *Sender) int64 {
	if s.perSegment == 0 {
		return 0
	}
	return Payload * int64(time.Second) / s.perSegment
}

// pacingRate is a hundredth less than a rate, in bytes of payload a second.
func pacingRate(rate, gain int64) int64 {
	return rate * Payload * gain / bbrUnit * (1000 * 990) / bbrRateUnit
}

// burstGoal is how many segments Linux would send at once: a millisecond's.
func (b *BBR) burstGoal(s *Sender) int {
	bytes := b.bytes(s)
	least := int64(2)
	if bytes < 1_200_000/8 {
		least = 1
	}
	return int(min(max(bytes>>10/Payload, least), 127))
}

// product is rate times round trip, with a gain, in segments.
func (b *BBR) product(rate, gain int64) int {
	if b.leastRTT == 0 {
		return InitialWindow
	}
	w := rate * (b.leastRTT / int64(time.Microsecond))
	return int((w/bbrUnit*gain + bbrRateUnit - 1) / bbrRateUnit)
}

// inflight is the product, and what bursts and delayed acknowledgements need.
func (b *BBR) inflight(s *Sender, rate, gain int64) int { return b.budget(s, b.product(rate, gain)) }

func (b *BBR) budget(s *Sender, n int) int {
	n += 3 * b.burstGoal(s)
	n = (n + 1) &^ 1
	if b.mode == bbrProbeRate && b.phase == 0 {
		n += 2
	}
	return n
}

func (b *BBR) setWindow(s *Sender, r *sample) {
	if r.acked > 0 && !b.recover(s, r) {
		rate := b.current()
		target := b.product(rate, b.window)
		if b.full {
			most := int(rate * 100_000 / bbrRateUnit) // what comes in 100 ms
			target += min(b.burst.most(), most)
		}
		target = b.budget(s, target)
		if b.full {
			s.Window = min(s.Window+r.acked, target)
		} else if s.Window < target || s.delivered < InitialWindow {
			s.Window += r.acked
		}
		s.Window = max(s.Window, bbrLeast)
	}
	if b.mode == bbrProbeRTT {
		s.Window = min(s.Window, bbrLeast)
	}
}

// recover keeps in a recovery's first round as much on its way as arrives. It
// tells whether that has set the window.
func (b *BBR) recover(s *Sender, r *sample) bool {
	if r.losses > 0 {
		s.Window = max(s.Window-r.losses, 1)
	}
	inLoss := s.state >= recovers
	switch {
	case s.state == recovers && !b.lossState:
		b.recovering = true
		b.roundEnd = s.delivered
		s.Window = s.inFlight() + r.acked
	case b.lossState && !inLoss:
		s.Window = max(s.Window, b.windowBefore)
		b.recovering = false
	}
	b.lossState = inLoss
	if b.recovering {
		s.Window = max(s.Window, s.inFlight()+r.acked)
	}
	return b.recovering
}

// aggregation is how many more segments than expected are acknowledged at
// once, over five to ten rounds.
type aggregation struct {
	begin  int64 // ns
	acked  int
	extra  [2]int
	which  int
	rounds int
}

func (a *aggregation) most() int { return max(a.extra[0], a.extra[1]) }

func (a *aggregation) look(b *BBR, s *Sender, r *sample) {
	if r.acked <= 0 || !r.valid || r.interval <= 0 {
		return
	}
	if b.roundStart {
		if a.rounds++; a.rounds >= 5 {
			a.rounds = 0
			a.which ^= 1
			a.extra[a.which] = 0
		}
	}
	expected := int(b.current() * ((s.deliveredAt - a.begin) / int64(time.Microsecond)) / bbrRateUnit)
	if a.acked <= expected || a.acked+r.acked >= 1<<20 {
		a.acked, a.begin, expected = 0, s.deliveredAt, 0
	}
	a.acked += r.acked
	a.extra[a.which] = max(a.extra[a.which], min(a.acked-expected, s.Window))
}
