package netlinkqdisc

import (
	"encoding/binary"

	"github.com/sqmctl/sqmctl/plan"
)

// cakeOptions states every option of CAKE, because a change keeps the old
// value of what it doesn't mention. The one exception is the kernel's own: to
// mention RAW at all, with whatever value, turns it on, and only to mention the
// overhead turns it off; where both are given, RAW wins (cake_change in
// net/sched/sch_cake.c).
func cakeOptions(c *plan.Cake) []byte {
	b := appendAttribute(nil, cakeRate64, binary.NativeEndian.AppendUint64(nil, c.Rate.BytesPerSecond()))
	for _, o := range []struct {
		kind  int
		value uint32
	}{
		{cakeDiffserv, uint32(c.Diffserv)},
		{cakeATM, uint32(c.Encapsulation.Framing)},
		{cakeFlowMode, uint32(c.Isolation)},
		{cakeOverhead, uint32(int32(c.Encapsulation.Overhead))},
		{cakeRTT, microseconds(c.RTT)},
		{cakeTarget, microseconds(c.Target)},
		{cakeAutorate, bit(c.Autorate)},
		{cakeMemory, c.MemoryLimit},
		{cakeNAT, bit(c.NAT)},
		{cakeWash, bit(c.Wash)},
		{cakeMPU, uint32(c.Encapsulation.MPU)},
		{cakeIngress, bit(c.Ingress)},
		{cakeAckFilter, uint32(c.AckFilter)},
		{cakeSplitGSO, bit(c.SplitGSO)},
		{cakeFwMark, c.FwMark},
	} {
		b = appendNumber(b, o.kind, o.value)
	}
	if c.Raw {
		b = appendNumber(b, cakeRaw, 0)
	}
	return b
}

func bit(on bool) uint32 {
	if on {
		return 1
	}
	return 0
}
