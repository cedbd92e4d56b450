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

// stabNest is a size table as an attribute: struct tc_sizespec, and the entries.
func stabNest(s *plan.Stab) []byte {
	base := make([]byte, sizespecLength)
	put := func(offset int, n uint32) { binary.NativeEndian.PutUint32(base[offset:], n) }
	put(4, uint32(int32(s.Overhead)))
	put(8, linklayerEthernet)
	if s.ATM {
		put(8, linklayerATM)
	}
	put(12, uint32(s.MPU))
	put(16, uint32(s.MTU))
	put(20, uint32(s.Size))
	if s.Size > 0 {
		binary.NativeEndian.PutUint16(base[2:], 0xFFFF) // cell_align −1: an entry is what the longest packet in it occupies
		for s.MTU>>base[0] > s.Size-1 {
			base[0]++
		}
	}
	return completeStab(appendAttribute(nil, stabBase, base))
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
	return appendAttribute(whole, stabData, stabEntries(base, int(entries)))
}

func stabEntries(base []byte, entries int) (data []byte) {
	cellLog, sizeLog := min(base[0], 16), min(base[1], 31)
	line := linklayer.Encapsulation{MPU: int(min(unsigned32(base, 12), 1<<16))}
	if unsigned32(base, 8) == linklayerATM {
		line.Framing = linklayer.ATM
	}
	for i := range entries {
		size := line.WireSize((i + 1) << cellLog)
		data = binary.NativeEndian.AppendUint16(data, uint16(size>>sizeLog))
	}
	return data
}
