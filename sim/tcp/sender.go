package tcp

import "github.com/sqmctl/sqmctl/sim/qdisc"

// Sender is the near end of a transfer: it always has something to send.
//
// Its fields are in the order of how often they are used, as hundreds of
// senders don't fit the fastest cache.
type Sender struct {
	Window    int // segments that may be on their way
	Threshold int // below it slow start

	acknowledged, next uint32 // the oldest on its way, the next new one
	window             window
	congestion         Congestion

	scoreboard
	timer
	room
	recovery
	flow   uint16
	ecn    qdisc.ECN
	port   *Port
	bbr    *BBR // the congestion control, if it is that
	credit int  // towards the next segment of growth
	pace
	*rates // of BBR
	losses
	reduction
}

// InitialWindow is that of RFC 6928, in segments.
const InitialWindow = 10

// NewSender is a sender whose segments go out through a port, which is told when. It
// waits for Start.
func NewSender(flow uint16, c Congestion, ecn bool, out *Port) *Sender {
	s := &Sender{
		Window: InitialWindow, Threshold: 1 << 30,
		port: out, congestion: c, flow: flow,
		timer: timer{deadline: qdisc.Never}, scoreboard: scoreboard{reorder: qdisc.Never}, room: room{room: firstRoom}, pace: pace{waiting: qdisc.Never},
	}
	if bbr, ok := c.(*BBR); ok {
		s.bbr, s.rates = bbr, &rates{}
	}
	if ecn {
		s.ecn = qdisc.ECT
	}
	return s
}

// Start begins the transfer.
func (s *Sender) Start(now int64) { s.transmit(now) }

// inFlight is the segments that the network holds, as far as the sender knows.
func (s *Sender) inFlight() int {
	return int(s.next-s.acknowledged) - int(s.sackedOut+s.lostOut-s.retransmittedOut)
}

// Acknowledge takes an acknowledgement that arrives.
func (s *Sender) Acknowledge(p *qdisc.Packet, now int64) {
	if before(p.Seq, s.acknowledged) {
		return
	}
	deliveredBefore, lostAllBefore := s.delivered, s.lostAll
	if s.bbr != nil {
		s.best = sample{flight: s.inFlight()}
	}
	advanced := int(p.Seq - s.acknowledged)
	measured := false
	if advanced > 0 {
		measured = s.cumulative(p.Seq, now)
		s.probed = false
		s.makeRoom()
		if s.state == timedOut && !p.Again {
			s.undo()
		}
	}
	lostBefore := s.lostOut
	if p.Hi != p.Lo {
		s.selective(p, measured, now)
	}
	s.detectLoss(now)
	s.react(p.Echo, lostBefore, now)
	delivered := s.delivered - deliveredBefore
	switch {
	case s.bbr != nil:
		s.best.acked, s.best.losses = delivered, s.lostAll-lostAllBefore
		s.finish(now)
		s.bbr.control(s, now)
	case s.reducing():
		s.reduce(delivered, advanced > 0 && s.lostOut <= lostBefore)
	case advanced > 0:
		s.congestion.Acked(s, delivered, now)
	}
	s.retransmit(now)
	s.transmit(now)
	if advanced > 0 {
		s.backoff = 0
	}
	if advanced > 0 || s.restart || s.deadline == qdisc.Never || s.reorder < s.deadline {
		s.arm(now)
	}
}

// cumulative takes all segments before end as arrived. It tells whether that
// gave a round trip for the timeout: Linux takes the oldest segment's, or that
// of its retransmission (by TCP's timestamps), and for congestion control the
// newest one's.
func (s *Sender) cumulative(end uint32, now int64) (measured bool) {
	first, last := s.window.at(s.acknowledged), s.window.at(end-1)
	switch {
	case *first&everRetransmitted != 0:
		s.measure(now - first.sent())
		measured = true
	case *last&(everRetransmitted|sacked) == 0:
		s.measure(now - first.sent())
		s.congestion.RoundTrip(s, now-last.sent(), now)
		measured = true
	}
	s.arrived(end-1, now)
	n := int(end - s.acknowledged)
	if s.sackedOut|s.lostOut|s.retransmittedOut != 0 {
		n -= s.forget(end, now)
	}
	s.delivered += n
	s.acknowledged = end
	return measured
}

// selective takes the blocks beyond a gap that an acknowledgement reports.
func (s *Sender) selective(p *qdisc.Packet, measured bool, now int64) {
	var span sackSpan
	s.mark(p.Lo, p.Hi, &span, now)
	s.mark(p.Lo2, p.Lo2+uint32(p.Len2), &span, now)
	if span.last == 0 {
		return
	}
	if !measured {
		s.measure(now - span.first)
	}
	s.congestion.RoundTrip(s, now-span.last, now)
}

// transmit sends new segments as far as the window goes.
func (s *Sender) transmit(now int64) {
	n := min(s.Window-s.inFlight(), int(int32(s.acknowledged+s.room.room-s.next)))
	for ; n > 0 && s.may(now); n-- {
		s.sendNew(now)
	}
	if s.deadline == qdisc.Never {
		s.arm(now)
	}
}

func (s *Sender) sendNew(now int64) {
	s.window.room(s.acknowledged, s.next)
	*s.window.at(s.next) = sentAt(now)
	s.port.packet = qdisc.Packet{Kind: qdisc.Data, Flow: s.flow, Seq: s.next, Size: Frame, ECN: s.ecn, Echo: s.tellReduced}
	s.tellReduced = false
	s.next++
	s.send(now)
}

// send sends the packet at hand.
func (s *Sender) send(now int64) {
	if s.reducing() {
		s.reduceSent++
	}
	if s.bbr != nil {
		s.stampSent(s.port.packet.Seq, now)
		s.went(now)
	}
	s.port.out(&s.port.packet, now)
}
