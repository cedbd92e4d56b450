package tcp

import "github.com/sqmctl/sqmctl/sim/qdisc"

// recovery is how a sender comes down from a window that was too much.
type recovery struct {
	end         uint32 // the reduction is over when all before it is acknowledged
	state       state
	tellReduced bool // CWR
}

// reduction is how far it has come.
type reduction struct {
	// Of the proportional rate reduction (RFC 6937).
	prior, reduceDelivered, reduceSent int32

	windowBefore, thresholdBefore int32 // the timeout
}

// state is Linux's tcp_ca_state, without Disorder.
type state uint8

const (
	open     state = iota
	reduced        // by a mark
	recovers       // from a loss
	timedOut       // from a timeout
)

// react enters and leaves the states.
func (s *Sender) react(echo bool, lostBefore int32, now int64) {
	if s.state != open && s.over() {
		s.leave()
	}
	switch {
	case s.lostOut > lostBefore && s.state < recovers:
		s.enter(recovers, now)
	case echo && s.state == open:
		s.enter(reduced, now)
	}
}

// over is whether a reduction has been answered. After a mark that takes one
// segment more, as the first beyond end is the one that says CWR.
func (s *Sender) over() bool {
	if s.state == reduced {
		return before(s.end, s.acknowledged)
	}
	return !before(s.acknowledged, s.end)
}

// leave ends a reduction.
func (s *Sender) leave() {
	if s.state != timedOut && s.bbr == nil {
		s.Window = s.Threshold
	}
	s.state = open
	s.resent, s.checked = s.resent[:0], 0
}

// enter begins a reduction, or a recovery within one.
func (s *Sender) enter(to state, now int64) {
	if s.state == open {
		s.prior, s.reduceDelivered, s.reduceSent = int32(s.Window), 0, 0
		s.cut(now)
		s.credit = 0
		s.tellReduced = s.ecn != 0
	}
	s.state, s.end = to, s.next
}

// cut lowers the threshold and remembers what was.
func (s *Sender) cut(now int64) {
	s.windowBefore, s.thresholdBefore = int32(s.Window), int32(s.Threshold)
	s.Threshold = s.congestion.Reduce(s, now)
}

func (s *Sender) reducing() bool { return s.state == reduced || s.state == recovers }

// reduce brings the window down to the threshold in proportion to what
// arrives (RFC 6937, with the slow-start bound where all goes well).
func (s *Sender) reduce(arrived int, well bool) {
	if arrived <= 0 {
		return
	}
	flight := s.inFlight()
	room := s.Threshold - flight
	s.reduceDelivered += int32(arrived)
	var more int
	if room < 0 {
		more = (s.Threshold*int(s.reduceDelivered)+int(s.prior)-1)/int(s.prior) - int(s.reduceSent)
	} else {
		more = max(int(s.reduceDelivered-s.reduceSent), arrived)
		if well {
			more++
		}
		more = min(more, room)
	}
	// The first retransmission goes out at once.
	if s.reduceSent == 0 {
		more = max(more, 1)
	}
	s.Window = flight + max(more, 0)
}

// retransmit sends lost segments as far as the window goes.
func (s *Sender) retransmit(now int64) {
	s.toResend = higher(s.toResend, s.acknowledged)
	for n := s.Window - s.inFlight(); n > 0 && s.lostOut > s.retransmittedOut && s.may(now); n-- {
		for *s.window.at(s.toResend)&(lost|retransmitted) != lost {
			s.toResend++
		}
		s.resend(s.toResend, now)
	}
}

func (s *Sender) resend(number uint32, now int64) {
	seg := s.window.at(number)
	*seg = sentAt(now) | *seg&anyState | retransmitted | everRetransmitted
	s.retransmittedOut++
	s.resent = append(s.resent, number)
	s.restart = s.restart || number == s.acknowledged
	// What is sent again must not be marked (RFC 3168, section 6.1.5).
	s.port.packet = qdisc.Packet{Kind: qdisc.Data, Flow: s.flow, Seq: number, Size: Frame, Again: true}
	s.send(now)
}

// reordered takes for lost what was waited for long enough.
func (s *Sender) reordered(now int64) {
	lostBefore := s.lostOut
	s.reorder = qdisc.Never
	s.suspect(now)
	s.react(false, lostBefore, now)
	if s.reducing() {
		if s.bbr == nil {
			s.reduce(1, false)
		}
		s.retransmit(now)
	}
}

// undo goes back to before a timeout that was none: a segment that was sent
// again had come the first time (Eifel detection, RFC 3522).
func (s *Sender) undo() {
	s.Window = max(s.Window, int(s.windowBefore))
	s.Threshold = max(s.Threshold, int(s.thresholdBefore))
	s.state = open
	s.believeAll()
}

// timedOut begins again from one segment, with all that hasn't arrived taken
// for lost.
func (s *Sender) timedOut(now int64) {
	if s.state == open || !before(s.acknowledged, s.end) {
		s.cut(now)
	}
	s.congestion.TimedOut(s)
	s.backoff++
	s.state, s.end = timedOut, s.next
	s.loseAll(now)
	s.Window, s.credit = s.inFlight()+1, 0
	s.retransmit(now)
}
