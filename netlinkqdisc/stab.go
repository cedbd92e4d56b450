package netlinkqdisc

import (
	"encoding/binary"
	"errors"

	"github.com/florianl/go-tc"

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

// stabObject is a size table as go-tc takes it.
func stabObject(s *plan.Stab) *tc.Stab {
	base := &tc.SizeSpec{
		Overhead: int32(s.Overhead), LinkLayer: linklayerEthernet, MPU: uint32(s.MPU),
		MTU: uint32(s.MTU), TSize: uint32(s.Size),
	}
	if s.ATM {
		base.LinkLayer = linklayerATM
	}
	object := &tc.Stab{Base: base}
	if s.Size > 0 {
		base.CellAlign = -1 // an entry is what the longest packet in it occupies
		for s.MTU>>base.CellLog > s.Size-1 {
			base.CellLog++
		}
		data := stabEntries(base)
		object.Data = &data
	}
	return object
}

// stabNest is the same as an attribute.
func stabNest(s *plan.Stab) []byte {
	object := stabObject(s)
	base, _ := binary.Append(nil, binary.NativeEndian, object.Base)
	nest := appendAttribute(nil, stabBase, base)
	if object.Data != nil {
		nest = appendAttribute(nest, stabData, *object.Data)
	}
	return nest
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
	return appendAttribute(whole, stabData, stabEntries(&tc.SizeSpec{
		CellLog: base[0], SizeLog: base[1], LinkLayer: unsigned32(base, 8), MPU: unsigned32(base, 12), TSize: entries,
	}))
}

func stabEntries(base *tc.SizeSpec) (data []byte) {
	line := linklayer.Encapsulation{MPU: int(min(base.MPU, 1<<16))}
	if base.LinkLayer == linklayerATM {
		line.Framing = linklayer.ATM
	}
	for i := range int(base.TSize) {
		size := line.WireSize((i + 1) << min(base.CellLog, 16))
		data = binary.NativeEndian.AppendUint16(data, uint16(size>>min(base.SizeLog, 31)))
	}
	return data
}
