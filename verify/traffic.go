package verify

import (
	"fmt"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// traffic is what the link's own device carried in this direction, and what
// its root qdisc did with it: evidence that needs no shaper.
func (d *direction) traffic() []string {
	if len(d.samples) < 2 {
		return nil
	}
	first, last := d.device(&d.samples[0]), d.device(d.last())
	if first == nil || last == nil {
		return nil
	}
	elapsed := d.last().Time.Sub(d.samples[0].Time)
	bytes, packets := delta(first.Counters.TxBytes, last.Counters.TxBytes), delta(first.Counters.TxPackets, last.Counters.TxPackets)
	verb := "sent"
	if d.ingress() {
		bytes, packets = delta(first.Counters.RxBytes, last.Counters.RxBytes), delta(first.Counters.RxPackets, last.Counters.RxPackets)
		verb = "received"
	}
	var lines []string
	if !first.Unknown.Counters && !last.Unknown.Counters {
		lines = append(lines, fmt.Sprintf("%s %s %d packets in %s, %s on average", last.Name, verb, packets, tenths(elapsed), mean(bytes, elapsed)))
	}
	before, after := d.root(&d.samples[0]), d.root(d.last())
	if before != nil && after != nil && !before.Unknown.Stats && !after.Unknown.Stats {
		lines = append(lines, fmt.Sprintf("%s on %s: %d packets, %d drops, %d marks, held back %d times, %d bytes waiting", after.Kind, after.Link,
			delta(before.Stats.Packets, after.Stats.Packets),
			delta(before.Stats.Drops, after.Stats.Drops), delta(before.Stats.Marks, after.Stats.Marks),
			delta(before.Stats.Overlimits, after.Stats.Overlimits), after.Stats.Backlog))
	}
	return lines
}

// mean is a rate in whole kbit/s, for people: a Rate that is zero would call
// itself unlimited.
func mean(bytes uint64, elapsed time.Duration) string {
	if elapsed <= 0 {
		return "0 kbit/s"
	}
	r := linklayer.Rate(float64(bytes) * 8 / elapsed.Seconds())
	if r < linklayer.Kbit {
		return "0 kbit/s"
	}
	return (r - r%linklayer.Kbit).String()
}
