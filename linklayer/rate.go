package linklayer

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"time"
)

// Rate is a number of bits per second. Zero means that there is no rate: an
// unlimited qdisc, or a value nobody knows.
type Rate uint64

// The decimal units that providers sell lines in: an Mbit/s is 10^6 bit/s.
const (
	Kbit Rate = 1_000
	Mbit Rate = 1_000_000
	Gbit Rate = 1_000_000_000
)

// FromBytesPerSecond converts the kernel's unit for rates. What a Rate can't
// hold becomes the largest one; the kernel writes ^0 for "no limit".
func FromBytesPerSecond(b uint64) Rate {
	if b > math.MaxUint64/8 {
		return math.MaxUint64
	}
	return Rate(b * 8)
}

// BytesPerSecond is the kernel's unit for rates; the fraction is cut off.
func (r Rate) BytesPerSecond() uint64 { return uint64(r) / 8 }

// Time is how long size bytes take at this rate, rounded up to a nanosecond.
// A zero rate takes no time, and neither does a size below one. What a
// Duration can't hold (292 years) becomes the longest one.
func (r Rate) Time(size int) time.Duration {
	if r == 0 || size <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(size), 8*uint64(time.Second))
	lo, carry := bits.Add64(lo, uint64(r)-1, 0)
	hi += carry
	if hi >= uint64(r) {
		return math.MaxInt64
	}
	ns, _ := bits.Div64(hi, lo, uint64(r))
	return time.Duration(min(ns, math.MaxInt64))
}

// Less takes a fraction away, as headroom does, and rounds down to whole
// kbit/s, which every tool prints and reads without loss. Rates below one
// kbit/s keep their bits. The fraction counts to nine decimals, in integers,
// so that 10 % less than 100 Mbit/s is 90 Mbit/s and not a bit beside it.
// Fractions outside 0..1 count as the nearer end.
func (r Rate) Less(fraction float64) Rate {
	const whole = 1_000_000_000
	if !(fraction > 0) { // NaN too
		fraction = 0
	}
	kept := uint64(math.Round((1 - min(fraction, 1)) * whole))
	hi, lo := bits.Mul64(uint64(r), kept)
	bps, _ := bits.Div64(hi, lo, whole) // kept ≤ whole, so the quotient fits
	rest := Rate(bps)
	if rest < Kbit {
		return rest
	}
	return rest - rest%Kbit
}

// String is the exact value in the largest unit that needs at most three
// decimals, as "9.5 Mbit/s"; a zero rate is "unlimited".
func (r Rate) String() string {
	if r == 0 {
		return "unlimited"
	}
	for _, u := range units {
		if r >= u.rate && r%(u.rate/1000) == 0 {
			decimals := fmt.Sprintf("%03d", r%u.rate/(u.rate/1000))
			number := fmt.Sprintf("%d.%s", uint64(r/u.rate), decimals)
			return strings.TrimRight(strings.TrimRight(number, "0"), ".") + " " + u.name
		}
	}
	return fmt.Sprintf("%d bit/s", uint64(r))
}

var units = []struct {
	name string
	rate Rate
}{{"Gbit/s", Gbit}, {"Mbit/s", Mbit}, {"kbit/s", Kbit}}
