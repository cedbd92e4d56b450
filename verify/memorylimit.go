package verify

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// memoryLimit is a queue that ran out of room: it drops what doesn't fit, which
// isn't what its senders should be told. That takes a limit that is too low, or a
// sender that doesn't slow down.
func (d *direction) memoryLimit() *Finding {
	queues := d.queuesWithRate(d.last())
	var worst *Finding
	for _, q := range inOrder(queues) {
		f := d.overLimit(q, queues[q])
		switch {
		case f == nil:
		case worst == nil:
			worst = f
		default:
			worst.Evidence = append(worst.Evidence, f.Evidence...)
			worst.Severity = max(worst.Severity, f.Severity)
		}
	}
	if worst != nil && d.corrects("memlimit", "memory_limit", "limit") {
		return nil
	}
	return worst
}

// inOrder are the qdiscs by their parents.
func inOrder(queues map[*plan.QdiscState]linklayer.Rate) []*plan.QdiscState {
	var all []*plan.QdiscState
	for q := range queues {
		all = append(all, q)
	}
	slices.SortFunc(all, func(a, b *plan.QdiscState) int { return strings.Compare(a.Parent.String(), b.Parent.String()) })
	return all
}

// usualRTT is what a limit is measured with where the qdisc has none of its own.
const usualRTT = 100 * time.Millisecond

func (d *direction) overLimit(q *plan.QdiscState, rate linklayer.Rate) *Finding {
	if q.Unknown.Stats {
		return nil
	}
	switch {
	case q.Cake != nil && q.CakeStats != nil:
		return d.cakeOverLimit(q, rate)
	case q.FQCodelStats != nil:
		return d.fqCodelOverLimit(q, rate)
	}
	return nil
}

// cakeOverLimit goes by the most memory that CAKE ever used: it exceeds the limit
// only if packets had to be dropped for it (cake_enqueue). When that was, isn't
// told.
func (d *direction) cakeOverLimit(q *plan.QdiscState, rate linklayer.Rate) *Finding {
	s := q.CakeStats
	if s.MemoryLimit == 0 || s.MemoryUsed <= s.MemoryLimit {
		return nil
	}
	rtt := q.Cake.RTT
	if rtt == 0 {
		rtt = usualRTT
	}
	f := d.limitReached(q, s.MemoryLimit, rate, rtt, "memlimit")
	f.numbered("memory_used_bytes", float64(s.MemoryUsed))
	return d.with(f, fmt.Sprintf("used %d bytes at most, the limit is %d; the rate brings %d in %s", s.MemoryUsed, s.MemoryLimit, inTime(rate, rtt), rtt))
}

// fqCodelOverLimit goes by the packets dropped because the queue was full.
func (d *direction) fqCodelOverLimit(q *plan.QdiscState, rate linklayer.Rate) *Finding {
	dropped, memory := q.FQCodelStats.DropOverlimit, q.FQCodelStats.DropOvermemory
	if len(d.samples) > 1 {
		before := d.sameIn(&d.samples[0], q)
		if before == nil || before.FQCodelStats == nil {
			return nil
		}
		dropped, memory = delta(before.FQCodelStats.DropOverlimit, dropped), delta(before.FQCodelStats.DropOvermemory, memory)
	}
	if dropped == 0 {
		return nil
	}
	room, name, rtt := uint64(1<<32), "limit", usualRTT
	if q.FQCodel != nil {
		rtt = max(q.FQCodel.Interval, rtt)
		if memory > 0 {
			room, name = uint64(q.FQCodel.MemoryLimit), "memory_limit"
		} else {
			room = uint64(q.FQCodel.Limit) * fullFrame
		}
	}
	f := d.limitReached(q, room, rate, rtt, name)
	f.numbered("dropped_packets", float64(dropped))
	return d.with(f, fmt.Sprintf("fq_codel at %s: %d packets dropped because it was full, %d of them for memory; there is room for %d bytes, and the rate brings %d in %s", q.Parent, dropped, memory, room, inTime(rate, rtt), rtt))
}

// limitReached is a warning where the limit is below what the rate brings in one
// round trip: then it is what holds TCP back.
func (d *direction) limitReached(q *plan.QdiscState, room uint64, rate linklayer.Rate, rtt time.Duration, option string) *Finding {
	if room >= inTime(rate, rtt) {
		return d.finding(MemoryLimit, Notice, "find the sender that doesn't slow down, with: tc -s qdisc show dev "+q.Link+", and a capture there",
			"%s on %s was full and dropped what didn't fit, although it has room for a round trip: somebody sends without listening to drops", q.Kind, q.Link).
			numbered("limit_bytes", float64(room))
	}
	return d.finding(MemoryLimit, Warning, fmt.Sprintf("raise its %s to %d bytes or more; or write a profile, which works it out, then run: sqmctl apply", option, 4*inTime(rate, rtt)),
		"%s on %s was full and dropped what didn't fit, because its %s is less than what comes in a round trip", q.Kind, q.Link, option).
		numbered("limit_bytes", float64(room))
}

// inTime is how many bytes a rate brings in a time.
func inTime(rate linklayer.Rate, d time.Duration) uint64 {
	return uint64(float64(rate.BytesPerSecond()) * d.Seconds())
}
