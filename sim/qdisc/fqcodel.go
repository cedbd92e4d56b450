package qdisc

// FQCodel is fq_codel (RFC 8290) as Linux has it (net/sched/sch_fq_codel.c): a
// hash spreads the flows over queues, each with its CoDel, which take turns.
type FQCodel struct {
	codelQueues
	limit, memoryLimit int
	quantum            int32
	seed               uint32
	flows              []codelFlow
	fresh, old         flowList
}

// FQCodelOptions are fq_codel's. A zero value is Linux's default, but ECN,
// which is on there, has to be asked for.
type FQCodelOptions struct {
	Limit            int   // packets; 0: 10240
	Flows            int   // queues; 0: 1024, at most 65535
	Quantum          int   // bytes; 0: a full frame, 1514
	Target, Interval int64 // ns; 0: 5 ms and 100 ms
	MemoryLimit      int   // bytes; 0: 32 MiB (4 MiB on OpenWrt)
	ECN              bool
}

// NewFQCodel is an empty fq_codel. The seed decides which flows share a queue.
func NewFQCodel(o FQCodelOptions, seed uint64) *FQCodel {
	orDefault := func(value, standard int) int {
		if value == 0 {
			return standard
		}
		return value
	}
	return &FQCodel{
		codelQueues: codelQueues{codelParameters: codelParameters{
			target:   int64(orDefault(int(o.Target), CoDelTarget)),
			interval: int64(orDefault(int(o.Interval), CoDelInterval)),
			ecn:      o.ECN,
		}},
		limit:       orDefault(o.Limit, 10240),
		memoryLimit: orDefault(o.MemoryLimit, 32<<20),
		quantum:     int32(orDefault(o.Quantum, maxFrame)),
		seed:        mix(uint32(seed)) ^ uint32(seed>>32),
		flows:       make([]codelFlow, orDefault(o.Flows, 1024)),
	}
}

// flowList is a list of queues that take turns, linked by codelFlow.next.
type flowList struct {
	first, last uint16
	length      uint16
}

func (q *FQCodel) append(l *flowList, i uint16) {
	if l.length == 0 {
		l.first = i
	} else {
		q.flows[l.last].next = i
	}
	l.last = i
	l.length++
}

func (q *FQCodel) removeFirst(l *flowList) {
	l.first = q.flows[l.first].next
	l.length--
}

// queueOf is the queue of a flow.
func (q *FQCodel) queueOf(flow uint16) uint16 {
	return spread(flowHash(flow, q.seed), len(q.flows))
}

// spread is the queue of n for a hash.
func spread(hash uint32, n int) uint16 { return uint16(uint64(hash) * uint64(n) >> 32) }

// Enqueue is Qdisc's.
func (q *FQCodel) Enqueue(p Packet, now int64) {
	i := q.queueOf(p.Flow)
	f := &q.flows[i]
	q.push(f, &p, now)
	if !f.listed {
		f.listed = true
		f.deficit = q.quantum
		q.append(&q.fresh, i)
	}
	if q.packets > q.limit || q.codelQueues.memory > q.memoryLimit {
		q.shorten()
	}
}

// shorten drops from the head of the longest queue, up to half of its bytes
// or 64 packets, and lets its CoDel know.
func (q *FQCodel) shorten() {
	longest := &q.flows[0]
	for i := range q.flows {
		if q.flows[i].bytes > longest.bytes {
			longest = &q.flows[i]
		}
	}
	const batch = 64
	half := longest.bytes - longest.bytes/2
	for n := 0; n < batch && longest.head != 0; n++ {
		q.pop(longest)
		q.signals.Drops[Overflow]++
		longest.count++
		if longest.bytes <= half {
			return
		}
	}
}

// Dequeue is Qdisc's.
func (q *FQCodel) Dequeue(now int64) (Packet, bool) {
	for {
		list := &q.fresh
		if list.length == 0 {
			if list = &q.old; list.length == 0 {
				return Packet{}, false
			}
		}
		i := list.first
		f := &q.flows[i]
		if f.deficit <= 0 {
			f.deficit += q.quantum
			q.removeFirst(list)
			q.append(&q.old, i)
			continue
		}
		if p := q.dequeue(f, now); p != nil {
			f.deficit -= int32(p.Size)
			return *p, true
		}
		q.rest(list, i)
	}
}

// rest takes the first queue, which is empty, off its list. A fresh one goes
// behind the old ones first, so that it can't starve them (RFC 8290, 4.2).
func (q *FQCodel) rest(list *flowList, i uint16) {
	q.removeFirst(list)
	if list == &q.fresh && q.old.length > 0 {
		q.append(&q.old, i)
	} else {
		q.flows[i].listed = false
	}
}

// Ready is Qdisc's.
func (q *FQCodel) Ready() int64 { return readyIf(q.packets) }
