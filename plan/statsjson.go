package plan

// QdiscStateJSON is a qdisc as found, with its counters.
type QdiscStateJSON struct {
	QdiscJSON
	Stats     StatsJSON      `json:"stats"`
	CakeStats *CakeStatsJSON `json:"cake_stats,omitempty"`
	FQStats   *FQStatsJSON   `json:"fq_stats,omitempty"`
	Queues    []StatsJSON    `json:"queues,omitempty"` // of cake_mq, one for each transmit queue
}

// StatsJSON are the counters that every qdisc has, since it was made.
type StatsJSON struct {
	Bytes      uint64 `json:"sent_bytes"`
	Packets    uint64 `json:"sent_packets"`
	Drops      uint64 `json:"dropped_packets"`
	Overlimits uint64 `json:"overlimits"`
	Requeues   uint64 `json:"requeues"`
	Backlog    uint64 `json:"backlog_bytes"`
	Queued     uint64 `json:"backlog_packets"`
	Marks      uint64 `json:"ecn_marked_packets"`
}

// CakeStatsJSON are CAKE's own. The lengths are null until a packet has passed.
type CakeStatsJSON struct {
	Capacity             uint64    `json:"capacity_estimate_bit_per_s"`
	MemoryLimit          uint64    `json:"memory_limit_bytes"`
	MemoryUsed           uint64    `json:"memory_used_bytes"`
	AverageNetworkOffset int       `json:"average_network_offset_bytes"`
	MinNetworkLength     *int      `json:"min_network_length_bytes"`
	MaxNetworkLength     *int      `json:"max_network_length_bytes"`
	MinAdjustedLength    *int      `json:"min_adjusted_length_bytes"`
	MaxAdjustedLength    *int      `json:"max_adjusted_length_bytes"`
	ActiveQueues         int       `json:"active_queues"`
	Tins                 []TinJSON `json:"tins"` // in the kernel's order
}

// TinJSON is one of CAKE's priority tins.
type TinJSON struct {
	Threshold         uint64 `json:"threshold_bit_per_s"`
	SentBytes         uint64 `json:"sent_bytes"`
	SentPackets       uint64 `json:"sent_packets"`
	Drops             uint64 `json:"dropped_packets"`
	DroppedBytes      uint64 `json:"dropped_bytes"`
	Marks             uint64 `json:"ecn_marked_packets"`
	MarkedBytes       uint64 `json:"ecn_marked_bytes"`
	AcksDropped       uint64 `json:"acks_dropped_packets"`
	AcksDroppedBytes  uint64 `json:"acks_dropped_bytes"`
	BacklogBytes      uint64 `json:"backlog_bytes"`
	BacklogPackets    uint64 `json:"backlog_packets"`
	Target            int64  `json:"target_us"`
	Interval          int64  `json:"interval_us"`
	PeakDelay         int64  `json:"peak_delay_us"`
	AverageDelay      int64  `json:"average_delay_us"`
	BaseDelay         int64  `json:"base_delay_us"`
	WayIndirectHits   uint64 `json:"way_indirect_hits"`
	WayMisses         uint64 `json:"way_misses"`
	WayCollisions     uint64 `json:"way_collisions"`
	SparseFlows       int    `json:"sparse_flows"`
	BulkFlows         int    `json:"bulk_flows"`
	UnresponsiveFlows int    `json:"unresponsive_flows"`
	MaxPacketLength   int    `json:"max_packet_length_bytes"`
	Quantum           int    `json:"quantum_bytes"`
}

// NewQdiscStateJSON turns a qdisc as found into what is printed.
func NewQdiscStateJSON(q *QdiscState) QdiscStateJSON {
	j := QdiscStateJSON{QdiscJSON: NewQdiscJSON(&q.Qdisc), Stats: NewStatsJSON(q.Stats)}
	if q.CakeStats != nil {
		j.CakeStats = newCakeStatsJSON(q.CakeStats)
	}
	if q.FQStats != nil {
		fq := FQStatsJSON(*q.FQStats)
		j.FQStats = &fq
	}
	for _, s := range q.Queues {
		j.Queues = append(j.Queues, NewStatsJSON(s))
	}
	return j
}

// NewStatsJSON turns counters into what is printed.
func NewStatsJSON(s Stats) StatsJSON { return StatsJSON(s) }

func newCakeStatsJSON(c *CakeStats) *CakeStatsJSON {
	j := &CakeStatsJSON{
		Capacity: uint64(c.Capacity), MemoryLimit: c.MemoryLimit, MemoryUsed: c.MemoryUsed,
		AverageNetworkOffset: c.AverageNetworkOffset, ActiveQueues: c.ActiveQueues, Tins: []TinJSON{},
	}
	if c.MaxNetworkLength != 0 {
		j.MinNetworkLength, j.MaxNetworkLength = &c.MinNetworkLength, &c.MaxNetworkLength
		j.MinAdjustedLength, j.MaxAdjustedLength = &c.MinAdjustedLength, &c.MaxAdjustedLength
	}
	for i := range c.Tins {
		j.Tins = append(j.Tins, newTinJSON(&c.Tins[i]))
	}
	return j
}

func newTinJSON(t *Tin) TinJSON {
	return TinJSON{
		Threshold: uint64(t.Threshold),
		SentBytes: t.SentBytes, SentPackets: t.SentPackets,
		Drops: t.Drops, DroppedBytes: t.DroppedBytes,
		Marks: t.Marks, MarkedBytes: t.MarkedBytes,
		AcksDropped: t.AcksDropped, AcksDroppedBytes: t.AcksDroppedBytes,
		BacklogBytes: t.BacklogBytes, BacklogPackets: t.BacklogPackets,
		Target: t.Target.Microseconds(), Interval: t.Interval.Microseconds(),
		PeakDelay: t.PeakDelay.Microseconds(), AverageDelay: t.AverageDelay.Microseconds(), BaseDelay: t.BaseDelay.Microseconds(),
		WayIndirectHits: t.WayIndirectHits, WayMisses: t.WayMisses, WayCollisions: t.WayCollisions,
		SparseFlows: t.SparseFlows, BulkFlows: t.BulkFlows, UnresponsiveFlows: t.UnresponsiveFlows,
		MaxPacketLength: t.MaxPacketLength, Quantum: t.Quantum,
	}
}
