package verify

import (
	"fmt"
	"slices"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// load is what went through a shaper between the first sample and the last.
type load struct {
	rate       linklayer.Rate // the shaper's, at the end
	duration   time.Duration
	packets    uint64
	bytes      uint64 // as the device counts them
	overlimits uint64
	signals    uint64     // drops and marks, acks that were thinned left out
	spread     int        // queues of cake_mq that carried something; 0 for any other
	busy       []interval // those with load, in order of time
}

// interval is a part of the stretch that is long enough to tell the shaper's
// rate from one a percent below it.
type interval struct {
	elapsed   time.Duration
	packets   uint64
	wireBytes uint64
	used      float64 // part of the shaper's rate
	queued    bool    // packets had to wait: a standing backlog, a drop or a mark
	stands    bool    // CAKE's backlog was one of standingTime
}

const (
	// busyShare is the part of the shaper's rate from which an interval counts
	// as loaded. Below it a line slower than the shaper and a line that nobody
	// loads look alike.
	busyShare = 0.8
	// intervalPackets is how many full packets an interval has room for, so
	// that one more or less is a percent.
	intervalPackets = 100
	// standingBytes is a backlog that isn't two packets that came together: a
	// sender that is clocked by delayed acks sends pairs.
	standingBytes = 3 * fullFrame
	// fullFrame is the longest packet of an ordinary Ethernet device, in bytes.
	fullFrame = 1514
)

// measure cuts the samples into intervals for a shaper with a rate.
func (d *direction) measure() load {
	ceil := d.busiestCeil()
	l := load{rate: lowerOf(d.rate(d.last()), ceil), spread: len(usedQueues(d.queueBytes()))}
	start := &d.samples[0]
	var current interval
	for i := 1; i < len(d.samples); i++ {
		before, after := d.root(&d.samples[i-1]), d.root(&d.samples[i])
		if d.rate(&d.samples[i-1]) == 0 || d.rate(&d.samples[i]) == 0 || after.Stats.Packets < before.Stats.Packets {
			start, current = &d.samples[i], interval{}
			continue
		}
		current.add(before, after)
		l.packets += after.Stats.Packets - before.Stats.Packets
		l.bytes += delta(before.Stats.Bytes, after.Stats.Bytes)
		l.signals += signals(before, after)
		l.overlimits += delta(before.Stats.Overlimits, after.Stats.Overlimits)
		l.duration += d.samples[i].Time.Sub(d.samples[i-1].Time)
		current.elapsed = d.samples[i].Time.Sub(start.Time)
		if current.elapsed >= l.rate.Time(intervalPackets*fullFrame) {
			l.close(current, lowerOf(d.rate(&d.samples[i]), ceil))
			start, current = &d.samples[i], interval{}
		}
	}
	return l
}

func (v *interval) add(before, after *plan.QdiscState) {
	packets := after.Stats.Packets - before.Stats.Packets
	v.packets += packets
	v.wireBytes += wireBytes(after, packets, delta(before.Stats.Bytes, after.Stats.Bytes), charged(before, after))
	v.stands = v.stands || stands(after)
	v.queued = v.queued || after.Stats.Backlog >= standingBytes || signals(before, after) > 0
}

func (l *load) close(v interval, rate linklayer.Rate) {
	if rate == 0 || v.elapsed <= 0 {
		return
	}
	v.used = float64(v.wireBytes) * 8 / v.elapsed.Seconds() / float64(rate)
	if v.used >= busyShare || l.spread > 1 && v.stands {
		l.busy = append(l.busy, v)
	}
}

// signals are the drops and marks between two samples. Acks that CAKE's filter
// thinned, which it counts as dropped too, say nothing about a queue.
func signals(before, after *plan.QdiscState) uint64 {
	return delta(drops(before), drops(after)) + delta(before.Stats.Marks, after.Stats.Marks)
}

func drops(q *plan.QdiscState) uint64 {
	var acks uint64
	if q.CakeStats != nil {
		for i := range q.CakeStats.Tins {
			acks += q.CakeStats.Tins[i].AcksDropped
		}
	}
	return delta(acks, q.Stats.Drops)
}

// charged is how many packets CAKE charged besides those that it sent: with its
// ingress keyword those that it dropped, since they have crossed the line.
func charged(before, after *plan.QdiscState) uint64 {
	if after.Cake == nil || !after.Cake.Ingress {
		return 0
	}
	return delta(drops(before), drops(after))
}

// wireBytes is what the shaper charged for the packets sent and for others like
// them. HTB counts it, by its size table. Of CAKE it is the mean IP length
// through the encapsulation it has; the rounding of cells is right to half a
// cell.
func wireBytes(q *plan.QdiscState, packets, bytes, others uint64) uint64 {
	if packets == 0 {
		return 0
	}
	if q.Cake == nil {
		return bytes
	}
	mean := int(bytes / packets)
	if !q.Cake.Raw && q.CakeStats != nil {
		mean -= q.CakeStats.AverageNetworkOffset
	}
	return uint64(q.Cake.Encapsulation.WireSize(mean)) * (packets + others)
}

// busyTime is how long there was load.
func (l *load) busyTime() time.Duration {
	var sum time.Duration
	for _, v := range l.busy {
		sum += v.elapsed
	}
	return sum
}

// share is the part of the busy intervals for which something holds.
func (l *load) share(holds func(interval) bool) float64 {
	n := 0
	for _, v := range l.busy {
		if holds(v) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(l.busy)))
}

// plateau is the middle of what the busy intervals used of the rate.
func (l *load) plateau() float64 {
	used := make([]float64, len(l.busy))
	for i, v := range l.busy {
		used[i] = v.used
	}
	slices.Sort(used)
	return used[len(used)/2]
}

func (l *load) evidence() []string {
	lines := []string{fmt.Sprintf("%d packets in %s, %s on average", l.packets, tenths(l.duration), mean(l.bytes, l.duration))}
	if len(l.busy) == 0 {
		return lines
	}
	if l.spread > 1 {
		lines = append(lines, l.spreadEvidence())
	}
	return append(lines,
		fmt.Sprintf("loaded for %s, using mostly %.1f %% of the shaper's %s", tenths(l.busyTime()), 100*l.plateau(), l.rate),
		fmt.Sprintf("the shaper at its full rate with packets waiting: %.0f %% of that time", 100*l.share(interval.held)),
		fmt.Sprintf("%d drops and marks, held back %d times", l.signals, l.overlimits))
}

// number adds what evidence says, for machines.
func (l *load) number(f *Finding) *Finding {
	f.numbered("rate_bit_per_s", float64(l.rate)).numbered("duration_s", l.duration.Seconds()).
		numbered("packets", float64(l.packets)).numbered("bytes", float64(l.bytes)).
		numbered("drops_and_marks_packets", float64(l.signals)).numbered("overlimits", float64(l.overlimits)).
		numbered("loaded_s", l.busyTime().Seconds())
	if len(l.busy) > 0 {
		f.numbered("used_of_rate_percent", 100*l.plateau()).numbered("held_of_loaded_percent", 100*l.share(interval.held))
	}
	if l.spread > 1 {
		f.numbered("used_queues", float64(l.spread)).numbered("standing_of_loaded_percent", 100*l.share(interval.standing))
	}
	return f
}

func tenths(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }
