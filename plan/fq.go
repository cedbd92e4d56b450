package plan

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// FQ is every option of an fq qdisc (tc-fq(8), and fq_policy in the kernel's
// net/sched/sch_fq.c).
type FQ struct {
	Limit            int            // packets
	FlowLimit        int            // packets of one flow
	Quantum          int            // bytes in a turn
	InitialQuantum   int            // bytes in the first turn of a flow
	MaxRate          linklayer.Rate // of one flow; 0: none
	Buckets          int            // of the table of flows, a power of two
	OrphanMask       uint32         // of the hash of packets that have no socket here
	Pacing           bool
	RefillDelay      time.Duration  // whole µs; how long an idle flow waits for a first turn anew
	LowRateThreshold linklayer.Rate // of a flow's pace, below which it is kept packet by packet
	CEThreshold      time.Duration  // whole µs of waiting from which a packet is marked; FQNoMarks: never
	TimerSlack       time.Duration
	Horizon          time.Duration // whole µs that a packet may be timed ahead
	HorizonDrop      bool          // what is timed beyond is dropped, not sent at the horizon
	Bands            [16]uint8     // the band, 0 to 2, of each of the kernel's priorities
	Weights          [3]int        // bytes in a turn of each band
}

// FQNoMarks is a CEThreshold at which nothing is ever marked.
const FQNoMarks = math.MaxUint32 * time.Microsecond

// FQDefaults are what a new fq has on a device whose packets have up to so many
// bytes, link header included (fq_init in the kernel's net/sched/sch_fq.c). A
// kernel that lacks an option does as its default says, or has nothing of the
// kind.
func FQDefaults(packet int) FQ {
	const most = 1 << 20
	return FQ{
		Limit: 10_000, FlowLimit: 100,
		Quantum: min(max(2*packet, 256), most), InitialQuantum: min(10*packet, most),
		Buckets: 1024, OrphanMask: 1023,
		Pacing: true, RefillDelay: 40 * time.Millisecond, LowRateThreshold: 550 * linklayer.Kbit,
		CEThreshold: FQNoMarks, TimerSlack: 10 * time.Microsecond,
		Horizon: 10 * time.Second, HorizonDrop: true,
		Bands:   [16]uint8{1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1},
		Weights: [3]int{9 << 16, 3 << 16, 1 << 16},
	}
}

// options are all attributes of fq. Bands and weights are words to newer
// versions of tc only; a new qdisc has the kernel's.
func (f *FQ) options() []option {
	number := func(name string, n int) option { return option{name, strconv.Itoa(n), fmt.Sprintf("%s %d", name, n)} }
	span := func(name string, d time.Duration) option {
		return option{name, timeWord(d), name + " " + timeWord(d)}
	}
	return []option{
		number("limit", f.Limit),
		number("flow_limit", f.FlowLimit),
		number("quantum", f.Quantum),
		number("initial_quantum", f.InitialQuantum),
		maxRateOption(f.MaxRate),
		number("buckets", f.Buckets),
		number("orphan_mask", int(f.OrphanMask)),
		either("pacing", f.Pacing, "pacing", "nopacing"),
		span("refill_delay", f.RefillDelay),
		{"low_rate_threshold", rateWord(f.LowRateThreshold), "low_rate_threshold " + rateWord(f.LowRateThreshold)},
		f.markOption(),
		{"timer_slack", fmt.Sprintf("%dns", f.TimerSlack), fmt.Sprintf("timer_slack %dns", f.TimerSlack)},
		span("horizon", f.Horizon),
		{"horizon_drop", f.horizonWord(), f.horizonWord()},
		{"priomap", fmt.Sprint(f.Bands), ""},
		{"weights", fmt.Sprint(f.Weights), ""},
	}
}

func maxRateOption(r linklayer.Rate) option {
	if r.BytesPerSecond() == 0 {
		return option{"maxrate", "none", ""}
	}
	return option{"maxrate", rateWord(r), "maxrate " + rateWord(r)}
}

func (f *FQ) markOption() option {
	if f.CEThreshold >= FQNoMarks {
		return option{"ce_threshold", "none", ""}
	}
	return option{"ce_threshold", timeWord(f.CEThreshold), "ce_threshold " + timeWord(f.CEThreshold)}
}

func (f *FQ) horizonWord() string {
	if f.HorizonDrop {
		return "horizon_drop"
	}
	return "horizon_cap"
}
