package plan

import (
	"math"
	"math/bits"

	"github.com/sqmctl/sqmctl/linklayer"
)

// tickTime is the unit in which the kernel is told how long a burst may last:
// 64 ns (PSCHED_SHIFT in include/net/pkt_sched.h).
const tickTime = 64

// BurstTicks is how long bytes take at a rate, in the kernel's ticks, rounded
// up as tc does (tc_calc_xmittime).
func BurstTicks(bytes int, rate linklayer.Rate) uint32 {
	perSecond := rate.BytesPerSecond()
	if perSecond == 0 || bytes <= 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(bytes), 1e9)
	divisor := perSecond * tickTime
	if high >= divisor {
		return math.MaxUint32
	}
	ticks, rest := bits.Div64(high, low, divisor)
	if rest > 0 {
		ticks++
	}
	return uint32(min(ticks, math.MaxUint32))
}

// BurstBytes is how many bytes go in so many ticks at a rate.
func BurstBytes(ticks uint32, rate linklayer.Rate) int {
	high, low := bits.Mul64(uint64(ticks)*tickTime, rate.BytesPerSecond())
	if high >= 1e9 {
		return math.MaxInt
	}
	bytes, _ := bits.Div64(high, low, 1e9)
	return int(min(bytes, math.MaxInt))
}

// exactBurst is the burst that the kernel keeps when it is asked for so many
// bytes: some more at high rates, where a tick is several bytes.
func exactBurst(bytes int, rate linklayer.Rate) int {
	return BurstBytes(BurstTicks(bytes, rate), rate)
}
