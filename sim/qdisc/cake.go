package qdisc

import (
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// Cake is CAKE as Linux has it (net/sched/sch_cake.c): a shaper without burst,
// priority tins, in each of them queues for flows that share first between
// hosts, and COBALT in each queue. Packets are single frames here, so SplitGSO
// has nothing to split, and NAT, Wash and FwMark have nothing to look at.
type Cake struct {
	// Hosts tells the two hosts of a flow, for the isolations that share
	// between hosts. Without it all flows are between the same two. Set it
	// before the first packet.
	Hosts func(flow uint16) (source, destination uint16)

	options     plan.Cake
	charge      *Charge
	sides       hostSides
	seed        uint32
	random      random
	classTins   *[4]uint8
	tins        []tin
	current     int // tin
	rate        uint64
	pace        pace
	next        int64 // ns: the shaper's next packet
	failsafe    int64 // ns: the same by a slower clock, which drops don't advance
	memoryLimit int
	memory      int
	packets     int
	bytes       int
	buffer      buffer
	longest     longest
	autorate    autorate
	signals     Signals
}

// NewCake is an empty CAKE. An RTT or Target of 0 is 100 ms, or a twentieth of
// the RTT; a MemoryLimit of 0 is worked out from the rate. The seed decides
// which flows share a queue, and what the kernel leaves to chance.
func NewCake(o plan.Cake, seed uint64) *Cake {
	q := &Cake{
		options:   o,
		charge:    cakeCharge(&o),
		sides:     sidesOf(o.Isolation),
		seed:      mix(uint32(seed)) ^ uint32(seed>>32),
		random:    newRandom(seed),
		classTins: &classTins[o.Diffserv],
		tins:      make([]tin, tinCounts[o.Diffserv]),
	}
	q.configure(o.Rate.BytesPerSecond())
	q.longest.tins = q.tins
	q.autorate = newAutorate(q.rate)
	return q
}

// SetRate changes the rate, as tc does in mid-run; zero is no limit.
func (q *Cake) SetRate(rate linklayer.Rate) { q.configure(rate.BytesPerSecond()) }

// configure works out everything that depends on the rate in bytes/s.
func (q *Cake) configure(rate uint64) {
	rtt, target := cakeTimes(&q.options)
	for i := range q.tins {
		t := &q.tins[i]
		share, weight := tinShare(q.options.Diffserv, i, rate)
		t.tinSettings = settle(share, rtt, target, weight)
		if rate == 0 {
			t.deficit = 0 // turns count from now
		}
	}
	q.rate, q.pace = rate, q.tins[0].pace
	q.memoryLimit = cakeMemory(&q.options, rate)
}

// prepare makes a tin's tables.
func (t *tin) prepare() {
	if t.tinTables == nil {
		t.tinTables = new(tinTables)
	}
}

// Ready is Qdisc's.
func (q *Cake) Ready() int64 {
	if q.packets == 0 {
		return Never
	}
	return min(q.next, q.failsafe)
}

// Len is Qdisc's.
func (q *Cake) Len() int { return q.packets }

// Bytes is Qdisc's.
func (q *Cake) Bytes() int { return q.bytes }

// Signals is Qdisc's.
func (q *Cake) Signals() *Signals { return &q.signals }
