package tcp

import (
	"slices"
	"time"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// scoreboard is what a sender knows of the segments on their way.
type scoreboard struct {
	sackedOut, lostOut, retransmittedOut int32 // segments that are so

	highest   uint32 // no segment from here on is sacked
	judged    uint32 // all before it have been judged by gaps
	toResend  uint32 // no lost segment before it waits
	delivered int    // segments, from the start
	lostAll   int    // likewise, those taken for lost
	newest    int64  // the latest moment at which a segment that arrived was sent
	newestRTT int64  // and how long that took
	reorder   int64  // when a gap is a loss even with few segments beyond it
}

// losses are the segments on their way that were taken for lost.
type losses struct {
	resent  []uint32 // numbers of retransmissions, in order of time
	missing []uint32 // of those judged, the ones that were taken for lost and haven't arrived; in order
	checked int      // so many of resent have arrived or are lost again
}

// duplicates is how many segments beyond a gap make it a loss at once.
const duplicates = 3

// sackSpan are the moments at which the segments that one acknowledgement
// reports beyond a gap were sent; zero without a fresh one.
type sackSpan struct{ first, last int64 }

// mark notes the segments [lo, hi) as arrived.
func (s *Sender) mark(lo, hi uint32, span *sackSpan, now int64) {
	lo = higher(lo, s.acknowledged)
	if !before(lo, hi) {
		return
	}
	if n := len(s.missing); n > 0 && !before(s.missing[n-1], lo) {
		from, _ := slices.BinarySearchFunc(s.missing, lo, order)
		to := from
		for ; to < n && before(s.missing[to], hi); to++ {
			s.sack(s.missing[to], span, now)
		}
		s.missing = slices.Delete(s.missing, from, to)
	}
	for n := higher(lo, s.judged); before(n, hi); n++ {
		if *s.window.at(n)&sacked == 0 {
			s.sack(n, span, now)
		}
	}
	s.highest = higher(s.highest, hi)
}

// order compares numbers for package slices.
func order(a, b uint32) int { return int(int32(a - b)) }

func (s *Sender) sack(number uint32, span *sackSpan, now int64) {
	seg := s.window.at(number)
	if *seg&lost != 0 {
		s.lostOut--
	}
	if *seg&retransmitted != 0 {
		s.retransmittedOut--
	}
	if *seg&everRetransmitted == 0 {
		if span.last == 0 {
			span.first = seg.sent()
		}
		span.last = seg.sent()
	}
	*seg = *seg&^anyState | *seg&everRetransmitted | sacked
	s.sackedOut++
	s.delivered++
	s.arrived(number, now)
}

// arrived notes when something that arrived was sent.
func (s *Sender) arrived(number uint32, now int64) {
	sent := s.window.at(number).sent()
	if sent >= s.newest {
		s.newest, s.newestRTT = sent, now-sent
	}
	if s.bbr != nil {
		s.stampArrived(number, sent)
	}
}

// detectLoss takes for lost what was sent before something that has arrived
// (RACK, RFC 8985). Nothing has overtaken anything yet, so with three segments
// beyond a gap, or in a recovery, it waits no longer.
func (s *Sender) detectLoss(now int64) {
	s.judged = higher(s.judged, s.acknowledged)
	s.reorder = qdisc.Never
	if s.sackedOut >= duplicates || s.state >= recovers {
		s.judge(s.highest)
	} else if s.sackedOut > 0 {
		s.suspect(now)
	}
	s.detectLostAgain()
}

// judge takes for lost what hasn't arrived before a number.
func (s *Sender) judge(end uint32) {
	for ; before(s.judged, end); s.judged++ {
		if seg := s.window.at(s.judged); *seg&anyState == 0 {
			s.lose(seg)
			s.missing = append(s.missing, s.judged)
			s.toResend = lower(s.toResend, s.judged)
		}
	}
}

func (s *Sender) lose(seg *segment) {
	*seg |= lost
	s.lostOut++
	s.lostAll++
}

// timerSlack is by how much Linux's timers are late at least: two ticks of
// 250 Hz.
const timerSlack = int64(8 * time.Millisecond)

// suspect judges what would have arrived by now even out of order by a quarter
// of a round trip, and sets the time for the rest.
func (s *Sender) suspect(now int64) {
	patience := s.newestRTT + min(s.leastRTT/4, s.smoothed)
	for n := s.judged; before(n, s.highest); n++ {
		seg := s.window.at(n)
		if *seg&sacked != 0 {
			continue
		}
		if wait := seg.sent() + patience - now; wait > 0 {
			s.reorder = now + wait + timerSlack
			return
		}
		s.judge(n + 1)
	}
}

// detectLostAgain finds retransmissions that something sent later has passed.
func (s *Sender) detectLostAgain() {
	for ; s.checked < len(s.resent); s.checked++ {
		number := s.resent[s.checked]
		seg := s.window.at(number)
		if !before(number, s.acknowledged) && *seg&retransmitted != 0 {
			if seg.sent() >= s.newest {
				return
			}
			*seg &^= retransmitted
			s.retransmittedOut--
			s.lostAll++
			s.toResend = lower(s.toResend, number)
		}
	}
	s.resent, s.checked = s.resent[:0], 0
}

// forget takes the segments before end off the counts. It gives how many had
// been delivered before.
func (s *Sender) forget(end uint32, now int64) (known int) {
	for n := s.acknowledged; n != end; n++ {
		seg := s.window.at(n)
		if *seg&sacked != 0 {
			s.sackedOut--
			known++
		}
		if *seg&lost != 0 {
			s.lostOut--
		}
		if *seg&retransmitted != 0 {
			s.retransmittedOut--
		}
		if *seg&sacked == 0 {
			s.arrived(n, now)
		}
	}
	passed := 0
	for passed < len(s.missing) && before(s.missing[passed], end) {
		passed++
	}
	if passed > 0 {
		s.missing = s.missing[:copy(s.missing, s.missing[passed:])]
	}
	return known
}

// loseAll takes for lost all that hasn't arrived, but for what was sent within
// a round trip.
func (s *Sender) loseAll(now int64) {
	s.missing = s.missing[:0]
	s.resent, s.checked = s.resent[:0], 0
	s.judged = s.acknowledged
	for n := s.acknowledged; n != s.next; n++ {
		seg := s.window.at(n)
		recent := n != s.acknowledged && seg.sent()+s.newestRTT > now
		if recent && *seg&(sacked|lost) == 0 {
			break // and so are those that follow
		}
		switch {
		case *seg&sacked != 0:
		case recent && *seg&retransmitted != 0:
			s.missing = append(s.missing, n)
			s.resent = append(s.resent, n)
		default:
			if *seg&retransmitted != 0 {
				*seg &^= retransmitted
				s.retransmittedOut--
			}
			if *seg&lost == 0 {
				s.lose(seg)
			}
			s.missing = append(s.missing, n)
		}
		s.judged = n + 1
	}
	s.toResend = s.acknowledged
}

// believeAll takes nothing for lost any more.
func (s *Sender) believeAll() {
	for _, n := range s.missing {
		seg := s.window.at(n)
		if *seg&lost != 0 {
			*seg &^= lost
			s.lostOut--
		}
		if *seg&retransmitted != 0 {
			*seg &^= retransmitted
			s.retransmittedOut--
		}
	}
	s.missing = s.missing[:0]
	s.resent, s.checked = s.resent[:0], 0
	s.judged = s.acknowledged
}
