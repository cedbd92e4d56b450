package netlinkqdisc

import (
	"errors"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// readQdisc reads a RTM_NEWQDISC message. Of a kind that it doesn't know it
// reads what all kinds have. With an error, what could be read is there.
func readQdisc(m *message, devices names) (plan.QdiscState, error) {
	q := plan.QdiscState{Qdisc: plan.Qdisc{
		Link:   devices.of(m.index),
		Kind:   m.kind,
		Handle: m.handle,
		Parent: m.parent,
	}}
	var faults [4]error
	q.Stats, faults[0] = readStats(m)
	q.Stab, faults[1] = readStab(m.attribute[unix.TCA_STAB])
	switch m.kind {
	case "htb":
		q.HTB, q.DirectPackets, faults[2] = readHTB(m.attribute[unix.TCA_OPTIONS])
	case "fq_codel":
		q.FQCodel, faults[2] = readFQCodel(m.attribute[unix.TCA_OPTIONS])
		q.FQCodelStats = readFQCodelStats(m.attribute[unix.TCA_XSTATS])
	case "pfifo", "bfifo":
		q.FIFOLimit = readFIFO(m.attribute[unix.TCA_OPTIONS])
	case "fq":
		q.FQ, faults[2] = readFQ(m.attribute[unix.TCA_OPTIONS])
		q.FQStats, q.Stats.Marks, faults[3] = readFQStats(m)
	}
	if isCake(m.kind) {
		q.Cake, faults[2] = readCake(m.attribute[unix.TCA_OPTIONS])
		q.CakeStats, faults[3] = readCakeStats(m)
		q.Stats.Marks = marks(q.CakeStats)
	}
	return q, first(faults[:]...)
}

// readFIFO reads a struct tc_fifo_qopt (linux/pkt_sched.h): packets of a pfifo, or
// bytes of a bfifo.
func readFIFO(options []byte) int {
	const length = 4
	if len(options) < length {
		return 0
	}
	return int(unsigned32(options, 0))
}

// marks are the packets that all of CAKE's tins have marked.
func marks(s *plan.CakeStats) (sum uint64) {
	if s == nil {
		return 0
	}
	for i := range s.Tins {
		sum += s.Tins[i].Marks
	}
	return sum
}

// first is the first error of several; one line is enough for a person.
func first(faults ...error) error {
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

var errOptions = errors.New("its options are cut off")
