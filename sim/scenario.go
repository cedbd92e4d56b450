package sim

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// Scenario is a line, what stands in front of it, and the traffic on it.
type Scenario struct {
	Ways     [2]Way        // by linklayer.Direction: Egress is the upload
	Delay    time.Duration // one way without any queue, the same both ways
	Duration time.Duration // of the run
	Warmup   time.Duration // its beginning, which counts only as start-up
	Seed     uint64

	// Progress is called about every 100 ms of simulated time with how far the
	// run has got; nil: not called. It has no effect on the result.
	Progress func(at time.Duration)
}

// Way is one direction. The zero value has no limit and no traffic: packets
// take Scenario.Delay and nothing else.
type Way struct {
	Line   Line
	Router Router
	Load   Load
}

// Line is what the provider sells: a rate and the queue in front of it.
type Line struct {
	Rate          linklayer.Rate          // 0: no limit
	Buffer        int                     // bytes of wire; 0 with BufferPackets
	BufferPackets int                     // instead of Buffer; 0: Buffer counts
	Encapsulation linklayer.Encapsulation // what the line charges an IP packet with
	// Burst is how many bytes the line lets through at once after a pause, as
	// the token bucket of a provider does; packets longer than that can't pass.
	// 0: a packet takes as long as its bytes do.
	Burst int
	Vary  Vary
}

// Vary is how a line's rate wanders about its mean. The zero value is a fixed
// rate.
type Vary struct {
	Shape     Shape
	Amplitude float64       // as a fraction of the rate, below 1
	Period    time.Duration // of sine and triangle
	At        time.Duration // of a step
	Trace     []float64     // fractions of the rate, one after the other, over and over
	Interval  time.Duration // of each value of a trace
}

// Shape is the form of a varying rate.
type Shape uint8

const (
	Fixed    Shape = iota
	Sine           // 1 + Amplitude · sin(2πt/Period)
	Triangle       // from 1 up to 1+Amplitude, down to 1−Amplitude and back
	Step           // 1 before At, 1−Amplitude from then on
	Trace          // the values of Vary.Trace
)

// Router is what stands on the router in one direction.
type Router struct {
	Qdisc Qdisc
	// Shaper is the rate of an HTB class around the qdisc; 0: none, packets
	// pass as they come. CAKE has its own rate in Cake.
	Shaper           linklayer.Rate
	Burst            int                      // bytes of the class; 0: 1600
	Charge           *linklayer.Encapsulation // what the class charges an IP packet with; nil: the frame, 14 bytes more
	Limit            int                      // packets, for Bytes FIFO bytes; 0: as Linux has it
	ECN              bool                     // for CoDel, fq_codel, PIE; CAKE always marks
	Target, Interval time.Duration            // of CoDel and fq_codel; 0: 5 ms and 100 ms; PIE has only a target; 0: 15 ms
	Quantum          int                      // of fq_codel, in bytes of frames; 0: a full one
	Cake             plan.Cake                // of CAKE
	Then             []Switch                 // in order
}

// Switch puts another qdisc in place in mid-run; what was queued is lost, as
// in the kernel.
type Switch struct {
	At    time.Duration
	Qdisc Qdisc
}

// Qdisc is a kind of queue discipline; "" is none at all.
type Qdisc string

// The kinds, in tc's words.
const (
	None      Qdisc = ""
	PfifoFast Qdisc = "pfifo_fast"
	Pfifo     Qdisc = "pfifo"
	Bfifo     Qdisc = "bfifo"
	RED       Qdisc = "red"
	CoDel     Qdisc = "codel"
	FqCoDel   Qdisc = "fq_codel"
	PIE       Qdisc = "pie"
	Cake      Qdisc = "cake"
)

// Qdiscs are all kinds.
var Qdiscs = []Qdisc{PfifoFast, Pfifo, Bfifo, RED, CoDel, FqCoDel, PIE, Cake}

// Load is the traffic sent in one direction.
type Load struct {
	Flows      int // bulk TCP transfers
	Congestion Congestion
	SlowStart  SlowStart
	ECN        bool // the transfers speak ECN (RFC 3168)
	Call       bool // a packet of 200 bytes every 20 ms
	Ping       bool // 84 bytes every 200 ms, and the answer
	Web        bool // 15 packets at once every 500 ms
}

// Congestion is a congestion control.
type Congestion string

// The congestion controls.
const (
	Cubic Congestion = "cubic" // RFC 9438; what "" means
	Reno  Congestion = "reno"  // RFC 5681
	BBR   Congestion = "bbr"   // version 1
)

// Congestions are all of them.
var Congestions = []Congestion{Cubic, Reno, BBR}

// SlowStart is how CUBIC ends slow start.
type SlowStart string

// The ways out of slow start.
const (
	HyStart     SlowStart = "hystart"   // as Linux has it; what "" means
	HyStartPlus SlowStart = "hystart++" // RFC 9406
	UntilLoss   SlowStart = "loss"
)

// SlowStarts are all of them.
var SlowStarts = []SlowStart{HyStart, HyStartPlus, UntilLoss}
