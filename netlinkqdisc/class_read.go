package netlinkqdisc

import (
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// HTB's options (TCA_HTB_* in linux/pkt_sched.h).
const (
	htbParms  = 1 // struct tc_htb_opt
	htbInit   = 2 // struct tc_htb_glob
	htbDirect = 5 // packets
	htbRate64 = 6 // bytes per second, only where 32 bits don't hold it
	htbCeil64 = 7
	htbMax    = 7

	htbParmsLength    = 44
	htbRateOffset     = 8  // rate.rate, the last of struct tc_ratespec
	htbCeilOffset     = 20 // ceil.rate
	htbBurstOffset    = 24 // buffer, in ticks at the rate; then cbuffer, at ceil
	htbQuantumOffset  = 32
	htbPriorityOffset = 40

	htbGlobLength    = 20
	htbDefaultOffset = 8

	htbDirectPacketsOffset = 16
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
		if c.HTB, faults[1] = readHTBClass(m.attribute[unix.TCA_OPTIONS]); c.HTB != nil {
			c.Rate, c.Ceil = c.HTB.Rate, c.HTB.Ceil
		}
	}
	return c, first(faults[:]...)
}

// readHTB reads HTB's options, which count packets too: those that no class took.
func readHTB(options []byte) (htb *plan.HTB, direct uint64, err error) {
	var table [htbMax + 1][]byte
	if err := parse(options, table[:]); err != nil {
		return nil, 0, err
	}
	glob := table[htbInit]
	if len(glob) < htbGlobLength {
		return nil, 0, errOptions
	}
	return &plan.HTB{
		Default:     uint16(unsigned32(glob, htbDefaultOffset)),
		DirectLimit: uint32(unsigned(table[htbDirect])),
	}, uint64(unsigned32(glob, htbDirectPacketsOffset)), nil
}

func readHTBClass(options []byte) (*plan.HTBClass, error) {
	var table [htbMax + 1][]byte
	if err := parse(options, table[:]); err != nil {
		return nil, err
	}
	parms := table[htbParms]
	if len(parms) < htbParmsLength {
		return nil, errOptions
	}
	bytesPerSecond := func(narrow, wide int) linklayer.Rate {
		if table[wide] != nil {
			return linklayer.FromBytesPerSecond(unsigned(table[wide]))
		}
		return linklayer.FromBytesPerSecond(uint64(unsigned32(parms, narrow)))
	}
	c := &plan.HTBClass{
		Rate:     bytesPerSecond(htbRateOffset, htbRate64),
		Ceil:     bytesPerSecond(htbCeilOffset, htbCeil64),
		Quantum:  int(unsigned32(parms, htbQuantumOffset)),
		Priority: int(unsigned32(parms, htbPriorityOffset)),
	}
	c.Burst = plan.BurstBytes(unsigned32(parms, htbBurstOffset), c.Rate)
	c.CBurst = plan.BurstBytes(unsigned32(parms, htbBurstOffset+4), c.Ceil)
	return c, nil
}
