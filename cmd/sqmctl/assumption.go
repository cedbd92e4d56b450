package main

import (
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// assumption is what preview takes for granted about a line, because neither
// profile nor invoice tells.
type assumption struct {
	prefix string // of the types that it is for
	up     int    // bytes that the modem can queue
	down   int    // bytes that the provider can
	why    string // of the two
	rtt    time.Duration
	wobble float64 // by how many percent the rate varies, up and down
}

// A queue that is sized in time holds at least as much as the line carries in
// this time: less would cost a lone TCP transfer throughput.
const leastQueue = 50 * time.Millisecond

// And at most as much as it carries in this time: a line that is that slow has
// a modem made for slow lines.
const mostQueue = 2 * time.Second

// smallestQueue is no more than twenty packets.
const smallestQueue = 32 << 10

// wired is the way to a server in the same country; a radio adds its own.
const wired = 24 * time.Millisecond

// assumptions are looked at in order; the last one is for every type.
var assumptions = []assumption{
	{"docsis", 512 << 10, 1 << 20, "cable modems without buffer control queue far more than TCP needs, which CableLabs' guideline CM-GL-Buffer was written against; one with an AQM of its own (DOCSIS 3.1) queues less", wired, 0},
	{"adsl", 128 << 10, 512 << 10, "a DSL modem's queue is a fixed number of packets, made for the fastest profile of its standard; on a slow line that is seconds", wired, 0},
	{"vdsl", 256 << 10, 1 << 20, "a DSL modem's queue is a fixed number of packets, made for the fastest profile of its standard", wired, 0},
	{"gpon", 512 << 10, 1 << 20, "a fibre box queues for the gaps between the moments at which it may send, at the full rate of the fibre, which is far above the invoice's", wired, 0},
	{"ethernet", 512 << 10, 1 << 20, "the switch at the other end has a queue for a port that is far faster than the invoice", wired, 0},
	{"lte", 1 << 20, 2 << 20, "a cell queues for each subscriber, long enough to bridge the moments in which the radio carries nothing", 50 * time.Millisecond, 15},
	{"5g", 1 << 20, 4 << 20, "a cell queues for each subscriber, long enough to bridge the moments in which the radio carries nothing", 40 * time.Millisecond, 15},
	{"starlink", 1 << 20, 4 << 20, "a terminal queues through the change from one satellite to the next", 40 * time.Millisecond, 15},
	{"fixed-wireless", 512 << 10, 2 << 20, "a radio queues for its turn to send", 30 * time.Millisecond, 10},
	{"", 512 << 10, 1 << 20, "nothing is known about this line; 512 KiB is what one would find at a usual modem", wired, 0},
}

func assumptionFor(a linklayer.Access) assumption {
	for _, as := range assumptions {
		if strings.HasPrefix(a.Name, as.prefix) {
			return as
		}
	}
	panic("the last assumption has a prefix")
}

// buffer is the queue in one direction, at a rate.
func (a *assumption) buffer(d linklayer.Direction, rate linklayer.Rate) int {
	bytes := a.up
	if d == linklayer.Ingress {
		bytes = a.down
	}
	within := func(t time.Duration) int {
		return int(rate.BytesPerSecond()*uint64(t/time.Millisecond)/1000) >> 10 << 10
	}
	return min(max(bytes, within(leastQueue)), max(within(mostQueue), smallestQueue))
}
