package linklayer

import (
	"fmt"
	"strconv"
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

// FromBytesPerSecond converts the kernel's unit for rates.
func FromBytesPerSecond(b uint64) Rate { return Rate(b * 8) }

// BytesPerSecond is the kernel's unit for rates; the fraction is cut off.
func (r Rate) BytesPerSecond() uint64 { return uint64(r) / 8 }

// Time is how long size bytes take at this rate, rounded up to a nanosecond.
// A zero rate takes no time.
func (r Rate) Time(size int) time.Duration {
	if r == 0 {
		return 0
	}
	const nanoseconds = 8 * uint64(time.Second)
	return time.Duration((uint64(size)*nanoseconds + uint64(r) - 1) / uint64(r))
}

// Less takes a fraction away, as headroom does, and rounds down to whole
// kbit/s, which every tool prints and reads without loss. Rates below one
// kbit/s keep their bits.
func (r Rate) Less(fraction float64) Rate {
	rest := Rate(float64(r)*(1-fraction) + 0.5)
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
			return strconv.FormatFloat(float64(r)/float64(u.rate), 'f', -1, 64) + " " + u.name
		}
	}
	return fmt.Sprintf("%d bit/s", uint64(r))
}

var units = []struct {
	name string
	rate Rate
}{{"Gbit/s", Gbit}, {"Mbit/s", Mbit}, {"kbit/s", Kbit}}
