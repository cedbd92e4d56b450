package netlinkqdisc

import "github.com/sqmctl/sqmctl/plan"

// fq_codel's options (TCA_FQ_CODEL_* in linux/pkt_sched.h).
const (
	fqCodelTarget    = 1 // µs
	fqCodelLimit     = 2
	fqCodelInterval  = 3 // µs
	fqCodelECN       = 4
	fqCodelFlows     = 5
	fqCodelQuantum   = 6
	fqCodelDropBatch = 8
	fqCodelMemory    = 9
	fqCodelMax       = 9
)

// readFQCodel reads fq_codel's options.
func readFQCodel(options []byte) (*plan.FQCodel, error) {
	var table [fqCodelMax + 1][]byte
	if err := parse(options, table[:]); err != nil {
		return nil, err
	}
	number := func(kind int) uint32 { return uint32(unsigned(table[kind])) }
	return &plan.FQCodel{
		Limit: int(number(fqCodelLimit)), Flows: int(number(fqCodelFlows)), Quantum: int(number(fqCodelQuantum)),
		Target: plan.CodelTime(number(fqCodelTarget)), Interval: plan.CodelTime(number(fqCodelInterval)),
		MemoryLimit: number(fqCodelMemory), ECN: number(fqCodelECN) != 0, DropBatch: int(number(fqCodelDropBatch)),
	}, nil
}

// readFQCodelStats reads a struct tc_fq_codel_qd_stats, the qdisc's half of the
// union in TCA_XSTATS (linux/pkt_sched.h); nil if there is none.
func readFQCodelStats(xstats []byte) *plan.FQCodelStats {
	const ofQdisc, short = 0, 28
	if len(xstats) < short || unsigned32(xstats, 0) != ofQdisc {
		return nil
	}
	return &plan.FQCodelStats{
		MaxPacket: int(unsigned32(xstats, 4)), DropOverlimit: uint64(unsigned32(xstats, 8)), NewFlows: uint64(unsigned32(xstats, 16)),
		MemoryUsed: uint64(unsigned32(xstats, 32)), DropOvermemory: uint64(unsigned32(xstats, 36)),
	}
}
