package qdisc

// Qdisc is a queue discipline. Times are nanoseconds and never go back.
type Qdisc interface {
	// Enqueue takes a packet, or drops it or another.
	Enqueue(p Packet, now int64)
	// Dequeue gives the next packet. It may drop others, and give none because
	// nothing is left or because the rate doesn't allow it yet.
	Dequeue(now int64) (Packet, bool)
	// Ready is the earliest moment at which Dequeue may give a packet: Never
	// if there is none, and 0 if nothing holds it back.
	Ready() int64
	// Len and Bytes are what is queued; bytes of the frames.
	Len() int
	Bytes() int
	// Signals is what the qdisc dropped and marked so far.
	Signals() *Signals
}

// Reason is why a packet was dropped.
type Reason uint8

const (
	Overflow Reason = iota // the queue was full
	Early                  // an AQM wanted to signal its sender
	Filtered               // an acknowledgement that a later one makes redundant
)

// Reasons are the words for them, in order.
var Reasons = [...]string{"overflow", "early", "filtered"}

// Signals counts packets dropped and marked.
type Signals struct {
	Drops [len(Reasons)]int64
	Marks int64
}

// Dropped is the sum of all drops.
func (s *Signals) Dropped() int64 {
	var sum int64
	for _, n := range s.Drops {
		sum += n
	}
	return sum
}
