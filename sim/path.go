package sim

import (
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// path is one direction, from host to host. An upload meets the router first,
// then the line, then the delay; a download the other way round.
type path struct {
	n         *network
	direction linklayer.Direction
	delay     int64
	line      *line   // nil: no limit
	router    *router // nil: packets pass

	entering, arriving pipe // to the router, to the host behind it

	at qdisc.Packet // that has just arrived

	entered, arrived int64 // packets that hosts sent and got
}

// passive tells that all a packet meets is the delay.
func (p *path) passive() bool { return p.line == nil && p.router == nil }

// enter takes a packet that a host sends, at a moment that is not past.
func (p *path) enter(pkt *qdisc.Packet, at int64) {
	p.entered++
	switch {
	case p.direction == linklayer.Ingress:
		p.cross(pkt, at+p.delay)
	case p.router == nil:
		p.cross(pkt, at)
	case at > p.n.now:
		p.entering.push(pkt, at)
	default:
		p.router.enqueue(pkt, at)
	}
}

// cross takes a packet that gets to the line.
func (p *path) cross(pkt *qdisc.Packet, at int64) {
	if p.line != nil {
		leaves, ok := p.line.pass(pkt, at)
		if !ok {
			return
		}
		at = leaves
	}
	if p.direction == linklayer.Egress {
		p.arrive(pkt, at+p.delay)
	} else if p.router != nil {
		p.entering.push(pkt, at)
	} else {
		p.arrive(pkt, at)
	}
}

// leaveRouter takes a packet that the router sends now.
func (p *path) leaveRouter(pkt *qdisc.Packet) {
	if p.direction == linklayer.Egress {
		p.cross(pkt, p.n.now)
	} else {
		p.arrive(pkt, p.n.now)
	}
}

// arrive takes a packet that gets to the far host. A host may look at it before
// its time if nothing that follows depends on the order of other events: what
// it answers then only has the delay before it.
func (p *path) arrive(pkt *qdisc.Packet, at int64) {
	if at <= p.n.now || pkt.Kind == qdisc.Data && p.back().passive() || pkt.Kind == qdisc.Sparse && !p.n.answers {
		p.deliver(pkt, at)
		return
	}
	p.arriving.push(pkt, at)
}

func (p *path) deliver(pkt *qdisc.Packet, at int64) {
	p.arrived++
	p.n.receive(p, pkt, at)
}

func (p *path) back() *path { return p.n.paths[1-p.direction] }

// due is the moment of the path's next event.
func (p *path) due() int64 {
	at := min(p.entering.next, p.arriving.next)
	if p.router != nil {
		at = min(at, p.router.due)
	}
	return at
}

// step does what is due now.
func (p *path) step(now int64) {
	for p.arriving.next <= now {
		p.arriving.pop(&p.at)
		p.deliver(&p.at, now)
	}
	for p.entering.next <= now {
		p.entering.pop(&p.at)
		p.router.enqueue(&p.at, now)
	}
	if p.router != nil && p.router.due <= now {
		p.router.serve(now)
	}
}
