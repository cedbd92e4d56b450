package qdisc

// cobaltParameters say what COBALT allows in a tin.
type cobaltParameters struct {
	target, interval int64 // ns
	frameTime        int64 // ns that a full frame takes at the tin's rate
}

// cobalt is the AQM of one queue of CAKE (net/sched/sch_cake.c): CoDel, with
// BLUE beside it for senders that heed no signal. Marks need no option. The
// zero value is a queue that never was above the target. Unlike CoDel it
// doesn't wait for an interval then, but drops the second packet that is late:
// the kernel's inverse root is 0 until the count changes.
type cobalt struct {
	dropNext    int64 // ns; while the count is 0, when the state may be forgotten
	blueTimer   int64 // ns: when blue changed
	count       uint32
	inverseRoot uint32 // 1/√count, 32 bits of fraction
	blue        uint32 // probability of a drop, 32 bits of fraction
	dropping    bool
}

// What BLUE's probability grows by when the queue overflows, 1/256, and falls
// by when it is empty, 1/4096, at most once a target.
const (
	blueUp   = 1 << 24
	blueDown = 1 << 20
)

// exactRoots are 1/√count where one step of Newton's method would be too far
// off. Those of 0 and 1 are as near to 1 as it gets.
var exactRoots = func() (roots [16]uint32) {
	c := cobalt{inverseRoot: 1<<32 - 1}
	for i := range roots {
		if c.count = uint32(i); i > 0 {
			for range 4 {
				c.newton()
			}
		}
		roots[i] = c.inverseRoot
	}
	return roots
}()

func (c *cobalt) newton() {
	x := uint64(c.inverseRoot)
	rest := 3<<32 - uint64(c.count)*(x*x>>32)
	c.inverseRoot = uint32(rest >> 2 * x >> 31)
}

// setCount changes the count and what follows from it.
func (c *cobalt) setCount(n uint32) {
	c.count = n
	if n < uint32(len(exactRoots)) {
		c.inverseRoot = exactRoots[n]
	} else {
		c.newton()
	}
}

// law is when to drop next after t. The kernel cuts the interval to 32 bits
// (reciprocal_scale), which matters to a tin of less than 11 kbit/s.
func (c *cobalt) law(t int64, p *cobaltParameters) int64 {
	return t + int64(uint64(uint32(p.interval))*uint64(c.inverseRoot)>>32)
}

// drop says whether to drop a packet that just left the queue, after marking
// it if that will do instead. bulk is the number of bulk flows that share the
// tin, or 0 where that shall not matter.
func (c *cobalt) drop(p *Packet, now int64, bulk int, o *cobaltParameters, r *random) (drop, marked bool) {
	sojourn := now - p.Enqueued
	late := sojourn > o.target && sojourn > o.frameTime*int64(bulk)*2 && sojourn > o.frameTime*4
	if c.count == 0 && c.blue == 0 && !late && !c.dropping {
		c.dropNext = now + o.interval // an idle state is kept for this long
		return false, false
	}
	due := c.count > 0 && now >= c.dropNext
	past := now > c.dropNext
	c.see(late, now, o)
	switch {
	case due && c.dropping:
		marked = p.ECN != NotECT
		drop = !marked
		if marked {
			p.ECN = CE
		}
		c.setCount(max(c.count, c.count+1))
		c.dropNext = c.law(c.dropNext, o)
		past = now > c.dropNext
	case due:
		past = c.decay(now, o)
	}
	if c.blue > 0 && r.uint32() < c.blue {
		drop = true // although marked: what heeds no mark shall feel it
	}
	if c.count == 0 {
		c.dropNext = now + o.interval
	} else if past && !drop {
		c.dropNext = now
	}
	return drop, marked
}

// see takes note of whether a packet was late.
func (c *cobalt) see(late bool, now int64, o *cobaltParameters) {
	if !late {
		c.dropping = false
		return
	}
	if !c.dropping {
		c.dropping = true
		c.dropNext = c.law(now, o)
	}
	if c.count == 0 {
		c.count = 1
	}
}

// decay lowers the count, as often as it would have been raised, and says
// whether the next moment has passed too.
func (c *cobalt) decay(now int64, o *cobaltParameters) (past bool) {
	for c.count > 0 && now >= c.dropNext {
		c.setCount(c.count - 1)
		c.dropNext = c.law(c.dropNext, o)
	}
	return now > c.dropNext
}

// full is told when a packet was dropped because there was no room.
func (c *cobalt) full(now int64, o *cobaltParameters) {
	if now-c.blueTimer > o.target {
		if c.blue += blueUp; c.blue < blueUp {
			c.blue = 1<<32 - 1
		}
		c.blueTimer = now
	}
	c.dropping = true
	c.dropNext = now
	c.count = max(c.count, 1)
}

// empty is told when it was the queue's turn and it had nothing.
func (c *cobalt) empty(now int64, o *cobaltParameters) {
	if c.blue > 0 && now-c.blueTimer > o.target {
		c.blue -= min(c.blue, blueDown)
		c.blueTimer = now
	}
	c.dropping = false
	if c.count > 0 && now >= c.dropNext {
		c.setCount(c.count - 1)
		c.dropNext = c.law(c.dropNext, o)
	}
}

// atRest is whether the state may be forgotten.
func (c *cobalt) atRest(now int64) bool {
	return c.blue == 0 && c.count == 0 && now >= c.dropNext
}
