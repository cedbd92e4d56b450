package qdisc

import "github.com/sqmctl/sqmctl/plan"

// Enqueue is Qdisc's.
func (q *Cake) Enqueue(p Packet, now int64) {
	n := int(q.classTins[p.Tin&3])
	t := &q.tins[n]
	t.prepare()
	i := q.queueOf(t, p.Flow)
	f := &t.flows[i]
	q.catchUp(t, now)
	p.Enqueued = now
	q.buffer.push(&f.queue, &p)
	q.count(t, f, &p, 1)
	added := int(p.Size)
	if p.Kind == Ack && q.options.AckFilter != plan.AckFilterOff {
		added -= q.filterAcks(t, f, now)
	}
	if q.longest.turns > 0 {
		q.longest.up(int(t.place[i]))
	}
	if q.options.Autorate && q.autorate.see(added, now) {
		q.configure(q.autorate.rate())
	}
	q.wake(t, i)
	for q.memory > q.memoryLimit {
		q.dropLongest(now)
	}
}

// count adds a packet (n is 1) to what is queued, or takes it away (-1).
func (q *Cake) count(t *tin, f *cakeFlow, p *Packet, n int) {
	bytes := n * int(p.Size)
	f.bytes += uint32(bytes)
	t.bytes += bytes
	q.bytes += bytes
	q.memory += n * memory(p)
	q.packets += n
}

// wake gives a queue that has a packet its place in a list.
func (q *Cake) wake(t *tin, i uint16) {
	f := &t.flows[i]
	switch f.set {
	case unused, decaying:
		if f.set == decaying {
			t.leave(f, q.sides)
			t.remove(&t.decay, i)
		}
		t.append(&t.fresh, i)
		f.set = sparse
		t.sparse++
		f.deficit = q.round(t.quantumAt(t.load(f, q.sides)))
	case sparseWait:
		t.becomeBulk(f, q.sides)
	}
}

// dropLongest drops the oldest packet of the longest queue.
func (q *Cake) dropLongest(now int64) {
	q.longest.build()
	e := q.longest.entries[0]
	t := &q.tins[e/cakeQueues]
	f := &t.flows[e%cakeQueues]
	if f.head == 0 { // filtered acknowledgements left the heap out of order
		q.longest.turns = 0
		return
	}
	f.full(now, &t.cobaltParameters)
	p := q.buffer.pop(&f.queue)
	q.count(t, f, p, -1)
	q.signals.Drops[Overflow]++
	if q.options.Ingress {
		q.advance(t, p, now, true)
	}
	q.longest.down(0)
}
