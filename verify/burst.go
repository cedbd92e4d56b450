package verify

import (
	"fmt"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// An HTB sends a burst and then waits for the kernel's timer. With a kernel whose
// timer comes every 10 ms (HZ=100, without high-resolution timers) it reaches just
// one burst in that time, rounded up to whole packets: 24 % of 10 Mbit/s with
// 1600 bytes, all of it with 12500. With high-resolution timers and a processor that has
// time, any burst will do. So only the rate that was reached tells.
const (
	slowestTick = 10 * time.Millisecond
	fewReached  = 0.9 // of the rate, with packets waiting all the time
)

// burst is an HTB that can't reach its rate because it may send too little at
// once.
func (d *direction) burst() *Finding {
	if d.processorFull() {
		return nil
	}
	device := d.queued(d.last())
	leaves := leafClasses(device)
	for i := range leaves {
		top := topOf(device, leaves[i].ClassState)
		if top.HTB == nil || leaves[i].HTB == nil || leaves[i].most() < top.Rate {
			continue
		}
		if f := d.burstOf(top, &leaves[i], d.waited(leaves[i].Handle)); f != nil {
			return f
		}
	}
	return nil
}

// burstOf judges samples in all of which packets of a leaf waited.
func (d *direction) burstOf(top *plan.ClassState, leaf *leafClass, samples []plan.State) *Finding {
	if len(samples) < 2 {
		return nil
	}
	first, last := &samples[0], &samples[len(samples)-1]
	before, after := classIn(d.queued(first), top.Handle), classIn(d.queued(last), top.Handle)
	elapsed := last.Time.Sub(first.Time)
	if before == nil || after == nil || elapsed < minimumBusy(d.last().Time.Sub(d.samples[0].Time)) {
		return nil
	}
	bytes := delta(before.Stats.Bytes, after.Stats.Bytes)
	reached := float64(bytes) * 8 / elapsed.Seconds() / float64(top.Rate)
	burst, in := leastBurst(top, leaf.ClassState)
	waits := delta(htbOf(d.queued(first), top.Handle).Stats.Overlimits, htbOf(d.queued(last), top.Handle).Stats.Overlimits)
	// A device that takes no more packets makes HTB wait too, but that counts
	// nothing: only if each burst ended in a wait, the burst is to blame.
	if reached >= fewReached || in >= slowestTick || waits*uint64(burst+fullFrame)*2 < bytes || d.corrects("burst", "cburst") {
		return nil
	}
	needed := inTime(top.Rate, slowestTick)
	f := d.finding(Burst, Warning, fmt.Sprintf("give the class burst %db cburst %db, which the rate sends in %s; or write a profile, then run: sqmctl apply", needed, needed, slowestTick),
		"HTB on %s reached %.0f %% of its rate with packets waiting all the time: it may send %d bytes at once, and the kernel's timer comes too late for more", leaf.htb.Link, 100*reached, burst)
	d.with(f, fmt.Sprintf("class %s: %s of %s, in %d bursts, for %s", top.Handle, mean(bytes, elapsed), top.Rate, waits, tenths(elapsed)),
		fmt.Sprintf("a burst of %d bytes lasts %s at that rate", burst, in.Round(time.Microsecond)))
	return f.numbered("burst_bytes", float64(burst)).numbered("reached_percent", 100*reached).numbered("rate_bit_per_s", float64(top.Rate))
}

// leastBurst is the shortest of the bursts that a packet of a leaf depends on.
func leastBurst(top, leaf *plan.ClassState) (bytes int, in time.Duration) {
	bytes, in = top.HTB.Burst, top.Rate.Time(top.HTB.Burst)
	for _, c := range []*plan.ClassState{top, leaf} {
		ceil := max(c.HTB.Ceil, c.Rate, linklayer.Rate(1))
		if t := ceil.Time(c.HTB.CBurst); t < in {
			bytes, in = c.HTB.CBurst, t
		}
	}
	return bytes, in
}

// waited is the longest stretch of samples in which packets of a class waited at
// every look.
func (d *direction) waited(class plan.Handle) (longest []plan.State) {
	start := 0
	for i := range d.samples {
		c := classIn(d.queued(&d.samples[i]), class)
		if c == nil || c.Stats.Backlog < standingBytes {
			start = i + 1
		} else if i+1-start > len(longest) {
			longest = d.samples[start : i+1]
		}
	}
	return longest
}

// topOf is the class right below the qdisc that a class is, or is below.
func topOf(device *plan.Device, c *plan.ClassState) *plan.ClassState {
	const deepest = 8 // TC_HTB_MAXDEPTH
	for range deepest {
		parent := classIn(device, c.Parent)
		if parent == nil {
			return c
		}
		c = parent
	}
	return c
}

func classIn(device *plan.Device, handle plan.Handle) *plan.ClassState {
	if device == nil {
		return nil
	}
	for i := range device.Classes {
		if device.Classes[i].Handle == handle {
			return &device.Classes[i]
		}
	}
	return nil
}

// processorFull tells whether a processor had no time left between the samples:
// then that is the cause, and a larger burst changes nothing.
func (d *direction) processorFull() bool {
	first, last := d.samples[0].Processors, d.last().Processors
	for i := range last {
		if i >= len(first) {
			return false
		}
		total, idle := last[i].Total-first[i].Total, last[i].Idle-first[i].Idle
		if total > 0 && idle*20 < total {
			return true
		}
	}
	return false
}
