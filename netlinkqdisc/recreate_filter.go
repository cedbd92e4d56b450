package netlinkqdisc

import (
	"encoding/binary"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// filterAgain is the request for a filter as dumped. root is the number of
// u32's root table for its priority, which the kernel chooses: what is in that
// table is asked for without naming it.
func filterAgain(m *message, root plan.Handle) []byte {
	handle, left := m.handle, 0
	if root != 0 && handle&u32Table == root {
		handle, left = handle&u32Node, u32Hash
	}
	b := appendFrom(header(m.index, handle, m.parent, m.info), m, unix.TCA_KIND, unix.TCA_CHAIN)
	options := m.attribute[unix.TCA_OPTIONS]
	if options == nil {
		return b
	}
	return appendAttribute(b, unix.TCA_OPTIONS, classifierAgain(options, layouts[m.kind], left))
}

// layout is where a classifier has what must differ from the dump; 0 where it
// has no such thing.
type layout struct {
	flags   int // TCA_CLS_FLAGS_*: also says what the kernel did, which it refuses to hear
	actions int
	police  int // the options of a policer that isn't in a list of actions
}

// Numbers of linux/pkt_cls.h.
var layouts = map[string]layout{
	"matchall": {flags: 3, actions: matchallAct},
	"u32":      {flags: 11, actions: u32Act, police: 6},
	"flower":   {flags: 22, actions: 3},
	"basic":    {actions: 3, police: 4},
	"fw":       {actions: 4, police: 2},
	"flow":     {actions: 9, police: 10},
	"cgroup":   {actions: 1, police: 2},
}

// skipFlags are TCA_CLS_FLAGS_SKIP_HW and _SKIP_SW, the flags that are wishes.
const skipFlags = 1<<0 | 1<<1

func classifierAgain(options []byte, l layout, left int) []byte {
	return rewrite(options, func(kind int, value []byte) []byte {
		switch kind {
		case 0, left:
			return nil
		case l.flags:
			return binary.NativeEndian.AppendUint32(nil, uint32(unsigned(value))&skipFlags)
		case l.actions:
			return rewrite(value, func(_ int, action []byte) []byte { return actionAgain(action) })
		case l.police:
			return policeAgain(value)
		}
		return value
	})
}

func actionAgain(action []byte) []byte {
	var table [actMax + 1][]byte
	if parse(action, table[:]) != nil {
		return action
	}
	again := map[string]func([]byte) []byte{"police": policeAgain, "ctinfo": ctinfoAgain}[text(table[actKind])]
	var b []byte
	_ = eachAttribute(action, func(kind int, value []byte) {
		if kind == actOptions && again != nil {
			value = again(value)
		}
		if kind == actOptions { // newer actions insist on the flag, which the dump leaves out
			kind |= unix.NLA_F_NESTED
		}
		b = appendAttribute(b, kind, value)
	})
	return b
}

// ctinfoAgain leaves out the times and counters, which the kernel refuses to
// hear.
func ctinfoAgain(options []byte) []byte {
	return rewrite(options, func(kind int, value []byte) []byte {
		if kind < ctinfoAct || kind > ctinfoCPMark {
			return nil
		}
		return value
	})
}

// A policer (TCA_POLICE_* in linux/pkt_cls.h).
const (
	policeTBF      = 1 // struct tc_police
	policeRate     = 2
	policePeakRate = 3

	policeLength       = 56
	policeRateOffset   = 20 // struct tc_ratespec, that begins with cell_log
	policePeakOffset   = 32
	ratespecRateOffset = 8

	rateTableLength = 1024 // TC_RTAB_SIZE
	someCellLog     = 3    // any but 0 will do
)

// policeAgain adds the rate tables that act_police insists on and never looks
// into, given that the rate names its link layer (qdisc_get_rtab in
// net/sched/sch_api.c).
func policeAgain(options []byte) []byte {
	var tables []byte
	again := rewrite(options, func(kind int, value []byte) []byte {
		if kind != policeTBF || len(value) < policeLength {
			return value
		}
		value = slices.Clone(value)
		addTable := func(offset, table int) {
			if unsigned32(value, offset+ratespecRateOffset) != 0 {
				value[offset] = someCellLog
				tables = appendAttribute(tables, table, make([]byte, rateTableLength))
			}
		}
		addTable(policeRateOffset, policeRate)
		addTable(policePeakOffset, policePeakRate)
		return value
	})
	return append(again, tables...)
}
