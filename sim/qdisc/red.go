package qdisc

// RED drops with a probability that rises with the average length of the
// queue (Floyd and Jacobson, Random Early Detection Gateways for Congestion
// Avoidance, 1993). Drops are spread evenly: the probability rises with the
// packets since the last one. While the queue is empty the average decays, as
// if small packets had come in the meantime.
type RED struct {
	o       REDOptions
	ring    Ring
	average int64 // packets, 24 bits of fraction
	count   int64 // packets since the last drop; -1: below Min
	idle    int64 // ns: since when the queue is empty; Never: it isn't
	random  random
	signals Signals
}

// REDOptions are RED's. The averaging weight is 0.002 and the probability at
// Max is 10 %, as Floyd recommends. Above Max every packet is dropped.
type REDOptions struct {
	Limit      int   // packets
	Min, Max   int   // packets on average: 5 and 15 are Floyd's
	PacketTime int64 // ns that a typical packet takes to leave, for the decay
	ECN        bool
}

// What RED counts with, 24 bits of fraction.
const (
	redBits   = 24
	redOne    = 1 << redBits
	redWeight = redOne * 2 / 1000
	redMost   = redOne / 10
)

// NewRED is an empty RED. The seed is that of its chances.
func NewRED(o REDOptions, seed uint64) *RED {
	return &RED{o: o, count: -1, random: newRandom(seed)}
}

// Enqueue is Qdisc's.
func (q *RED) Enqueue(p Packet, now int64) {
	q.estimate(now)
	switch {
	case q.ring.Len() >= q.o.Limit:
		q.signals.Drops[Overflow]++
		q.count = 0
		return
	case q.early():
		q.count = 0
		if !q.o.ECN || p.ECN == NotECT || q.average >= int64(q.o.Max)<<redBits {
			q.signals.Drops[Early]++
			return
		}
		p.ECN = CE
		q.signals.Marks++
	}
	p.Enqueued = now
	q.ring.Push(p)
	q.idle = Never
}

// estimate brings the average up to date.
func (q *RED) estimate(now int64) {
	if q.ring.Len() == 0 && q.idle != Never && q.o.PacketTime > 0 {
		q.average = q.average * power(redOne-redWeight, (now-q.idle)/q.o.PacketTime) >> redBits
		q.idle = now
	}
	length := int64(q.ring.Len()) << redBits
	q.average += (length - q.average) * redWeight >> redBits
}

// power is x^n with 24 bits of fraction.
func power(x, n int64) int64 {
	result := int64(redOne)
	for ; n > 0 && result > 0; n >>= 1 {
		if n&1 == 1 {
			result = result * x >> redBits
		}
		x = x * x >> redBits
	}
	return result
}

// early is whether a packet shall be dropped by chance, or because the average
// is too long.
func (q *RED) early() bool {
	low, high := int64(q.o.Min)<<redBits, int64(q.o.Max)<<redBits
	switch {
	case q.average < low:
		q.count = -1
		return false
	case q.average >= high:
		return true
	}
	q.count++
	// p/(1 − count·p), against a number below 1; p is redMost at Max.
	p := (q.average - low) / int64(q.o.Max-q.o.Min) * redMost >> redBits
	rest := redOne - q.count*p
	return rest <= 0 || int64(q.random.uint32()>>8)*rest>>redBits < p
}

// Dequeue is Qdisc's.
func (q *RED) Dequeue(now int64) (Packet, bool) {
	if q.ring.Len() == 0 {
		return Packet{}, false
	}
	p := q.ring.Pop()
	if q.ring.Len() == 0 {
		q.idle = now
	}
	return p, true
}

// Ready is Qdisc's.
func (q *RED) Ready() int64 { return readyIf(q.ring.Len()) }

// Len is Qdisc's.
func (q *RED) Len() int { return q.ring.Len() }

// Bytes is Qdisc's.
func (q *RED) Bytes() int { return q.ring.Bytes() }

// Signals is Qdisc's.
func (q *RED) Signals() *Signals { return &q.signals }
