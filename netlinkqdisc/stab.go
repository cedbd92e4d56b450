package netlinkqdisc

import (
	"encoding/binary"
	"errors"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// The nest TCA_STAB (linux/pkt_sched.h). The kernel takes base and data, and
// gives back the base only.
const (
	stabBase = 1 // struct tc_sizespec
	stabData = 2 // 16 bits for each entry
	stabMax  = 2

	sizespecLength = 24
	linklayerATM   = 2
)

var errStab = errors.New("its size table is cut off")

// readStab is nil without an error for a qdisc that has no size table.
func readStab(nest []byte) (*plan.Stab, error) {
	if nest == nil {
		return nil, nil
	}
	var table [stabMax + 1][]byte
	if err := parse(nest, table[:]); err != nil {
		return nil, err
	}
	base := table[stabBase]
	if len(base) < sizespecLength {
		return nil, errStab
	}
	return &plan.Stab{
		Overhead: int(int32(unsigned32(base, 4))),
		ATM:      unsigned32(base, 8) == linklayerATM,
		MPU:      int(unsigned32(base, 12)),
		MTU:      int(unsigned32(base, 16)),
		Size:     int(unsigned32(base, 20)),
	}, nil
}

// completeStab adds to a size table as dumped the entries that the kernel
// wants to see again. They follow from the base: entry i is what a packet of
// (i+1)·2^cell_log bytes occupies, MPU and cells counted, in units of
// 2^size_log (tc-stab(8); qdisc_get_stab and __qdisc_calculate_pkt_len in
// net/sched/sch_api.c).
func completeStab(nest []byte) []byte {
	var table [stabMax + 1][]byte
	if parse(nest, table[:]) != nil || len(table[stabBase]) < sizespecLength {
		return nest
	}
	base := table[stabBase]
	whole := appendAttribute(nil, stabBase, base)
	entries := min(unsigned32(base, 20), 1<<14) // an attribute holds no more
	if entries == 0 {
		return whole
	}
	line := linklayer.Encapsulation{MPU: int(min(unsigned32(base, 12), 1<<16))}
	if unsigned32(base, 8) == linklayerATM {
		line.Framing = linklayer.ATM
	}
	var data []byte
	for i := range int(entries) {
		size := line.WireSize((i + 1) << min(base[0], 16))
		data = binary.NativeEndian.AppendUint16(data, uint16(size>>min(base[1], 31)))
	}
	return appendAttribute(whole, stabData, data)
}
