package plan

import (
	"cmp"
	"slices"
	"time"
)

// GatherQueues fills in what the root of cake_mq doesn't tell: the counters of
// its queues, and CAKE's own statistics, which only the CAKE of each queue has
// (mq_dump_common and cake_mq_qdisc_ops in the kernel's net/sched). The plain
// counters of the root are the sums already.
func (d *Device) GatherQueues() {
	root := d.At(HandleRoot)
	if root == nil || root.Kind != "cake_mq" || root.Queues != nil {
		return
	}
	var sum cakeSum
	var marks uint64
	for _, q := range d.cakesBelow(root.Handle) {
		root.Queues = append(root.Queues, q.Stats)
		marks += q.Stats.Marks
		if q.CakeStats != nil {
			sum.add(q.CakeStats, q.Stats.Packets)
		}
	}
	if root.CakeStats == nil && sum.stats != nil {
		root.CakeStats, root.Stats.Marks = sum.stats, marks
	}
}

// cakesBelow are the CAKEs of cake_mq, in the order of their queues.
func (d *Device) cakesBelow(root Handle) []*QdiscState {
	var all []*QdiscState
	for i := range d.Qdiscs {
		if q := &d.Qdiscs[i]; q.Kind == "cake" && q.Parent.Major() == root.Major() && q.Parent.Minor() != 0 {
			all = append(all, q)
		}
	}
	slices.SortFunc(all, func(a, b *QdiscState) int { return cmp.Compare(a.Parent, b.Parent) })
	return all
}

// cakeSum is the statistics of several CAKEs as one. Counters, memory and flows
// are added; of rates, delays and lengths the most or the least counts, and of
// means the mean by packets.
type cakeSum struct {
	stats   *CakeStats // nil until there is one
	packets uint64
}

func (s *cakeSum) add(c *CakeStats, packets uint64) {
	if s.stats == nil {
		first := *c
		first.Tins = slices.Clone(c.Tins)
		s.stats, s.packets = &first, packets
		return
	}
	all := s.stats
	all.Capacity = max(all.Capacity, c.Capacity)
	all.MemoryLimit += c.MemoryLimit
	all.MemoryUsed += c.MemoryUsed
	all.AverageNetworkOffset = int(weighted(int64(all.AverageNetworkOffset), s.packets, int64(c.AverageNetworkOffset), packets))
	all.MinNetworkLength = min(all.MinNetworkLength, c.MinNetworkLength)
	all.MaxNetworkLength = max(all.MaxNetworkLength, c.MaxNetworkLength)
	all.MinAdjustedLength = min(all.MinAdjustedLength, c.MinAdjustedLength)
	all.MaxAdjustedLength = max(all.MaxAdjustedLength, c.MaxAdjustedLength)
	all.ActiveQueues = max(all.ActiveQueues, c.ActiveQueues)
	for i := range min(len(all.Tins), len(c.Tins)) {
		all.Tins[i].add(&c.Tins[i])
	}
	s.packets += packets
}

func (t *Tin) add(o *Tin) {
	average := weighted(int64(t.AverageDelay), t.SentPackets, int64(o.AverageDelay), o.SentPackets)
	base := weighted(int64(t.BaseDelay), t.SentPackets, int64(o.BaseDelay), o.SentPackets)
	*t = Tin{
		Threshold:         max(t.Threshold, o.Threshold),
		SentBytes:         t.SentBytes + o.SentBytes,
		SentPackets:       t.SentPackets + o.SentPackets,
		Drops:             t.Drops + o.Drops,
		DroppedBytes:      t.DroppedBytes + o.DroppedBytes,
		Marks:             t.Marks + o.Marks,
		MarkedBytes:       t.MarkedBytes + o.MarkedBytes,
		AcksDropped:       t.AcksDropped + o.AcksDropped,
		AcksDroppedBytes:  t.AcksDroppedBytes + o.AcksDroppedBytes,
		BacklogBytes:      t.BacklogBytes + o.BacklogBytes,
		BacklogPackets:    t.BacklogPackets + o.BacklogPackets,
		Target:            max(t.Target, o.Target),
		Interval:          max(t.Interval, o.Interval),
		PeakDelay:         max(t.PeakDelay, o.PeakDelay),
		AverageDelay:      time.Duration(average),
		BaseDelay:         time.Duration(base),
		WayIndirectHits:   t.WayIndirectHits + o.WayIndirectHits,
		WayMisses:         t.WayMisses + o.WayMisses,
		WayCollisions:     t.WayCollisions + o.WayCollisions,
		SparseFlows:       t.SparseFlows + o.SparseFlows,
		BulkFlows:         t.BulkFlows + o.BulkFlows,
		UnresponsiveFlows: t.UnresponsiveFlows + o.UnresponsiveFlows,
		MaxPacketLength:   max(t.MaxPacketLength, o.MaxPacketLength),
		Quantum:           max(t.Quantum, o.Quantum),
	}
}

// weighted is the mean of two means, each of so many packets.
func weighted(a int64, of uint64, b int64, others uint64) int64 {
	if of+others == 0 {
		return max(a, b)
	}
	return int64((float64(a)*float64(of) + float64(b)*float64(others)) / float64(of+others))
}
