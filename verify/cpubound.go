package verify

import (
	"fmt"
	"time"

	"github.com/sqmctl/sqmctl/plan"
)

// What a processor spends in softirqs when forwarding is all that it can do.
// Packets then wait before the shaper, in the network card and in the modem.
const (
	softIRQFull = 0.85
	idleNone    = 0.05
)

// cpuBound is a processor that had no time left: it is the bottleneck, whatever
// the rate is.
func (d *direction) cpuBound() *Finding {
	first, last := d.samples[0].Processors, d.last().Processors
	if len(first) != len(last) {
		return nil
	}
	for i := range last {
		spent := used(&first[i], &last[i])
		if spent.Total < time.Second || spent.softIRQ() < softIRQFull || spent.idle() > idleNone {
			continue
		}
		f := d.finding(CPUBound, Fault, "set the rate to about 90 % of what came through, so that the queue is the shaper's again; or spread the work: packet steering, qdisc = \"fq_codel\", one direction only; never with hardware offloading",
			"processor %d had no time left: it is the bottleneck, and packets wait before they come to the shaper", i)
		f.numbered("softirq_percent", 100*spent.softIRQ()).numbered("idle_percent", 100*spent.idle())
		return d.with(f, fmt.Sprintf("processor %d: %.0f %% softirq, %.0f %% idle, in %s", i, 100*spent.softIRQ(), 100*spent.idle(), tenths(spent.Total)))
	}
	return nil
}

type processor plan.Processor

func used(before, after *plan.Processor) processor {
	return processor{Total: after.Total - before.Total, Idle: after.Idle - before.Idle, SoftIRQ: after.SoftIRQ - before.SoftIRQ}
}

func (p processor) softIRQ() float64 { return p.SoftIRQ.Seconds() / p.Total.Seconds() }
func (p processor) idle() float64    { return p.Idle.Seconds() / p.Total.Seconds() }
