package sim

import (
	"time"

	"github.com/sqmctl/sqmctl/sim/qdisc"
	"github.com/sqmctl/sqmctl/sim/tcp"
)

// router is a qdisc with a rate on a path. It counts what goes in and out, so
// that nothing can get lost unnoticed.
type router struct {
	p        *path
	settings Router
	seed     uint64
	q        qdisc.Qdisc
	due      int64 // when to serve
	then     []Switch

	in, out, gone int64         // packets; gone: in qdiscs that were replaced
	signals       qdisc.Signals // of those
	before        qdisc.Signals // when the warm-up ended
	queue         tally
}

// newRouter is nil for what lets packets pass as they come.
func newRouter(p *path, r Router, seed uint64) *router {
	if !r.limits(r.Qdisc) {
		return nil
	}
	n := &router{p: p, settings: r, seed: seed, due: qdisc.Never, then: r.Then}
	n.q = n.build(r.Qdisc)
	return n
}

// limits tells whether a kind of qdisc would have a rate.
func (r *Router) limits(kind Qdisc) bool {
	if kind == Cake {
		return r.Cake.Rate > 0
	}
	return kind != None && r.Shaper > 0
}

const (
	classBurst = 1600 // bytes, as tc computes it for a rate with a fine timer
	target     = 5 * time.Millisecond
	interval   = 100 * time.Millisecond
)

func (r *router) build(kind Qdisc) qdisc.Qdisc {
	s := r.settings
	if kind == Cake {
		return qdisc.NewCake(s.Cake, r.seed)
	}
	return qdisc.NewHTB(s.plain(kind, r.seed), s.Shaper, or(s.Burst, classBurst), s.charge())
}

func (s Router) charge() *qdisc.Charge {
	if s.Charge == nil {
		return qdisc.FrameCharge()
	}
	return qdisc.WireCharge(*s.Charge)
}

// plain is a qdisc without a rate.
func (s Router) plain(kind Qdisc, seed uint64) qdisc.Qdisc {
	t, i := int64(or(s.Target, target)), int64(or(s.Interval, interval))
	switch kind {
	case Bfifo:
		return qdisc.NewByteFIFO(or(s.Limit, 1000*1514))
	case CoDel:
		return qdisc.NewCoDel(or(s.Limit, 1000), t, i, s.ECN)
	case FqCoDel:
		return qdisc.NewFQCodel(qdisc.FQCodelOptions{Limit: s.Limit, Target: t, Interval: i, Quantum: s.Quantum, ECN: s.ECN}, seed)
	case RED:
		return qdisc.NewRED(s.red(), seed)
	case PIE:
		return qdisc.NewPIE(or(s.Limit, 1000), int64(or(s.Target, qdisc.PIETarget)), s.ECN, seed)
	}
	return qdisc.NewFIFO(or(s.Limit, 1000))
}

// red is RED for the shaper's rate: drops begin at half of a queueing delay of
// 5 ms, but at 5 packets at the least, and end at three times as much (Floyd,
// Gummadi and Shenker, Adaptive RED, 2001).
func (s Router) red() qdisc.REDOptions {
	packet := s.Shaper.Time(s.charge().Size(tcp.Frame))
	least := max(5, int(target/2/max(packet, 1)))
	return qdisc.REDOptions{
		Limit: or(s.Limit, 1000), Min: least, Max: 3 * least,
		PacketTime: int64(packet), ECN: s.ECN,
	}
}

// or is a, or b if a is zero.
func or[T comparable](a, b T) T {
	var zero T
	if a == zero {
		return b
	}
	return a
}

func (r *router) enqueue(p *qdisc.Packet, now int64) {
	r.in++
	r.q.Enqueue(*p, now)
	r.serve(now)
}

// serve sends what may go now.
func (r *router) serve(now int64) {
	for len(r.then) > 0 && now >= int64(r.then[0].At) {
		r.change(r.then[0].Qdisc)
		r.then = r.then[1:]
	}
	for {
		if r.due = r.q.Ready(); r.due > now {
			return
		}
		p, ok := r.q.Dequeue(now)
		if !ok {
			if r.due = r.q.Ready(); r.due <= now {
				r.due = now + 1
			}
			return
		}
		r.out++
		r.queue.note(now-p.Enqueued, now)
		r.p.leaveRouter(&p)
	}
}

// change puts another qdisc in place.
func (r *router) change(to Qdisc) {
	r.gone += int64(r.q.Len())
	add(&r.signals, r.q.Signals(), 1)
	r.q = r.build(to)
}

func add(to, from *qdisc.Signals, times int64) {
	for i := range to.Drops {
		to.Drops[i] += times * from.Drops[i]
	}
	to.Marks += times * from.Marks
}

// all is what all qdiscs so far have signalled.
func (r *router) all() qdisc.Signals {
	all := r.signals
	add(&all, r.q.Signals(), 1)
	return all
}
