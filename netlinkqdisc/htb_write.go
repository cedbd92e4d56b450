package netlinkqdisc

import (
	"encoding/binary"
	"math"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// htbVersion is what the kernel asks for, 3.x, of which x doesn't count
// (HTB_VER in net/sched/sch_htb.c). rateToQuantum is its default divisor of a
// class's rate for classes that state no quantum, which ours do.
const (
	htbVersion    = 3
	rateToQuantum = 10
)

func htbOptions(h *plan.HTB) []byte {
	glob := make([]byte, htbGlobLength)
	binary.NativeEndian.PutUint32(glob, htbVersion)
	binary.NativeEndian.PutUint32(glob[4:], rateToQuantum)
	binary.NativeEndian.PutUint32(glob[htbDefaultOffset:], uint32(h.Default))
	return appendNumber(appendAttribute(nil, htbInit, glob), htbDirect, h.DirectLimit)
}

// linklayerEthernet tells the kernel that it needs no table of times
// (TC_LINKLAYER_ETHERNET; htb_change_class).
const linklayerEthernet = 1

func htbClassOptions(c *plan.HTBClass) []byte {
	parms := make([]byte, htbParmsLength)
	put := func(offset int, n uint32) { binary.NativeEndian.PutUint32(parms[offset:], n) }
	wideRate, wideCeil := putRate(parms, htbRateOffset, c.Rate), putRate(parms, htbCeilOffset, c.Ceil)
	put(htbBurstOffset, plan.BurstTicks(c.Burst, c.Rate))
	put(htbBurstOffset+4, plan.BurstTicks(c.CBurst, c.Ceil))
	put(htbQuantumOffset, uint32(c.Quantum))
	put(htbPriorityOffset, uint32(c.Priority))
	b := appendAttribute(nil, htbParms, parms)
	if wideRate != nil {
		b = appendAttribute(b, htbRate64, wideRate)
	}
	if wideCeil != nil {
		b = appendAttribute(b, htbCeil64, wideCeil)
	}
	return b
}

// putRate fills in a struct tc_ratespec, which ends with the rate, and returns
// the rate once more where 32 bits don't hold it, in bytes per second.
func putRate(parms []byte, offset int, r linklayer.Rate) (wide []byte) {
	bytes := r.BytesPerSecond()
	parms[offset-htbRateOffset+1] = linklayerEthernet
	binary.NativeEndian.PutUint32(parms[offset:], uint32(min(bytes, math.MaxUint32)))
	if bytes < math.MaxUint32 {
		return nil
	}
	return binary.NativeEndian.AppendUint64(nil, bytes)
}

// classRequest makes a class, or changes it in place if it is there.
func classRequest(c *plan.Class, index uint32) request {
	b := appendAttribute(header(index, c.Handle, c.Parent, 0), unix.TCA_KIND, []byte("htb\x00"))
	b = appendAttribute(b, unix.TCA_OPTIONS, htbClassOptions(c.HTB))
	return request{c.Name(), unix.RTM_NEWTCLASS, unix.NLM_F_CREATE | unix.NLM_F_REPLACE, b}
}
