package qdisc

// maxFrame is a full frame: what the kernel calls the MTU of a device with its
// link header (psched_mtu).
const maxFrame = 1514

// codelQueues are queues that each have a CoDel and share a backlog: what
// CoDel, with one of them, and fq_codel have in common.
type codelQueues struct {
	codelParameters
	buffer
	packets int
	bytes   int // of all queues: that is what CoDel compares with a full frame
	memory  int // bytes, as the kernel counts them
	signals Signals
}

// codelFlow is one of the queues.
type codelFlow struct {
	queue
	codel
	bytes   int32
	deficit int32  // bytes (fq_codel)
	next    uint16 // in the list that it is in (fq_codel)
	listed  bool
}

// push appends a packet.
func (q *codelQueues) push(f *codelFlow, p *Packet, now int64) {
	p.Enqueued = now
	q.buffer.push(&f.queue, p)
	f.bytes += int32(p.Size)
	q.bytes += int(p.Size)
	q.memory += memory(p)
	q.packets++
}

// pop takes a packet, nil if there is none.
func (q *codelQueues) pop(f *codelFlow) *Packet {
	if f.head == 0 {
		return nil
	}
	p := q.buffer.pop(&f.queue)
	f.bytes -= int32(p.Size)
	q.bytes -= int(p.Size)
	q.memory -= memory(p)
	q.packets--
	return p
}

// dequeue takes a packet after the law of CoDel, nil if there is none left.
func (q *codelQueues) dequeue(f *codelFlow, now int64) *Packet {
	p := q.pop(f)
	if p == nil {
		f.dropping = false
		return nil
	}
	late := q.late(f, p, now)
	switch {
	case f.dropping && !late:
		f.dropping = false
	case f.dropping && now >= f.dropNext:
		return q.dropMore(f, p, now)
	case late && !f.dropping:
		return q.dropFirst(f, p, now)
	}
	return p
}

// late is whether the queue has been above the target for an interval. A
// backlog of one full frame is no queue (RFC 8289, 5.2.1: codel_should_drop).
func (q *codelQueues) late(f *codelFlow, p *Packet, now int64) bool {
	if p == nil || now-p.Enqueued < q.target || q.bytes <= maxFrame {
		f.firstAbove = 0
		return false
	}
	if f.firstAbove == 0 {
		f.firstAbove = now + q.interval
		return false
	}
	return now > f.firstAbove
}

// dropMore drops while the moment of the next drop has passed, and returns the
// packet that may go.
func (q *codelQueues) dropMore(f *codelFlow, p *Packet, now int64) *Packet {
	for f.dropping && now >= f.dropNext {
		f.count++
		f.newton()
		if q.mark(p) {
			f.dropNext = q.law(f.dropNext, f.inverseRoot)
			return p
		}
		q.signals.Drops[Early]++
		p = q.pop(f)
		if !q.late(f, p, now) {
			f.dropping = false
		} else {
			f.dropNext = q.law(f.dropNext, f.inverseRoot)
		}
	}
	return p
}

// dropFirst begins to drop.
func (q *codelQueues) dropFirst(f *codelFlow, p *Packet, now int64) *Packet {
	if !q.mark(p) {
		q.signals.Drops[Early]++
		p = q.pop(f)
		q.late(f, p, now)
	}
	f.begin(&q.codelParameters, now)
	return p
}

// mark marks a packet instead of dropping it, if it can be.
func (q *codelQueues) mark(p *Packet) bool {
	if !q.ecn || p.ECN == NotECT {
		return false
	}
	p.ECN = CE
	q.signals.Marks++
	return true
}

// Len is Qdisc's.
func (q *codelQueues) Len() int { return q.packets }

// Bytes is Qdisc's.
func (q *codelQueues) Bytes() int { return q.bytes }

// Signals is Qdisc's.
func (q *codelQueues) Signals() *Signals { return &q.signals }
