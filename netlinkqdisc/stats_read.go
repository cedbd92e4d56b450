package netlinkqdisc

import (
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// The nest TCA_STATS2 (linux/gen_stats.h).
const (
	statsBasic = 1 // struct gnet_stats_basic: bytes, 64 bits; packets, 32 bits
	statsQueue = 3 // struct gnet_stats_queue
	statsApp   = 4 // the kind's own
	statsPkt64 = 8 // packets, only where 32 bits don't hold them
	statsMax   = 8
)

// readStats prefers the nest TCA_STATS2, whose counters don't wrap, to the
// struct TCA_STATS.
func readStats(m *message) (plan.Stats, error) {
	var s plan.Stats
	var err error
	if nest := m.attribute[unix.TCA_STATS2]; nest != nil {
		s, err = readStats2(nest)
	} else {
		s = readStats1(m.attribute[unix.TCA_STATS])
	}
	s.Marks = readMarks(m)
	return s, err
}

// readStats2 reads a nest of TCA_STATS_*, as qdiscs, classes and actions have.
func readStats2(nest []byte) (plan.Stats, error) {
	var table [statsMax + 1][]byte
	err := parse(nest, table[:])
	basic, queue := table[statsBasic], table[statsQueue]
	s := plan.Stats{
		Bytes:      unsigned64(basic, 0),
		Packets:    uint64(unsigned32(basic, 8)),
		Queued:     uint64(unsigned32(queue, 0)),
		Backlog:    uint64(unsigned32(queue, 4)),
		Drops:      uint64(unsigned32(queue, 8)),
		Requeues:   uint64(unsigned32(queue, 12)),
		Overlimits: uint64(unsigned32(queue, 16)),
	}
	if packets := table[statsPkt64]; packets != nil {
		s.Packets = unsigned(packets)
	}
	return s, err
}

// readStats1 reads a struct tc_stats (linux/pkt_sched.h), which has no
// requeues.
func readStats1(b []byte) plan.Stats {
	return plan.Stats{
		Bytes:      unsigned64(b, 0),
		Packets:    uint64(unsigned32(b, 8)),
		Drops:      uint64(unsigned32(b, 12)),
		Overlimits: uint64(unsigned32(b, 16)),
		Queued:     uint64(unsigned32(b, 28)),
		Backlog:    uint64(unsigned32(b, 32)),
	}
}

// marksOffset is where a kind's TCA_XSTATS has the packets that it marked
// (struct tc_*_xstats in linux/pkt_sched.h).
var marksOffset = map[string]int{
	"fq_codel": 12, // behind the type and two more of the union's qdisc part
	"codel":    24,
	"red":      12,
	"pie":      36,
	"fq_pie":   16,
}

func readMarks(m *message) uint64 {
	offset, ok := marksOffset[m.kind]
	xstats := m.attribute[unix.TCA_XSTATS]
	if !ok || m.kind == "fq_codel" && unsigned32(xstats, 0) != 0 {
		return 0 // type 1 of fq_codel's union is a flow's
	}
	return uint64(unsigned32(xstats, offset))
}
