package sim

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// Result is what a run showed, after its warm-up unless a field says otherwise.
type Result struct {
	Ways    [2]WayResult // by linklayer.Direction
	Packets int64        // all that were sent, from the start: the work of the run
}

// WayResult is one direction.
type WayResult struct {
	Call    Delay // one way
	Startup Delay // of the call during the warm-up
	Ping    Delay // there and back
	Web     Delay // one way, of each packet of a burst

	Goodput float64 // bit/s of TCP payload that arrived, each segment once
	Frames  float64 // bit/s of the bulk transfers' frames, as a speed test counts
	Busy    float64 // part of the time that the line was sending; 0 without a line

	Router  Queue         // the router's qdisc
	Modem   Queue         // the line's own queue
	Signals qdisc.Signals // of the router's qdisc

	// Course is the call's delay over the whole run, the greatest of what
	// arrived in each CourseInterval, from the start; 0 where nothing did.
	Course []time.Duration
}

// CourseInterval is how long each value of WayResult.Course stands for.
const CourseInterval = 100 * time.Millisecond

// Delay is a distribution of delays; all zero without packets.
type Delay struct {
	Count                             int           // packets that arrived
	Lost                              int           // and that didn't
	Idle, Median, P95, P99, Max, Mean time.Duration // Idle: on an empty line
}

// LostPart is the part of the packets that didn't arrive, from 0 to 1.
func (d *Delay) LostPart() float64 {
	if d.Lost == 0 {
		return 0
	}
	return float64(d.Lost) / float64(d.Count+d.Lost)
}

// Queue is a place where packets wait.
type Queue struct {
	Mean, Max time.Duration // how long packets that left waited, without their own time on the line
	Dropped   int64         // packets
}

// Bottleneck tells where the queue stands.
type Bottleneck uint8

const (
	NoBottleneck Bottleneck = iota // nothing waits
	RouterQueue                    // in the router, which can manage it
	ModemQueue                     // in the modem or at the provider, which can't
)

func (b Bottleneck) String() string { return [...]string{"none", "router", "modem"}[b] }

// Where is the place in which packets wait for longer; NoBottleneck if that is
// less than half a full packet's time at this rate.
func (w WayResult) Where(rate linklayer.Rate) Bottleneck {
	switch {
	case max(w.Router.Mean, w.Modem.Mean) < rate.Time(1538)/2:
		return NoBottleneck
	case w.Router.Mean >= w.Modem.Mean:
		return RouterQueue
	}
	return ModemQueue
}
