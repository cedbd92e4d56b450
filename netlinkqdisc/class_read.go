package netlinkqdisc

import (
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// HTB's options (TCA_HTB_* in linux/pkt_sched.h).
const (
	htbParms  = 1 // struct tc_htb_opt
	htbRate64 = 6 // bytes per second, only where 32 bits don't hold it
	htbCeil64 = 7
	htbMax    = 7

	htbParmsLength = 44
	htbRateOffset  = 8  // rate.rate, the last of struct tc_ratespec
	htbCeilOffset  = 20 // ceil.rate
)

// classful are the kinds whose classes people make. The others have one class
// for each band, transmit queue or flow, which says nothing that the qdisc
// doesn't.
var classful = map[string]bool{
	"htb": true, "hfsc": true, "drr": true, "qfq": true, "cbq": true, "dsmark": true, "atm": true,
}

// readClass reads a RTM_NEWTCLASS message. With an error, what could be read
// is there.
func readClass(m *message) (plan.ClassState, error) {
	c := plan.ClassState{Kind: m.kind, Handle: m.handle, Parent: m.parent, Leaf: plan.Handle(m.info)}
	var faults [2]error
	c.Stats, faults[0] = readStats(m)
	if m.kind == "htb" {
		c.Rate, c.Ceil, faults[1] = readHTBRates(m.attribute[unix.TCA_OPTIONS])
	}
	return c, first(faults[:]...)
}

func readHTBRates(options []byte) (rate, ceil linklayer.Rate, err error) {
	var table [htbMax + 1][]byte
	if err := parse(options, table[:]); err != nil {
		return 0, 0, err
	}
	parms := table[htbParms]
	if len(parms) < htbParmsLength {
		return 0, 0, errOptions
	}
	bytesPerSecond := func(narrow, wide int) linklayer.Rate {
		if table[wide] != nil {
			return linklayer.FromBytesPerSecond(unsigned(table[wide]))
		}
		return linklayer.FromBytesPerSecond(uint64(unsigned32(parms, narrow)))
	}
	return bytesPerSecond(htbRateOffset, htbRate64), bytesPerSecond(htbCeilOffset, htbCeil64), nil
}
