package netlinkqdisc

import (
	"encoding/binary"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// Options of the classifiers matchall and u32 (linux/pkt_cls.h).
const (
	matchallAct = 2
	matchallMax = 3

	u32Class   = 1
	u32Divisor = 4 // it is a hash table, not a filter
	u32Sel     = 5 // struct tc_u32_sel and a struct tc_u32_key for each key
	u32Act     = 7
	u32Max     = 12

	u32SelLength = 16
	u32KeyLength = 16 // mask, value, offset, offset mask
)

// readFilter reads a RTM_NEWTFILTER message. isFilter is false for what the
// kernel lists beside filters: the head of each priority, which has no handle,
// and u32's hash tables. With an error, what could be read is there.
func readFilter(m *message, devices names) (f plan.FilterState, isFilter bool, err error) {
	f = plan.FilterState{
		Filter: plan.Filter{
			Link:     devices.of(m.index),
			Parent:   m.parent,
			Kind:     m.kind,
			Priority: uint16(m.info >> 16),
			Protocol: hostOrder(uint16(m.info)),
		},
		Chain:     uint32(unsigned(m.attribute[unix.TCA_CHAIN])),
		Handle:    uint32(m.handle),
		Selective: true,
	}
	options := m.attribute[unix.TCA_OPTIONS]
	if options == nil && m.handle == 0 {
		return f, false, nil
	}
	switch m.kind {
	case "matchall":
		f.Selective = false
		err = readMatchall(options, &f, devices)
	case "u32":
		isFilter, err = readU32(options, &f, devices)
		return f, isFilter || err != nil, err
	}
	return f, true, err
}

func readMatchall(options []byte, f *plan.FilterState, devices names) error {
	var table [matchallMax + 1][]byte
	if err := parse(options, table[:]); err != nil {
		return err
	}
	return readActions(table[matchallAct], f, devices)
}

func readU32(options []byte, f *plan.FilterState, devices names) (isFilter bool, err error) {
	var table [u32Max + 1][]byte
	if err := parse(options, table[:]); err != nil {
		return false, err
	}
	if table[u32Divisor] != nil {
		return false, nil
	}
	selector := table[u32Sel]
	if len(selector) < u32SelLength {
		return true, errOptions
	}
	f.Selective = !matchesAll(selector)
	return true, readActions(table[u32Act], f, devices)
}

// matchesAll says whether no key of a u32 selector looks at any bit.
func matchesAll(selector []byte) bool {
	for keys := selector[u32SelLength:]; len(keys) >= u32KeyLength; keys = keys[u32KeyLength:] {
		if binary.NativeEndian.Uint32(keys) != 0 {
			return false
		}
	}
	return true
}

// hostOrder turns the 16 bits of a field in network byte order, read as the
// machine's own, into a number; and back.
func hostOrder(n uint16) uint16 {
	var b [2]byte
	binary.NativeEndian.PutUint16(b[:], n)
	return binary.BigEndian.Uint16(b[:])
}
