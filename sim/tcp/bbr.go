package tcp

import (
	"math/rand/v2"
	"time"
)

// BBR is the congestion control of Cardwell and others, version 1, as Linux
// has it (net/ipv4/tcp_bbr.c): it sends at the rate at which segments have been
// delivered, and keeps twice that rate's round trip on their way.
type BBR struct {
	// Random picks the phase in which a transfer begins to probe, so that many
	// don't probe together.
	Random *rand.Rand

	mode        bbrMode
	rate        windowMax // segments in 2^24 µs, over ten rounds
	round       int
	roundStart  bool
	roundEnd    int // delivered
	leastRTT    int64
	leastRTTAt  int64
	phase       int
	phaseAt     int64
	full        bool // the line's rate has been found
	fullRate    int64
	fullRounds  int
	probeUntil  int64 // of probing the round trip; 0: not drained yet
	probedRound bool
	pacing      int64 // gain, in 256th
	window      int64 // likewise

	windowBefore int // a recovery or a probe
	recovering   bool
	lossState    bool // a recovery or timeout at the last look
	burst        aggregation
	policer      policer
}

type bbrMode uint8

const (
	bbrStartup bbrMode = iota
	bbrDrain
	bbrProbeRate
	bbrProbeRTT
)

const (
	bbrUnit       = 256
	bbrHighGain   = bbrUnit*2885/1000 + 1
	bbrDrainGain  = bbrUnit * 1000 / 2885
	bbrRateUnit   = 1 << 24
	bbrRounds     = 10
	bbrPhases     = 8
	bbrLeast      = 4 // segments
	bbrRTTLasts   = int64(10 * time.Second)
	bbrProbeLasts = int64(200 * time.Millisecond)
)

var bbrPhaseGain = [bbrPhases]int64{bbrUnit * 5 / 4, bbrUnit * 3 / 4, bbrUnit, bbrUnit, bbrUnit, bbrUnit, bbrUnit, bbrUnit}

// Acked is Congestion's. BBR has control instead.
func (b *BBR) Acked(*Sender, int, int64) {}

// RoundTrip is Congestion's.
func (b *BBR) RoundTrip(s *Sender, rtt, _ int64) { s.best.rtt = rtt }

// Reduce is Congestion's: the window stays, and is remembered.
func (b *BBR) Reduce(s *Sender, _ int64) int {
	b.remember(s)
	return s.Threshold
}

func (b *BBR) remember(s *Sender) {
	if b.lossState || b.mode == bbrProbeRTT {
		b.windowBefore = max(b.windowBefore, s.Window)
	} else {
		b.windowBefore = s.Window
	}
}

// TimedOut is Congestion's.
func (b *BBR) TimedOut(s *Sender) {
	b.lossState = true
	b.fullRate = 0
	b.roundStart = true
	b.policer.look(b, s, &sample{losses: 1})
}

// control sets rate and window after an acknowledgement.
func (b *BBR) control(s *Sender, now int64) {
	r := &s.best
	b.measure(s, r)
	b.burst.look(b, s, r)
	b.nextPhase(s, r)
	b.checkFull(r)
	b.checkDrain(s, now)
	b.checkRTT(s, r, now)
	b.setGains()
	b.setPace(s)
	b.setWindow(s, r)
}

// measure takes the rate that a sample shows.
func (b *BBR) measure(s *Sender, r *sample) {
	b.roundStart = false
	if !r.valid || r.interval <= 0 {
		return
	}
	if r.prior >= b.roundEnd {
		b.roundEnd = s.delivered
		b.round++
		b.roundStart = true
		b.recovering = false
	}
	b.policer.look(b, s, r)
	rate := int64(r.delivered) * bbrRateUnit / r.interval
	if !r.limited || rate >= b.rate.get() {
		b.rate.see(bbrRounds, b.round, rate)
	}
}

// current is the rate to send at.
func (b *BBR) current() int64 {
	if b.policer.found {
		return b.policer.rate
	}
	return b.rate.get()
}

// nextPhase goes on in the cycle of probing for more.
func (b *BBR) nextPhase(s *Sender, r *sample) {
	if b.mode != bbrProbeRate {
		return
	}
	long := s.deliveredAt-b.phaseAt > b.leastRTT
	switch flight := b.flightThen(s, r.flight); {
	case b.pacing > bbrUnit:
		long = long && (r.losses > 0 || flight >= b.inflight(s, b.rate.get(), b.pacing))
	case b.pacing < bbrUnit:
		long = long || flight <= b.inflight(s, b.rate.get(), bbrUnit)
	}
	if long {
		b.phase = (b.phase + 1) % bbrPhases
		b.phaseAt = s.deliveredAt
	}
}

// flightThen is how many segments will be on their way when the next may go.
func (b *BBR) flightThen(s *Sender, flight int) int {
	if b.pacing > bbrUnit {
		flight += b.burstGoal(s)
	}
	ahead := max(0, s.nextAt-s.deliveredAt) / int64(time.Microsecond)
	return max(0, flight-int(b.current()*ahead/bbrRateUnit))
}

// checkFull finds that three rounds brought no quarter more.
func (b *BBR) checkFull(r *sample) {
	if b.full || !b.roundStart || r.limited {
		return
	}
	if b.rate.get() >= b.fullRate*5/4 {
		b.fullRate, b.fullRounds = b.rate.get(), 0
		return
	}
	b.fullRounds++
	b.full = b.fullRounds >= 3
}

// checkDrain empties the queue that the start has made.
func (b *BBR) checkDrain(s *Sender, now int64) {
	if b.mode == bbrStartup && b.full {
		b.mode = bbrDrain
		s.Threshold = b.inflight(s, b.rate.get(), bbrUnit)
	}
	if b.mode == bbrDrain && b.flightThen(s, s.inFlight()) <= b.inflight(s, b.rate.get(), bbrUnit) {
		b.beginPhases(s)
	}
}

func (b *BBR) beginPhases(s *Sender) {
	b.mode = bbrProbeRate
	b.phase = (bbrPhases - b.Random.IntN(bbrPhases-1)) % bbrPhases
	b.phaseAt = s.deliveredAt
}

// checkRTT lets the queue run empty when no round trip was the shortest for
// ten seconds.
func (b *BBR) checkRTT(s *Sender, r *sample, now int64) {
	old := now > b.leastRTTAt+bbrRTTLasts
	if r.rtt > 0 && (b.leastRTT == 0 || r.rtt < b.leastRTT || old) {
		b.leastRTT, b.leastRTTAt = r.rtt, now
	}
	if old && b.mode != bbrProbeRTT {
		b.remember(s)
		b.mode, b.probeUntil = bbrProbeRTT, 0
	}
	if b.mode != bbrProbeRTT {
		return
	}
	s.limited = s.delivered + s.inFlight()
	switch {
	case b.probeUntil == 0:
		if s.inFlight() <= bbrLeast {
			b.probeUntil, b.probedRound, b.roundEnd = now+bbrProbeLasts, false, s.delivered
		}
	default:
		b.probedRound = b.probedRound || b.roundStart
		if b.probedRound && now > b.probeUntil {
			b.leastRTTAt = now
			s.Window = max(s.Window, b.windowBefore)
			b.resume(s)
		}
	}
}

func (b *BBR) resume(s *Sender) {
	if b.full {
		b.beginPhases(s)
	} else {
		b.mode = bbrStartup
	}
}

func (b *BBR) setGains() {
	switch b.mode {
	case bbrStartup:
		b.pacing, b.window = bbrHighGain, bbrHighGain
	case bbrDrain:
		b.pacing, b.window = bbrDrainGain, bbrHighGain
	case bbrProbeRate:
		b.pacing, b.window = bbrPhaseGain[b.phase], 2*bbrUnit
		if b.policer.found {
			b.pacing = bbrUnit
		}
	case bbrProbeRTT:
		b.pacing, b.window = bbrUnit, bbrUnit
	}
}
