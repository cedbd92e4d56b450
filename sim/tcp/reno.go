package tcp

// Reno is the congestion control of RFC 5681.
type Reno struct{}

// Acked is Congestion's.
func (Reno) Acked(s *Sender, n int, now int64) {
	if s.Window < s.Threshold {
		if n = s.slowStart(n); n == 0 {
			return
		}
	}
	s.raise(s.Window, n)
}

// RoundTrip is Congestion's.
func (Reno) RoundTrip(s *Sender, rtt, now int64) {}

// Reduce is Congestion's.
func (Reno) Reduce(s *Sender, now int64) int { return max(s.Window/2, 2) }

// TimedOut is Congestion's.
func (Reno) TimedOut(*Sender) {}
