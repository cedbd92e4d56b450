package plan

// FQJSON is every option of an fq qdisc.
type FQJSON struct {
	Limit            int       `json:"limit_packets"`
	FlowLimit        int       `json:"flow_limit_packets"`
	Quantum          int       `json:"quantum_bytes"`
	InitialQuantum   int       `json:"initial_quantum_bytes"`
	MaxRate          uint64    `json:"maxrate_bit_per_s"`
	Buckets          int       `json:"buckets"`
	OrphanMask       uint32    `json:"orphan_mask"`
	Pacing           bool      `json:"pacing"`
	RefillDelay      int64     `json:"refill_delay_us"`
	LowRateThreshold uint64    `json:"low_rate_threshold_bit_per_s"`
	CEThreshold      *int64    `json:"ce_threshold_us"` // null: nothing is marked
	TimerSlack       int64     `json:"timer_slack_ns"`
	Horizon          int64     `json:"horizon_us"`
	HorizonDrop      bool      `json:"horizon_drop"`
	Bands            [16]uint8 `json:"priomap"`
	Weights          [3]int    `json:"weights_bytes"`
}

func newFQJSON(f *FQ) *FQJSON {
	j := &FQJSON{
		Limit: f.Limit, FlowLimit: f.FlowLimit, Quantum: f.Quantum, InitialQuantum: f.InitialQuantum,
		MaxRate: uint64(f.MaxRate), Buckets: f.Buckets, OrphanMask: f.OrphanMask, Pacing: f.Pacing,
		RefillDelay: f.RefillDelay.Microseconds(), LowRateThreshold: uint64(f.LowRateThreshold),
		TimerSlack: f.TimerSlack.Nanoseconds(), Horizon: f.Horizon.Microseconds(), HorizonDrop: f.HorizonDrop,
		Bands: f.Bands, Weights: f.Weights,
	}
	if f.CEThreshold < FQNoMarks {
		us := f.CEThreshold.Microseconds()
		j.CEThreshold = &us
	}
	return j
}

// FQStatsJSON are fq's own counters.
type FQStatsJSON struct {
	Flows          uint64 `json:"flows"`
	InactiveFlows  uint64 `json:"inactive_flows"`
	ThrottledFlows uint64 `json:"throttled_flows"`
	Throttled      uint64 `json:"throttled"`
	FlowLimitDrops uint64 `json:"flow_limit_dropped_packets"`
	HorizonDrops   uint64 `json:"horizon_dropped_packets"`
}
