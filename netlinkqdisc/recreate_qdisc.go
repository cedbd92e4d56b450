package netlinkqdisc

import (
	"encoding/binary"
	"slices"

	"golang.org/x/sys/unix"
)

// A dump is nearly the request that makes the object again. The files
// recreate_*.go know the differences.

// qdiscAgain is the request for a qdisc as dumped.
func qdiscAgain(m *message) []byte {
	b := appendFrom(header(m.index, m.handle, m.parent, 0), m, unix.TCA_KIND)
	if options := m.attribute[unix.TCA_OPTIONS]; options != nil {
		if repair, ok := qdiscRepairs[m.kind]; ok {
			options = repair(options)
		}
		b = appendAttribute(b, unix.TCA_OPTIONS, options)
	}
	b = appendFrom(b, m, unix.TCA_INGRESS_BLOCK, unix.TCA_EGRESS_BLOCK)
	if stab := m.attribute[unix.TCA_STAB]; stab != nil {
		b = appendAttribute(b, unix.TCA_STAB, completeStab(stab))
	}
	return b
}

// qdiscBack is the request that changes a qdisc in place to what it was as
// dumped. Some kinds refuse to hear again what only a new one takes.
func qdiscBack(m *message) []byte {
	was := *m
	switch m.kind {
	case "htb": // takes no change of options at all
		was.attribute[unix.TCA_OPTIONS] = nil
	case "fq_codel":
		was.attribute[unix.TCA_OPTIONS] = rewrite(m.attribute[unix.TCA_OPTIONS], func(kind int, value []byte) []byte {
			if kind == fqCodelFlows {
				return nil
			}
			return value
		})
	}
	return qdiscAgain(&was)
}

// appendFrom copies attributes that the message has.
func appendFrom(b []byte, m *message, kinds ...int) []byte {
	for _, kind := range kinds {
		if value := m.attribute[kind]; value != nil {
			b = appendAttribute(b, kind, value)
		}
	}
	return b
}

// qdiscRepairs make options from what a kind dumps where those differ.
var qdiscRepairs = map[string]func([]byte) []byte{
	"htb":      repairHTB,
	"sfq":      repairSFQ,
	"red":      repairRED,
	"choke":    repairRED,
	"codel":    repairTimes(1, 3, 5), // TCA_CODEL_TARGET, _INTERVAL, _CE_THRESHOLD
	"fq_codel": repairTimes(1, 3, 7), // TCA_FQ_CODEL_TARGET, _INTERVAL, _CE_THRESHOLD
}

// repairTimes: CoDel takes a time in µs, keeps it in units of 1024 ns and
// dumps it in µs, rounded down each time (codel_time_to_us in
// include/net/codel.h): 5 ms is shown as 4999 µs, and 4999 µs as 4998. One µs
// more than is shown, in 1024 ns, is always what was kept.
func repairTimes(times ...int) func([]byte) []byte {
	return func(options []byte) []byte {
		return rewrite(options, func(kind int, value []byte) []byte {
			if slices.Contains(times, kind) && len(value) == 4 {
				value = binary.NativeEndian.AppendUint32(nil, unsigned32(value, 0)+1)
			}
			return value
		})
	}
}

// repairHTB: HTB dumps its version with the minor number, 3.17, and wants it
// without (htb_init in net/sched/sch_htb.c).
func repairHTB(options []byte) []byte {
	const htbInit = 2 // struct tc_htb_glob, that begins with the version
	return rewrite(options, func(kind int, value []byte) []byte {
		if kind == htbInit && len(value) >= 4 {
			value = slices.Clone(value)
			binary.NativeEndian.PutUint32(value, unsigned32(value, 0)>>16)
		}
		return value
	})
}

// repairSFQ: SFQ makes no more flows than packets if it is told the limit, so
// where it has more flows it wasn't told (sfq_change in net/sched/sch_sfq.c).
func repairSFQ(options []byte) []byte {
	const limit, flows = 8, 16 // in struct tc_sfq_qopt
	if unsigned32(options, flows) <= unsigned32(options, limit) {
		return options
	}
	options = slices.Clone(options)
	binary.NativeEndian.PutUint32(options[limit:], 0)
	return options
}

// repairRED: RED insists on the table by which its average falls when idle,
// and never shows it. With zeros it falls by half (red_calc_qavg_from_idle_time
// in include/net/red.h). And it refuses flags in both places where it shows
// them (red_get_flags in include/net/pkt_sched.h).
func repairRED(options []byte) []byte {
	const (
		redParms, redStab, redFlags = 1, 2, 4
		flagsOffset                 = 15 // in struct tc_red_qopt
		stabSize                    = 256
	)
	var table [redFlags + 1][]byte
	_ = parse(options, table[:])
	again := rewrite(options, func(kind int, value []byte) []byte {
		if kind == redParms && table[redFlags] != nil && len(value) > flagsOffset {
			value = slices.Clone(value)
			value[flagsOffset] = 0
		}
		return value
	})
	return appendAttribute(again, redStab, make([]byte, stabSize))
}

// classAgain is the request for a class as dumped. HTB wants no rate tables as
// long as the rates name their link layer, and dumped ones do.
func classAgain(m *message) []byte {
	return appendFrom(header(m.index, m.handle, m.parent, 0), m, unix.TCA_KIND, unix.TCA_OPTIONS)
}

// rewrite copies attributes through f, and leaves out those that it makes nil.
func rewrite(b []byte, f func(kind int, value []byte) []byte) []byte {
	var again []byte
	_ = eachAttribute(b, func(kind int, value []byte) {
		if value = f(kind, value); value != nil {
			again = appendAttribute(again, kind, value)
		}
	})
	return again
}
