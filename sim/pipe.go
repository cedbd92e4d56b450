package sim

import "github.com/sqmctl/sqmctl/sim/qdisc"

// pipe holds packets until the moments at which they get somewhere. While they
// are in here, Enqueued is that moment. Nearly all come in order. What is late
// made up, as a delayed acknowledgement, would have to pass all that hosts have
// answered before its time; so it goes into a queue beside. Which of the two it
// is is left to chance where many take turns, so that is computed: a branch would
// be foreseen wrong.
type pipe struct {
	queues [2]qdisc.Ring // in order, beside
	firsts [2]int64      // ns: of each; Never if it is empty
	last   int64         // ns: in order; 0 if that is empty
	next   int64         // ns: the first of all; Never if both are empty
}

func newPipe() pipe {
	return pipe{firsts: [2]int64{qdisc.Never, qdisc.Never}, next: qdisc.Never}
}

// sooner is 1 if a moment is before another one, and 0 if not.
func sooner(a, b int64) uint64 { return uint64(a-b) >> 63 }

func (p *pipe) push(pkt *qdisc.Packet, at int64) {
	to := sooner(at, p.last) & 1
	p.queues[to].PushAt(pkt, at)
	p.firsts[to] = min(p.firsts[to], at)
	p.last = max(p.last, at)
	p.next = min(p.next, at)
}

// pop takes the first. There must be one.
func (p *pipe) pop(pkt *qdisc.Packet) {
	from := sooner(p.firsts[1], p.firsts[0]) & 1
	q := &p.queues[from]
	q.Take(pkt)
	p.firsts[from] = qdisc.Never
	if q.Len() > 0 {
		p.firsts[from] = q.Head().Enqueued
	} else if from == 0 {
		p.last = 0
	}
	p.next = min(p.firsts[0], p.firsts[1])
}

func (p *pipe) length() int { return p.queues[0].Len() + p.queues[1].Len() }
