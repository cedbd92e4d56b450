package tcp

import (
	"time"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// pace spreads segments over time, as Linux does itself where no fq qdisc does
// it. The zero value doesn't.
type pace struct {
	perSegment int64 // ns; 0: not paced
	waiting    int64 // ns: when to look again; Never if nothing waits for that
	nextAt     int64 // ns: when the next segment may go
	unpaced    int   // segments that have gone without
}

// unpacedSegments is how many go as they come at first, as with fq.
const unpacedSegments = 10

// mayPace tells whether a segment may go now, and else remembers to look again.
func (p *pace) may(now int64) bool {
	if p.perSegment == 0 || p.nextAt <= now {
		return true
	}
	p.waiting = p.nextAt
	return false
}

// went charges a segment. One that goes late leaves up to half as much room
// behind it.
func (p *pace) went(now int64) {
	if p.perSegment == 0 {
		return
	}
	if p.unpaced < unpacedSegments {
		p.unpaced++
		p.nextAt = max(p.nextAt, now)
		return
	}
	late := max(0, now-p.nextAt)
	p.nextAt = max(p.nextAt, now) + p.perSegment - min(p.perSegment/2, late)
}

// setRate sets the rate in bytes a second, of which a segment takes its
// payload.
func (p *pace) setRate(bytes int64) {
	p.perSegment = max(1, Payload*int64(time.Second)/max(1, bytes))
}

// continuePaced sends what waited for its time.
func (s *Sender) continuePaced(now int64) {
	s.waiting = qdisc.Never
	s.retransmit(now)
	s.transmit(now)
}
