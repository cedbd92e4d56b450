package sim

import (
	"time"

	"github.com/sqmctl/sqmctl/sim/tcp"
)

// result is what there is to say at the end.
func (n *network) result() *Result {
	r := &Result{}
	for d, p := range n.paths {
		r.Packets += p.entered
		w := &r.Ways[d]
		n.accountBulk(w, p)
		n.accountSparse(w, p)
		if p.line != nil {
			w.Modem = p.line.queue.queue()
			w.Busy = min(1, float64(p.line.busy)/float64(n.counting())) // a burst may be worth more
		}
		if p.router != nil {
			w.Router = p.router.queue.queue()
			w.Signals = p.router.all()
			add(&w.Signals, &p.router.before, -1)
			w.Router.Dropped = w.Signals.Dropped()
		}
	}
	return r
}

// counting is how long the part of the run is that counts.
func (n *network) counting() time.Duration { return n.scenario.Duration - n.scenario.Warmup }

func (n *network) accountBulk(w *WayResult, p *path) {
	var segments, frames int64
	for i := range n.bulk {
		if b := &n.bulk[i]; b.direction == p.direction {
			segments += b.arrived
			frames += b.frames
		}
	}
	seconds := n.counting().Seconds()
	w.Goodput = float64(segments*tcp.Payload*8) / seconds
	w.Frames = float64(frames*tcp.Frame*8) / seconds
}

func (n *network) accountSparse(w *WayResult, p *path) {
	for _, s := range n.sparse {
		if s.direction != p.direction {
			continue
		}
		switch s.kind {
		case call:
			w.Call, w.Startup = spread(s.delays[s.early:]), spread(s.delays[:s.early])
			w.Call.Lost = s.lost(int64(n.scenario.Warmup))
			w.Call.Idle = n.idle(p)
			w.Course = s.course
		case ping:
			w.Ping = spread(s.delays[s.early:])
			w.Ping.Lost = s.lost(int64(n.scenario.Warmup))
			w.Ping.Idle = 2 * n.scenario.Delay
		case web:
			w.Web = spread(s.delays[s.early:])
			w.Web.Lost = s.lost(int64(n.scenario.Warmup))
		}
	}
}

// idle is the delay of a call's packet that meets no other.
func (n *network) idle(p *path) time.Duration {
	at := n.scenario.Delay
	if p.line != nil && p.line.burst == 0 {
		at += time.Duration(p.line.times[sparseShape[call].size])
	}
	return at
}
