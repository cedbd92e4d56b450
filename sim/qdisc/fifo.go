package qdisc

import "math"

// FIFO is pfifo, and pfifo_fast for traffic of one band: it drops what comes
// when Limit packets are queued. With LimitBytes it is bfifo.
type FIFO struct {
	limit, limitBytes int
	ring              Ring
	signals           Signals
}

// NewFIFO is a queue of so many packets; Linux gives a device 1000
// (txqueuelen).
func NewFIFO(packets int) *FIFO { return &FIFO{limit: packets, limitBytes: math.MaxInt} }

// NewByteFIFO is a queue of so many bytes of frames.
func NewByteFIFO(bytes int) *FIFO { return &FIFO{limit: math.MaxInt, limitBytes: bytes} }

// Enqueue is Qdisc's.
func (q *FIFO) Enqueue(p Packet, now int64) {
	if q.ring.Len() >= q.limit || q.ring.Bytes()+int(p.Size) > q.limitBytes {
		q.signals.Drops[Overflow]++
		return
	}
	p.Enqueued = now
	q.ring.Push(p)
}

// Dequeue is Qdisc's.
func (q *FIFO) Dequeue(now int64) (Packet, bool) {
	if q.ring.Len() == 0 {
		return Packet{}, false
	}
	return q.ring.Pop(), true
}

// Ready is Qdisc's.
func (q *FIFO) Ready() int64 { return readyIf(q.ring.Len()) }

// Len is Qdisc's.
func (q *FIFO) Len() int { return q.ring.Len() }

// Bytes is Qdisc's.
func (q *FIFO) Bytes() int { return q.ring.Bytes() }

// Signals is Qdisc's.
func (q *FIFO) Signals() *Signals { return &q.signals }

// readyIf is Ready of a qdisc without a rate that holds n packets.
func readyIf(n int) int64 {
	if n == 0 {
		return Never
	}
	return 0
}
