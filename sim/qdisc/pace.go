package qdisc

import "math/bits"

// pace is a rate as the time of a byte: a product and a shift instead of a
// division for every packet. The zero value takes no time.
type pace struct {
	mult  uint64
	shift uint8
}

// time is how long so many bytes take, in ns.
func (p pace) time(bytes int) int64 { return int64(uint64(bytes) * p.mult >> p.shift) }

// schedPace is the time of a byte with 32 bits of precision, as every shaper
// built on psched_ratecfg_precompute has it (net/sched/sch_generic.c). No rate
// takes no time.
func schedPace(bytesPerSecond uint64) pace {
	if bytesPerSecond == 0 {
		return pace{}
	}
	var p pace
	for factor := uint64(1e9); ; factor <<= 1 {
		p.mult = factor / bytesPerSecond
		if p.mult>>31 != 0 || factor>>63 != 0 {
			return p
		}
		p.shift++
	}
}

// cakePace is the same with the 34 bits that CAKE keeps, for rates from 64
// bytes/s (cake_set_rate in net/sched/sch_cake.c). No rate takes no time.
func cakePace(bytesPerSecond uint64) pace {
	if bytesPerSecond == 0 {
		return pace{}
	}
	mult := 1_000_000_000 << 34 / max(bytesPerSecond, 64)
	over := max(0, bits.Len64(mult)-34)
	return pace{mult >> over, uint8(34 - over)}
}
