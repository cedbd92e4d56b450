package netlinkqdisc

import (
	"encoding/binary"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// fq's options (TCA_FQ_* in linux/pkt_sched.h).
const (
	fqLimit          = 1
	fqFlowLimit      = 2
	fqQuantum        = 3
	fqInitialQuantum = 4
	fqRateEnable     = 5
	fqMaxRate        = 7 // bytes per second
	fqBucketsLog     = 8
	fqRefillDelay    = 9 // µs
	fqOrphanMask     = 10
	fqLowRate        = 11 // bytes per second
	fqCEThreshold    = 12 // µs
	fqTimerSlack     = 13 // ns
	fqHorizon        = 14 // µs
	fqHorizonDrop    = 15
	fqPriomap        = 16 // struct tc_prio_qopt
	fqWeights        = 17
	fqMax            = 17

	fqUnlimited = 1<<32 - 1
	priomapAt   = 4 // in struct tc_prio_qopt, behind the number of bands
	fqBands     = 3
)

// readFQ reads fq's options. What an older kernel doesn't tell it can't be told
// either: it is taken for the default.
func readFQ(options []byte) (*plan.FQ, error) {
	var table [fqMax + 1][]byte
	if err := parse(options, table[:]); err != nil {
		return nil, err
	}
	number := func(kind int) int { return int(uint32(unsigned(table[kind]))) }
	f := plan.FQDefaults(0)
	f.Limit, f.FlowLimit = number(fqLimit), number(fqFlowLimit)
	f.Quantum, f.InitialQuantum = number(fqQuantum), number(fqInitialQuantum)
	f.OrphanMask, f.Pacing = uint32(number(fqOrphanMask)), number(fqRateEnable) != 0
	f.Buckets = 1 << (number(fqBucketsLog) % 32)
	f.RefillDelay = time.Duration(number(fqRefillDelay)) * time.Microsecond
	if rate := unsigned(table[fqMaxRate]); rate != fqUnlimited {
		f.MaxRate = linklayer.FromBytesPerSecond(rate)
	}
	if table[fqLowRate] != nil {
		f.LowRateThreshold = linklayer.FromBytesPerSecond(unsigned(table[fqLowRate]))
	}
	if table[fqCEThreshold] != nil {
		f.CEThreshold = time.Duration(number(fqCEThreshold)) * time.Microsecond
	}
	readFQTimes(&f, table[:])
	readFQBands(&f, table[:])
	return &f, nil
}

func readFQTimes(f *plan.FQ, table [][]byte) {
	if table[fqTimerSlack] != nil {
		f.TimerSlack = time.Duration(unsigned32(table[fqTimerSlack], 0))
	}
	if table[fqHorizon] != nil {
		f.Horizon = time.Duration(unsigned32(table[fqHorizon], 0)) * time.Microsecond
		f.HorizonDrop = unsigned(table[fqHorizonDrop]) != 0
	}
}

func readFQBands(f *plan.FQ, table [][]byte) {
	if bands := table[fqPriomap]; len(bands) >= priomapAt+len(f.Bands) {
		copy(f.Bands[:], bands[priomapAt:])
	}
	if weights := table[fqWeights]; len(weights) >= 4*fqBands {
		for i := range f.Weights {
			f.Weights[i] = int(int32(binary.NativeEndian.Uint32(weights[4*i:])))
		}
	}
}

// readFQStats reads a struct tc_fq_qd_stats, which is only in TCA_STATS2 under
// TCA_STATS_APP, and how many packets fq has marked. It is nil without an error
// if there is nothing.
func readFQStats(m *message) (stats *plan.FQStats, marks uint64, err error) {
	var table [statsMax + 1][]byte
	err = parse(m.attribute[unix.TCA_STATS2], table[:])
	b := table[statsApp]
	if b == nil {
		return nil, 0, err
	}
	return &plan.FQStats{
		Throttled: unsigned64(b, 24), FlowLimitDrops: unsigned64(b, 32),
		Flows: uint64(unsigned32(b, 64)), InactiveFlows: uint64(unsigned32(b, 68)), ThrottledFlows: uint64(unsigned32(b, 72)),
		HorizonDrops: unsigned64(b, 88),
	}, unsigned64(b, 80), err
}
