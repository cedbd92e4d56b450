package qdisc

// codelParameters say what CoDel allows.
type codelParameters struct {
	target, interval int64 // ns
	ecn              bool
}

// law is when to drop next: an interval after t, divided by the square root of
// the drops so far (RFC 8289, 3.4).
func (c *codelParameters) law(t int64, inverseRoot uint16) int64 {
	return t + c.interval*int64(inverseRoot)>>16
}

// codel is the state of CoDel in one queue. The zero value is a queue that was
// never above the target.
type codel struct {
	firstAbove  int64 // ns: when the queue will have been above the target for an interval; 0: it is not
	dropNext    int64 // ns
	count       uint32
	lastCount   uint32 // count as dropping began
	inverseRoot uint16 // 1/√count, 16 bits of fraction
	dropping    bool
}

// newton is a step of Newton's method towards 1/√count. Linux makes just one
// for each drop (include/net/codel_impl.h), so its drops come somewhat early
// or late, and so do these.
func (c *codel) newton() {
	x := uint64(c.inverseRoot) << 16
	rest := 3<<32 - uint64(c.count)*(x*x>>32)
	c.inverseRoot = uint16(rest >> 2 * x >> 31 >> 16)
}

// begin schedules the drops after the first one. If the last dropping ended
// within 16 intervals, it goes on at the pace that it reached then, less the
// one that it began with.
func (c *codel) begin(p *codelParameters, now int64) {
	c.dropping = true
	reached := c.count - c.lastCount
	if reached > 1 && now-c.dropNext < 16*p.interval {
		c.count = reached
		c.newton()
	} else {
		c.count, c.inverseRoot = 1, 1<<16-1
	}
	c.lastCount = c.count
	c.dropNext = p.law(now, c.inverseRoot)
}
