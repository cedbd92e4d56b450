package tcp

// Congestion is a congestion control that sets the window of a Sender.
type Congestion interface {
	// Acked may raise the window after n segments have been acknowledged in
	// order, outside of a reduction.
	Acked(s *Sender, n int, now int64)
	// RoundTrip is told of a measured round trip in ns.
	RoundTrip(s *Sender, rtt, now int64)
	// Reduce is told of a loss or mark, once a window; it gives the window to
	// come down to, in segments.
	Reduce(s *Sender, now int64) int
	// TimedOut is told of a retransmission timeout.
	TimedOut(s *Sender)
}

// slowStart raises the window by a segment for each acknowledged, up to the
// threshold; it gives the segments left over.
func (s *Sender) slowStart(n int) int {
	grown := min(s.Window+n, s.Threshold)
	n -= grown - s.Window
	s.Window = grown
	return n
}

// raise raises the window by one for each so many segments acknowledged
// (tcp_cong_avoid_ai of Linux).
func (s *Sender) raise(every, n int) {
	if s.credit >= every {
		s.credit = 0
		s.Window++
	}
	s.credit += n
	if s.credit >= every {
		more := s.credit / every
		s.credit -= more * every
		s.Window += more
	}
}
