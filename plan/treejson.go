package plan

// HTBJSON is the options of an HTB qdisc.
type HTBJSON struct {
	Default     uint16 `json:"default"` // minor number of a class; 0: such packets pass unshaped
	DirectLimit uint32 `json:"direct_packets"`
}

// ClassJSON is an HTB class.
type ClassJSON struct {
	Device   string `json:"device"`
	Handle   string `json:"handle"`
	Parent   string `json:"parent"`
	Rate     uint64 `json:"rate_bit_per_s"`
	Ceil     uint64 `json:"ceil_bit_per_s"`
	Burst    int    `json:"burst_bytes"`
	CBurst   int    `json:"cburst_bytes"`
	Quantum  int    `json:"quantum_bytes"`
	Priority int    `json:"prio"`
}

// TierJSON is one of the classes that share a rate by DSCP.
type TierJSON struct {
	Name  string     `json:"name"`
	Class *ClassJSON `json:"class"`
	Leaf  QdiscJSON  `json:"leaf"`
	DSCP  []uint32   `json:"dscp"` // that go there; empty: all others
}

// FQCodelJSON is every option of an fq_codel qdisc.
type FQCodelJSON struct {
	Limit       int    `json:"limit_packets"`
	Flows       int    `json:"flows"`
	Quantum     int    `json:"quantum_bytes"`
	Target      int64  `json:"target_us"`
	Interval    int64  `json:"interval_us"`
	MemoryLimit uint32 `json:"memory_limit_bytes"`
	ECN         bool   `json:"ecn"`
	DropBatch   int    `json:"drop_batch_packets"`
}

func newClassJSON(c *Class) *ClassJSON {
	return &ClassJSON{
		Device: c.Link, Handle: c.Handle.String(), Parent: c.Parent.String(),
		Rate: uint64(c.HTB.Rate), Ceil: uint64(c.HTB.Ceil),
		Burst: c.HTB.Burst, CBurst: c.HTB.CBurst, Quantum: c.HTB.Quantum, Priority: c.HTB.Priority,
	}
}

func newFQCodelJSON(f *FQCodel) *FQCodelJSON {
	return &FQCodelJSON{
		Limit: f.Limit, Flows: f.Flows, Quantum: f.Quantum,
		Target: f.Target.Microseconds(), Interval: f.Interval.Microseconds(),
		MemoryLimit: f.MemoryLimit, ECN: f.ECN, DropBatch: f.DropBatch,
	}
}
