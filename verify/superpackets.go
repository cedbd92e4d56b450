package verify

import (
	"fmt"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// usualTarget is CoDel's, where a qdisc doesn't tell its own.
const usualTarget = 5 * time.Millisecond

// superPackets are packets that the kernel merged (GRO), or that haven't been cut
// yet (TSO, GSO): a queue sends one as a whole, and at a low rate a call waits for
// all of it. The longest packet is that since the qdisc was made.
func (d *direction) superPackets() *Finding {
	var worst *Finding
	queues := d.queuesWithRate(d.last())
	for _, q := range inOrder(queues) {
		longest, target := longestPacket(q)
		takes := queues[q].Time(longest)
		if longest*2 <= d.fullPacketOf(q)*3 || takes <= target {
			continue
		}
		severity := Notice
		if takes > 2*target {
			severity = Warning
		}
		if worst != nil && worst.Severity >= severity {
			continue
		}
		worst = d.longPacket(q, severity, longest, takes, target, queues[q])
	}
	if worst != nil && d.corrects("split-gso") {
		return nil
	}
	return worst
}

func (d *direction) longPacket(q *plan.QdiscState, severity Severity, longest int, takes, target time.Duration, rate linklayer.Rate) *Finding {
	device := d.device(d.last())
	on := device.Name
	if device.Parent != "" {
		on = device.Parent
	}
	advice := fmt.Sprintf("ethtool -K %s gro off tso off gso off (on the hardware, not only on what is above it); or use CAKE, which cuts them up: write a profile, then run: sqmctl apply", on)
	if q.Cake != nil {
		advice = "let CAKE cut them up: set split-gso there, or run: sqmctl apply"
	}
	f := d.finding(SuperPackets, severity, advice,
		"%s on %s queues packets in one piece that are several merged ones: the longest takes %s of the line, and everything else waits for it", q.Kind, q.Link, takes.Round(100*time.Microsecond))
	d.with(f, fmt.Sprintf("the longest had %d bytes, which take %s at %s; the queue's target is %s", longest, takes.Round(100*time.Microsecond), rate, target))
	return f.numbered("longest_packet_bytes", float64(longest)).numbered("longest_packet_ms", float64(takes)/float64(time.Millisecond))
}

// longestPacket is the longest that a qdisc has queued as it came, in bytes; 0 if
// it isn't known, or if the qdisc cuts packets up.
func longestPacket(q *plan.QdiscState) (longest int, target time.Duration) {
	target = usualTarget
	switch {
	case q.Unknown.Stats:
	case q.FQCodelStats != nil:
		if q.FQCodel != nil {
			target = max(q.FQCodel.Target, target)
		}
		longest = q.FQCodelStats.MaxPacket
	case q.Cake != nil && !q.Unknown.Options && !q.Cake.SplitGSO && q.CakeStats != nil:
		for _, tin := range q.CakeStats.Tins {
			if tin.MaxPacketLength > longest {
				longest, target = tin.MaxPacketLength, max(tin.Target, usualTarget)
			}
		}
	}
	return longest, target
}

// fullPacketOf is the longest packet that isn't a merged one, as the qdisc counts
// it: with the size table's cells.
func (d *direction) fullPacketOf(q *plan.QdiscState) int {
	full := d.fullIPPacket() + ethernetHeader
	root := d.root(d.last())
	for _, stab := range []*plan.Stab{q.Stab, root.Stab} {
		if stab != nil {
			return max(full, tableAs(stab).WireSize(full))
		}
	}
	return full
}
