package sim

import "github.com/sqmctl/sqmctl/sim/qdisc"

// pipe holds packets until the moments at which they get somewhere. While they
// are in here, Enqueued is that moment. Nearly all come in order. What is late
// made up, as a delayed acknowledgement, would have to pass all that hosts have
// answered before its time; so it goes into a queue beside.
type pipe struct {
	inOrder, beside qdisc.Ring
	next            int64 // ns: the first of all; Never if it is empty
}

func (p *pipe) push(pkt *qdisc.Packet, at int64) {
	if n := p.inOrder.Len(); n == 0 || p.inOrder.Last().Enqueued <= at {
		p.inOrder.PushAt(pkt, at)
	} else {
		p.beside.PushAt(pkt, at)
	}
	p.next = min(p.next, at)
}

// pop takes the first. There must be one.
func (p *pipe) pop() qdisc.Packet {
	from, other := &p.inOrder, &p.beside
	if other.Len() > 0 && (from.Len() == 0 || other.Head().Enqueued < from.Head().Enqueued) {
		from, other = other, from
	}
	pkt := from.Pop()
	p.next = qdisc.Never
	if from.Len() > 0 {
		p.next = from.Head().Enqueued
	}
	if other.Len() > 0 {
		p.next = min(p.next, other.Head().Enqueued)
	}
	return pkt
}

func (p *pipe) length() int { return p.inOrder.Len() + p.beside.Len() }
