package qdisc

import "github.com/sqmctl/sqmctl/linklayer"

// HTB is a class of HTB whose rate is its ceiling, and the qdisc in it: the
// shaper of the fq_codel recipe. Tokens are nanoseconds of sending
// (net/sched/sch_htb.c): there are never more than the burst takes, one packet
// may go while there are not less than 0, and is charged afterwards.
type HTB struct {
	inner  Qdisc
	charge *Charge
	burst  int // bytes
	pace   pace
	depth  int64 // ns: the burst at this rate
	tokens int64 // ns, at the moment since
	since  int64
}

// NewHTB shapes what inner gives to a rate; zero is no limit. The burst is in
// bytes, the lesser one of burst and cburst; it is full in the beginning.
func NewHTB(inner Qdisc, rate linklayer.Rate, burst int, charge *Charge) *HTB {
	q := &HTB{inner: inner, charge: charge, burst: burst}
	q.SetRate(rate, 0)
	q.tokens = q.depth
	return q
}

// SetRate changes the rate. As in the kernel the burst stays the same number
// of bytes, and the tokens the same time.
func (q *HTB) SetRate(rate linklayer.Rate, now int64) {
	q.tokens, q.since = q.at(now), now
	q.pace = schedPace(rate.BytesPerSecond())
	q.depth = bucketDepth(rate, q.burst)
	q.tokens = min(q.tokens, q.depth)
}

// bucketDepth is the time of a burst, which tc hands to the kernel in ticks of
// 64 ns, rounded up (tc_calc_xmittime in iproute2's tc/tc_core.c).
func bucketDepth(rate linklayer.Rate, burst int) int64 {
	const tick = 64
	return (int64(rate.Time(burst)) + tick - 1) / tick * tick
}

// at is how many tokens there are.
func (q *HTB) at(now int64) int64 { return min(q.tokens+now-q.since, q.depth) }

// Enqueue is Qdisc's.
func (q *HTB) Enqueue(p Packet, now int64) { q.inner.Enqueue(p, now) }

// Dequeue is Qdisc's.
func (q *HTB) Dequeue(now int64) (Packet, bool) {
	tokens := q.at(now)
	if tokens < 0 {
		return Packet{}, false
	}
	p, ok := q.inner.Dequeue(now)
	if ok {
		q.tokens, q.since = tokens-q.pace.time(q.charge.Size(p.Size)), now
	}
	return p, ok
}

// Ready is Qdisc's.
func (q *HTB) Ready() int64 {
	ready := q.inner.Ready()
	if ready == Never {
		return Never
	}
	if q.tokens >= 0 {
		return ready
	}
	return max(ready, q.since-q.tokens)
}

// Len is Qdisc's.
func (q *HTB) Len() int { return q.inner.Len() }

// Bytes is Qdisc's.
func (q *HTB) Bytes() int { return q.inner.Bytes() }

// Signals is Qdisc's: those of the qdisc in the class.
func (q *HTB) Signals() *Signals { return q.inner.Signals() }
