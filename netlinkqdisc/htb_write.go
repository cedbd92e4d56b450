package netlinkqdisc

import (
	"math"

	"github.com/florianl/go-tc"

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

func htbOptions(h *plan.HTB) *tc.Htb {
	return &tc.Htb{
		Init:       &tc.HtbGlob{Version: htbVersion, Rate2Quantum: rateToQuantum, Defcls: uint32(h.Default)},
		DirectQlen: number(h.DirectLimit),
	}
}

// linklayerEthernet tells the kernel that it needs no table of times
// (TC_LINKLAYER_ETHERNET; htb_change_class).
const linklayerEthernet = 1

func htbClassOptions(c *plan.HTBClass) *tc.Htb {
	rate, wideRate := rateSpec(c.Rate)
	ceil, wideCeil := rateSpec(c.Ceil)
	return &tc.Htb{
		Parms: &tc.HtbOpt{
			Rate: rate, Ceil: ceil,
			Buffer: plan.BurstTicks(c.Burst, c.Rate), Cbuffer: plan.BurstTicks(c.CBurst, c.Ceil),
			Quantum: uint32(c.Quantum), Prio: uint32(c.Priority),
		},
		Rate64: wideRate, Ceil64: wideCeil,
	}
}

// rateSpec is a rate as HTB takes it, and once more where 32 bits don't hold
// it.
func rateSpec(r linklayer.Rate) (tc.RateSpec, *uint64) {
	bytes := r.BytesPerSecond()
	spec := tc.RateSpec{Linklayer: linklayerEthernet, Rate: uint32(min(bytes, math.MaxUint32))}
	if bytes < math.MaxUint32 {
		return spec, nil
	}
	return spec, &bytes
}

// createClass makes a class, or changes it in place if it is there.
func (k *Kernel) createClass(c *plan.Class, index uint32) error {
	object := &tc.Object{
		Msg:       tc.Msg{Ifindex: index, Handle: uint32(c.Handle), Parent: uint32(c.Parent)},
		Attribute: tc.Attribute{Kind: "htb", Htb: htbClassOptions(c.HTB)},
	}
	return k.change(func() error { return k.tc.Class().Replace(object) })
}
