package qdisc

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// tinSettings is what CAKE works out for a tin.
type tinSettings struct {
	cobaltParameters
	rate    uint64 // bytes/s: the share that has priority; 0: no limit
	pace    pace
	quantum int32 // bytes: of a flow
	weight  int32 // bytes: of the tin, where there is no rate
}

// settle works out a tin's values from its rate (cake_set_rate).
func settle(rate uint64, rtt, target int64, weight int32) tinSettings {
	s := tinSettings{rate: rate, pace: cakePace(rate), quantum: maxFrame, weight: weight}
	if rate > 0 {
		s.quantum = int32(max(min(rate>>12, 1514), 300))
	}
	s.frameTime = s.pace.time(maxFrame)
	s.target = max(s.frameTime*3/2, target)
	s.interval = max(rtt+s.target-target, 2*s.target)
	return s
}

// tinCounts are the numbers of tins.
var tinCounts = [...]int{
	plan.Diffserv3: 3, plan.Diffserv4: 4, plan.Diffserv8: 8, plan.Besteffort: 1, plan.Precedence: 8,
}

// shifts are by how many bits the whole is shifted right for the rate, and the
// turns, of a tin, in the kernel's order: best effort, bulk, then the latency
// sensitive ones (cake_config_diffserv3 and 4).
var shifts = [...][]uint{plan.Diffserv3: {0, 4, 2}, plan.Diffserv4: {0, 4, 1, 2}}

// tinShare is the rate and the weight of the i-th tin.
func tinShare(mode plan.Diffserv, i int, rate uint64) (uint64, int32) {
	switch mode {
	case plan.Besteffort:
		return rate, 65535
	case plan.Diffserv8, plan.Precedence:
		weight := int32(256)
		for range i {
			rate, weight = rate*7>>3, weight*7>>3
		}
		return rate, weight
	}
	return rate >> shifts[mode][i], 1024 >> shifts[mode][i]
}

// classTins are the tins of Packet.Tin's classes, whose codepoints are CS0,
// CS1, AF41 and EF, in each mode.
var classTins = [...][4]uint8{
	plan.Diffserv3:  {0, 1, 0, 2},
	plan.Diffserv4:  {0, 1, 2, 3},
	plan.Diffserv8:  {2, 1, 3, 6},
	plan.Besteffort: {0, 0, 0, 0},
	plan.Precedence: {0, 1, 4, 5},
}

// cakeTimes is the interval and the target in ns; where there is none, the
// kernel's 100 ms, and tc's twentieth of the interval.
func cakeTimes(o *plan.Cake) (rtt, target int64) {
	rtt, target = int64(o.RTT), int64(o.Target)
	if rtt == 0 {
		rtt = int64(100 * time.Millisecond)
	}
	if target == 0 {
		target = rtt / 20
	}
	return rtt, target
}

// cakeMemory is how many bytes CAKE lets its packets take up: what it is told,
// else four times what the rate makes in an interval, at least 4 MiB; never
// more than 10240 full frames, unless told (cake_reconfigure).
func cakeMemory(o *plan.Cake, rate uint64) int {
	const frames = 10240 * maxFrame
	if o.MemoryLimit > 0 {
		return int(o.MemoryLimit)
	}
	if rate == 0 {
		return frames
	}
	rtt, _ := cakeTimes(o)
	return min(max(int(uint32(rate*uint64(rtt/1000)/250_000)), 4<<20), frames)
}

// cakeCharge is what CAKE charges for a frame.
func cakeCharge(o *plan.Cake) *Charge {
	if o.Raw {
		return charge(linklayer.Encapsulation{MPU: o.Encapsulation.MPU, Framing: o.Encapsulation.Framing}, 0)
	}
	return WireCharge(o.Encapsulation)
}
