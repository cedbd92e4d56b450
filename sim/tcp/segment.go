package tcp

// segment is what a sender remembers of a segment that is on its way: when it
// was sent the last time, in ns, and in the lowest bits what became of it. Many
// transfers' windows are most of what a simulation touches, so that is a word.
type segment int64

const (
	sacked            segment = 1 << iota // arrived out of order
	lost                                  // taken for lost
	retransmitted                         // on its way again
	everRetransmitted                     // its round trip can't be told

	stateBits = iota
	anyState  = 1<<stateBits - 1
)

// sentAt is a segment that is sent now, of which nothing is known.
func sentAt(now int64) segment { return segment(now << stateBits) }

// sent is when it was sent the last time, in ns.
func (s segment) sent() int64 { return int64(s >> stateBits) }

// window holds the segments from the oldest unacknowledged to the newest.
type window struct {
	segments []segment // a power of two of them, by their numbers' lower bits
}

func (w *window) at(number uint32) *segment {
	return &w.segments[number&uint32(len(w.segments)-1)]
}

// room makes room for the segments from first up to and without end, and one.
func (w *window) room(first, end uint32) {
	if int(end-first) < len(w.segments) {
		return
	}
	old := *w
	w.segments = make([]segment, max(16, 2*len(old.segments)))
	for n := first; n != end; n++ {
		*w.at(n) = *old.at(n)
	}
}

// before compares numbers that may have wrapped round.
func before(a, b uint32) bool { return int32(a-b) < 0 }
