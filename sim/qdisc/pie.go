package qdisc

// PIE drops by chance as packets come, with a probability that a controller
// moves until the delay is the target (RFC 8033), as Linux has it
// (net/sched/sch_pie.c) without its departure rate estimator.
type PIE struct {
	limit   int
	target  int64 // ns
	ecn     bool
	ring    Ring
	random  random
	signals Signals

	probability uint64 // of pieOne
	accumulated uint64 // probability since the last drop
	burst       int64  // ns for which nothing is dropped
	delay       int64  // ns: of the last packet that left
	delayBefore int64  // ns: at the last update
	left        int64  // ns: when it left; -1: none did since the reset
	update      int64  // ns: when the controller moves next
}

// PIE's constants: RFC 8033, 4 and 5, and how Linux counts.
const (
	PIETarget = 15_000_000 // ns, Linux's

	pieOne      = 1<<56 - 1 // probability 1
	pieBurst    = 150_000_000
	pieInterval = 15_000_000
	pieTicks    = 15_625_000 // the controller's unit of time, in a second
	pieAlpha    = 2          // 16ths
	pieBeta     = 20
)

// NewPIE is a queue of so many packets (Linux: 1000) with a target in ns. With
// ecn, senders that understand marks are marked up to a probability of 10 %.
func NewPIE(limit int, target int64, ecn bool, seed uint64) *PIE {
	return &PIE{limit: limit, target: target, ecn: ecn, random: newRandom(seed), burst: pieBurst, left: -1, update: pieInterval}
}

// Enqueue is Qdisc's.
func (q *PIE) Enqueue(p Packet, now int64) {
	q.control(now)
	if q.ring.Len() >= q.limit {
		q.signals.Drops[Overflow]++
		q.accumulated = 0
		return
	}
	if q.early() {
		q.accumulated = 0
		if !q.ecn || p.ECN == NotECT || q.probability > pieOne/10 {
			q.signals.Drops[Early]++
			return
		}
		p.ECN = CE
		q.signals.Marks++
	}
	p.Enqueued = now
	q.ring.Push(p)
}

// early is whether to drop a packet by chance. Drops are spread: none before
// the probabilities since the last one add up to 0.85, and surely one at 8.5
// (RFC 8033, 5.4).
func (q *PIE) early() bool {
	calm := q.delay < q.target/2 && q.probability < pieOne/5
	if q.burst > 0 || calm || q.ring.Bytes() < 2*maxFrame {
		return false
	}
	if q.probability == 0 {
		q.accumulated = 0
	}
	q.accumulated += q.probability
	switch {
	case q.accumulated < pieOne/20*17:
		return false
	case q.accumulated >= pieOne/2*17:
		return true
	}
	return q.random.next()>>8 < q.probability
}

// Dequeue is Qdisc's.
func (q *PIE) Dequeue(now int64) (Packet, bool) {
	q.control(now)
	if q.ring.Len() == 0 {
		return Packet{}, false
	}
	p := q.ring.Pop()
	q.delay = now - p.Enqueued
	if q.ring.Len() == 0 {
		q.delay = 0
	}
	if q.left >= 0 {
		q.burst = max(q.burst-(now-q.left), 0)
	}
	q.left = now
	return p, true
}

// control moves the controller as often as it is time. Nothing it looks at
// changes in between, so it may well be late.
func (q *PIE) control(now int64) {
	for q.update <= now {
		if q.probability == 0 && q.delay == 0 && q.delayBefore == 0 && q.ring.Len() == 0 {
			q.reset()
			q.update += (now - q.update) / pieInterval * pieInterval
		}
		q.update += pieInterval
		q.move()
	}
}

// move is one step of the controller (RFC 8033, 4.2 and 5).
func (q *PIE) move() {
	steady := q.delay > 0 || q.ring.Len() == 0
	if q.adjust(q.step()) {
		steady = false
	}
	if q.delay == 0 && q.delayBefore == 0 && steady {
		q.probability -= q.probability / 64
	}
	if q.delay < q.target/2 && q.delayBefore < q.target/2 && q.probability == 0 {
		q.reset()
	}
	q.delayBefore = q.delay
}

// step is by how much the probability shall change: less while it is small
// (RFC 8033, 4.2).
func (q *PIE) step() int64 {
	alpha, beta := int64(pieAlpha*(pieOne/pieTicks)>>4), int64(pieBeta*(pieOne/pieTicks)>>4)
	if q.probability < pieOne/10 {
		alpha, beta = alpha>>1, beta>>1
		for power := uint64(100); power <= 1_000_000 && q.probability < pieOne/power; power *= 10 {
			alpha, beta = alpha>>2, beta>>2
		}
	}
	const tick = 64 // ns
	step := alpha * ((q.delay - q.target) / tick)
	step += beta * ((q.delay - q.delayBefore) / tick)
	if step > pieOne/50 && q.probability >= pieOne/10 {
		step = pieOne / 100 * 2
	}
	const high = 250_000_000
	if q.delay > high {
		step += pieOne / 50
	}
	return step
}

// adjust changes the probability, which stays between 0 and 1, and says
// whether it would have been higher.
func (q *PIE) adjust(step int64) (full bool) {
	p := int64(q.probability) + step
	q.probability = uint64(min(max(p, 0), pieOne))
	return p > pieOne
}

// reset forgets everything, so that a burst may pass again.
func (q *PIE) reset() {
	q.burst, q.accumulated, q.left = pieBurst, 0, -1
	q.probability, q.delay, q.delayBefore = 0, 0, 0
}

// Ready is Qdisc's.
func (q *PIE) Ready() int64 { return readyIf(q.ring.Len()) }

// Len is Qdisc's.
func (q *PIE) Len() int { return q.ring.Len() }

// Bytes is Qdisc's.
func (q *PIE) Bytes() int { return q.ring.Bytes() }

// Signals is Qdisc's.
func (q *PIE) Signals() *Signals { return &q.signals }
