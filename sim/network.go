package sim

import (
	"math/rand/v2"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim/qdisc"
	"github.com/sqmctl/sqmctl/sim/tcp"
)

// network is a scenario as it runs.
type network struct {
	scenario  *Scenario
	now       int64
	end       int64
	random    *rand.Rand
	paths     [2]*path
	bulk      []bulk    // by flow
	sparse    []*sparse // the flows after those
	answers   bool      // a sparse flow is answered
	senders   timers
	acks      timers // of receivers, for what they delay
	sparseDue int64  // when the next sparse flow sends

	milestone int64 // when pass is called next
	warm      bool
	reported  int64 // when Progress is called next
}

// bulk is a TCP transfer. It fills whole cache lines, so that none of them has
// two transfers in it, which are hardly ever needed together.
type bulk struct {
	sender    tcp.Sender
	receiver  tcp.Receiver
	arrived   int64 // segments in order, while it counts
	frames    int64 // all that came
	direction linklayer.Direction
	started   bool
}

func newNetwork(s *Scenario) *network {
	n := &network{
		scenario: s, end: int64(s.Duration),
		random:    rand.New(rand.NewPCG(s.Seed, 0x73716d)),
		milestone: int64(s.Warmup),
	}
	if s.Progress != nil {
		n.milestone = 0
	}
	for d := range n.paths {
		n.paths[d] = n.newPath(linklayer.Direction(d))
	}
	transfers := s.Ways[0].Load.Flows + s.Ways[1].Load.Flows
	n.bulk = make([]bulk, 0, transfers)
	n.senders, n.acks = newTimers(transfers), newTimers(transfers)
	for d := range n.paths {
		n.addBulk(linklayer.Direction(d))
	}
	for d := range n.paths {
		n.addSparse(linklayer.Direction(d))
	}
	n.planSparse()
	return n
}

func (n *network) newPath(d linklayer.Direction) *path {
	way := n.scenario.Ways[d]
	p := &path{n: n, direction: d, delay: int64(n.scenario.Delay), entering: newPipe(), arriving: newPipe()}
	counts := tally{from: int64(n.scenario.Warmup), until: n.end}
	if way.Line.Rate > 0 {
		p.line = newLine(way.Line)
		p.line.queue = counts
	}
	if p.router = newRouter(p, way.Router, n.random.Uint64()); p.router != nil {
		p.router.queue = counts
	}
	return p
}

// addBulk makes a direction's transfers. Each starts a round trip and a little
// after the one before, as connections do that are made one after the other.
func (n *network) addBulk(d linklayer.Direction) {
	load := n.scenario.Ways[d].Load
	there, back := tcp.NewPort(n.paths[d].enter), tcp.NewPort(n.paths[1-d].enter)
	for i := range load.Flows {
		flow := uint16(len(n.bulk))
		start := int64(i)*2*int64(n.scenario.Delay) + n.random.Int64N(1e6)
		n.bulk = append(n.bulk, bulk{
			direction: d,
			sender:    *tcp.NewSender(flow, newCongestion(load, n.random), load.ECN, there),
			receiver:  *tcp.NewReceiver(flow, 2*int64(n.scenario.Delay), back),
		})
		n.senders.set(flow, start)
	}
}

func newCongestion(l Load, random *rand.Rand) tcp.Congestion {
	switch l.Congestion {
	case Reno:
		return tcp.Reno{}
	case BBR:
		return &tcp.BBR{Random: random}
	}
	switch l.SlowStart {
	case UntilLoss:
		return &tcp.Cubic{}
	case HyStartPlus:
		return &tcp.Cubic{Exit: &tcp.HyStartPlus{}}
	}
	return &tcp.Cubic{Exit: &tcp.HyStart{}}
}

// run goes from event to event.
func (n *network) run() {
	up, down := n.paths[0], n.paths[1]
	for {
		a, b, c := up.due(), down.due(), n.sparseDue
		d := n.acks.next()
		n.now = min(a, b, c, d, n.senders.next())
		if n.now >= n.milestone {
			n.pass()
		}
		switch {
		case n.now >= n.end:
			return
		case a == n.now:
			up.step(n.now)
		case b == n.now:
			down.step(n.now)
		case c == n.now:
			n.sendSparse()
		case d == n.now:
			n.lateAck()
		default:
			n.late()
		}
	}
}

// progressStep is how often Progress is called, in ns.
const progressStep = int64(100 * time.Millisecond)

// pass does what is due at a milestone, and sets the next one.
func (n *network) pass() {
	n.milestone = qdisc.Never
	if !n.warm {
		if n.milestone = int64(n.scenario.Warmup); n.now >= n.milestone {
			n.warm, n.milestone = true, qdisc.Never
			n.countFromNow()
		}
	}
	if report := n.scenario.Progress; report != nil {
		if n.now >= n.reported {
			report(time.Duration(min(n.now, n.end)))
			n.reported = n.now + progressStep
		}
		n.milestone = min(n.milestone, n.reported)
	}
}

// countFromNow begins what counts.
func (n *network) countFromNow() {
	for _, p := range n.paths {
		if p.router != nil {
			p.router.before = p.router.all()
		}
	}
}

// late does what the sender asks for whose timer has come.
func (n *network) late() {
	flow := n.senders.first()
	b := &n.bulk[flow]
	if !b.started {
		b.started = true
		b.sender.Start(n.now)
	}
	b.sender.Late(n.now)
	n.senders.set(flow, b.sender.Deadline())
}

// lateAck does the same for a receiver.
func (n *network) lateAck() {
	flow := n.acks.first()
	r := &n.bulk[flow].receiver
	r.Late(n.now)
	n.acks.set(flow, r.Deadline())
}

// receive takes a packet that has come to its host.
func (n *network) receive(p *path, pkt *qdisc.Packet, at int64) {
	switch pkt.Kind {
	case qdisc.Data:
		flow := pkt.Flow // what pkt points to may be used again below
		b := &n.bulk[flow]
		before, due := b.receiver.Arrived, b.receiver.Deadline()
		b.receiver.Receive(pkt, at)
		if now := b.receiver.Deadline(); now != due {
			n.acks.set(flow, now)
		}
		if at >= int64(n.scenario.Warmup) && at < n.end {
			b.arrived += b.receiver.Arrived - before
			b.frames++
		}
	case qdisc.Ack:
		flow := pkt.Flow
		b := &n.bulk[flow]
		b.sender.Acknowledge(pkt, at)
		n.senders.set(flow, b.sender.Deadline())
	default:
		n.receiveSparse(p, pkt, at)
	}
}
