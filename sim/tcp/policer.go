package tcp

import "time"

// policer finds that a token bucket throws away what exceeds a rate: two
// stretches in a row with a fifth lost and the same rate. BBR then keeps to it
// for a while.
type policer struct {
	found    bool
	rate     int64 // as BBR's
	sampling bool
	rounds   int
	at       int64 // ns
	before   struct{ delivered, lost int }
}

const (
	policerLeast, policerMost = 4, 16 // rounds of a stretch
	policerLasts              = 48    // rounds
	policerLoss               = 50    // 256th of what was delivered
)

func (p *policer) look(b *BBR, s *Sender, r *sample) {
	if p.found {
		if b.mode == bbrProbeRate && b.roundStart {
			if p.rounds++; p.rounds >= policerLasts {
				p.reset(s)
				b.beginPhases(s)
			}
		}
		return
	}
	if !p.sampling {
		if r.losses == 0 {
			return
		}
		p.begin(s)
		p.sampling = true
	}
	if r.limited {
		p.reset(s)
		return
	}
	if b.roundStart {
		p.rounds++
	}
	switch {
	case p.rounds < policerLeast:
	case p.rounds > policerMost:
		p.reset(s)
	case r.losses > 0:
		p.judge(s)
	}
}

// judge ends a stretch if enough was lost in it.
func (p *policer) judge(s *Sender) {
	lost, delivered := s.lostAll-p.before.lost, s.delivered-p.before.delivered
	ms := s.deliveredAt/int64(time.Millisecond) - p.at/int64(time.Millisecond)
	if delivered == 0 || lost<<8 < policerLoss*delivered || ms < 1 {
		return
	}
	rate := int64(delivered) * bbrRateUnit / (ms * 1000)
	if p.rate > 0 {
		off := max(rate-p.rate, p.rate-rate)
		if off*8 <= p.rate || pacingRate(off, bbrUnit) <= 500 {
			p.rate = (p.rate + rate) / 2
			p.found = true
			p.rounds = 0
			return
		}
	}
	p.rate = rate
	p.begin(s)
}

func (p *policer) begin(s *Sender) {
	p.at = s.deliveredAt
	p.before.delivered, p.before.lost = s.delivered, s.lostAll
	p.rounds = 0
}

func (p *policer) reset(s *Sender) {
	*p = policer{}
	p.begin(s)
}
