package qdisc

// CoDel is the AQM of RFC 8289 over one queue, as Linux has it
// (net/sched/sch_codel.c): the packet that comes when Limit are queued is lost.
type CoDel struct {
	codelQueues
	flow  codelFlow
	limit int
}

// Linux's values for CoDel's target and interval (RFC 8289, 4.3 and 4.4), ns.
const (
	CoDelTarget   = 5_000_000
	CoDelInterval = 100_000_000
)

// NewCoDel is a queue of so many packets (Linux: 1000) with a target and an
// interval in ns. With ecn, senders that understand marks are marked.
func NewCoDel(limit int, target, interval int64, ecn bool) *CoDel {
	return &CoDel{
		codelQueues: codelQueues{codelParameters: codelParameters{target, interval, ecn}},
		limit:       limit,
	}
}

// Enqueue is Qdisc's.
func (q *CoDel) Enqueue(p Packet, now int64) {
	if q.packets >= q.limit {
		q.signals.Drops[Overflow]++
		return
	}
	q.push(&q.flow, &p, now)
}

// Dequeue is Qdisc's.
func (q *CoDel) Dequeue(now int64) (Packet, bool) {
	if p := q.dequeue(&q.flow, now); p != nil {
		return *p, true
	}
	return Packet{}, false
}

// Ready is Qdisc's.
func (q *CoDel) Ready() int64 { return readyIf(q.packets) }
