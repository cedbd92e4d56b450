package netlinkqdisc

import (
	"time"

	"github.com/florianl/go-tc"

	"github.com/sqmctl/sqmctl/plan"
)

// cakeOptions states every option of CAKE, because a change keeps the old
// value of what it doesn't mention. The one exception is the kernel's own: to
// mention RAW at all, with whatever value, turns it on, and only to mention the
// overhead turns it off; where both are given, RAW wins (cake_change in
// net/sched/sch_cake.c).
func cakeOptions(c *plan.Cake) *tc.Cake {
	rate := c.Rate.BytesPerSecond()
	options := &tc.Cake{
		BaseRate:     &rate,
		DiffServMode: number(uint32(c.Diffserv)),
		Atm:          number(uint32(c.Encapsulation.Framing)),
		FlowMode:     number(uint32(c.Isolation)),
		Overhead:     number(uint32(int32(c.Encapsulation.Overhead))),
		Rtt:          number(microseconds(c.RTT)),
		Target:       number(microseconds(c.Target)),
		Autorate:     oneIf(c.Autorate),
		Memory:       number(c.MemoryLimit),
		Nat:          oneIf(c.NAT),
		Wash:         oneIf(c.Wash),
		Mpu:          number(uint32(c.Encapsulation.MPU)),
		Ingress:      oneIf(c.Ingress),
		AckFilter:    number(uint32(c.AckFilter)),
		SplitGso:     oneIf(c.SplitGSO),
		FwMark:       number(c.FwMark),
	}
	if c.Raw {
		options.Raw = number(0)
	}
	return options
}

func number(n uint32) *uint32 { return &n }

func oneIf(on bool) *uint32 {
	if on {
		return number(1)
	}
	return number(0)
}

func microseconds(d time.Duration) uint32 { return uint32(d / time.Microsecond) }
