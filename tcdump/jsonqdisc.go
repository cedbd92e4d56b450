package tcdump

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// readQdiscObject reads a qdisc of tc -j. Rates are bytes per second there, sizes
// bytes, times µs.
func (r *reader) readQdiscObject(o object) bool {
	handle, ok := parseHandle(o.text("handle"))
	if !ok || handle.Minor() != 0 {
		return false
	}
	q := &qdisc{QdiscState: plan.QdiscState{Qdisc: plan.Qdisc{Kind: o.text("kind"), Handle: handle, Link: o.text("dev")}}}
	if o.truth("root") {
		q.Parent = plan.HandleRoot
	} else if o.has("parent") {
		q.Parent, _ = parseHandle(o.text("parent"))
	}
	r.placeQdisc(q)
	if !isName(q.Link) || q.Parent == 0 {
		return false
	}
	r.addQdisc(q)
	q.readStab(o.inner("stab"))
	q.readOptionsObject(o.inner("options"))
	if o.has("bytes") {
		q.Stats, q.counted = statsOf(o), true
		q.readStatsObject(o)
	}
	return true
}

// statsOf are the counters that every object has.
func statsOf(o object) plan.Stats {
	return plan.Stats{
		Bytes: o.number("bytes"), Packets: o.number("packets"), Drops: o.number("drops"),
		Overlimits: o.number("overlimits"), Requeues: o.number("requeues"),
		Backlog: o.number("backlog"), Queued: o.number("qlen"),
		Marks: o.number("ecn_mark"),
	}
}

func (q *qdisc) readStab(o object) {
	if o == nil {
		return
	}
	q.Stab = &plan.Stab{
		Overhead: o.int("overhead"), MPU: o.int("mpu"), MTU: o.int("mtu"), Size: o.int("tsize"),
		ATM: o.text("linklayer") == "atm",
	}
	q.shown.details = true
}

func (q *qdisc) readOptionsObject(o object) {
	if len(o) == 0 {
		q.Unknown.Options = hasOptions(q.Kind)
		return
	}
	switch q.Kind {
	case "cake", "cake_mq":
		q.Cake = cakeOf(o)
	case "htb":
		q.HTB = &plan.HTB{DirectLimit: uint32(o.number("direct_qlen"))}
		q.DirectPackets = o.number("direct_packets_stat")
		q.readDefault(o.text("default"))
		if o.has("ver") {
			q.shown.details = true
		}
	case "fq_codel":
		q.FQCodel = fqCodelOf(o)
	case "fq":
		q.FQ = fqOf(o)
	}
}

func rateOf(o object, key string) linklayer.Rate { return linklayer.FromBytesPerSecond(o.number(key)) }

func microseconds(o object, key string) time.Duration {
	return time.Duration(min(o.number(key), 1<<32-1)) * time.Microsecond
}

// cakeOf reads CAKE's options. Its rate is "unlimited" or a number.
func cakeOf(o object) *plan.Cake {
	c := &plan.Cake{
		Rate:          rateOf(o, "bandwidth"),
		Autorate:      o.text("autorate") == "autorate-ingress",
		NAT:           o.truth("nat"),
		Wash:          o.truth("wash"),
		Ingress:       o.truth("ingress"),
		SplitGSO:      o.truth("split_gso"),
		RTT:           microseconds(o, "rtt"),
		Raw:           o.truth("raw"),
		Encapsulation: linklayer.Encapsulation{Overhead: o.int("overhead"), MPU: o.int("mpu")},
		MemoryLimit:   uint32(o.number("memlimit")),
	}
	c.Target = cakeTarget(c.RTT)
	c.FwMark, _ = parseHex(o.text("fwmark"))
	for _, key := range []string{"diffserv", "flowmode", "atm"} {
		readCakeWord(c, o.text(key))
	}
	c.AckFilter = map[string]plan.AckFilter{"enabled": plan.AckFilterOn, "aggressive": plan.AckFilterAggressive}[o.text("ack-filter")]
	return c
}

func fqCodelOf(o object) *plan.FQCodel {
	span := func(key string) time.Duration { return plan.CodelTime(uint32(min(o.number(key), 1<<32-1))) }
	return &plan.FQCodel{
		Limit: o.int("limit"), Flows: o.int("flows"), Quantum: o.int("quantum"), DropBatch: o.int("drop_batch"),
		Target: span("target"), Interval: span("interval"),
		MemoryLimit: uint32(o.number("memory_limit")), ECN: o.truth("ecn"),
	}
}

func fqOf(o object) *plan.FQ {
	f := plan.FQDefaults(0)
	f.Limit, f.FlowLimit = o.int("limit"), o.int("flow_limit")
	f.Quantum, f.InitialQuantum = o.int("quantum"), o.int("initial_quantum")
	f.Buckets, f.OrphanMask = o.int("buckets"), uint32(o.number("orphan_mask"))
	f.MaxRate = rateOf(o, "maxrate")
	f.Pacing = !o.has("pacing") || o.truth("pacing")
	if o.has("low_rate_threshold") {
		f.LowRateThreshold = rateOf(o, "low_rate_threshold")
	}
	f.RefillDelay = microseconds(o, "refill_delay")
	if o.has("ce_threshold") {
		f.CEThreshold = microseconds(o, "ce_threshold")
	}
	if o.has("timer_slack") {
		f.TimerSlack = time.Duration(o.number("timer_slack"))
	}
	if o.has("horizon") {
		f.Horizon = microseconds(o, "horizon")
		f.HorizonDrop = o.has("horizon_drop")
	}
	return &f
}

// readStatsObject reads what a kind counts besides.
func (q *qdisc) readStatsObject(o object) {
	switch q.Kind {
	case "cake", "cake_mq":
		q.CakeStats = cakeStatsOf(o)
	case "fq_codel":
		if o.has("maxpacket") {
			q.FQCodelStats = &plan.FQCodelStats{
				MaxPacket: o.int("maxpacket"), DropOverlimit: o.number("drop_overlimit"), NewFlows: o.number("new_flow_count"),
				MemoryUsed: o.number("memory_used"), DropOvermemory: o.number("drop_overmemory"),
			}
		}
	case "fq":
		q.Stats.Marks = o.number("ce_mark")
		q.FQStats = &plan.FQStats{
			Flows: o.number("flows"), InactiveFlows: o.number("inactive"), Throttled: o.number("throttled"),
			FlowLimitDrops: o.number("flows_plimit"), HorizonDrops: o.number("horizon_drops"),
		}
	case "red":
		q.Stats.Marks = o.number("marked")
	}
}

func cakeStatsOf(o object) *plan.CakeStats {
	s := &plan.CakeStats{
		Capacity: rateOf(o, "capacity_estimate"), MemoryLimit: o.number("memory_limit"), MemoryUsed: o.number("memory_used"),
		AverageNetworkOffset: o.int("avg_hdr_offset"),
		MinNetworkLength:     o.int("min_network_size"), MaxNetworkLength: o.int("max_network_size"),
		MinAdjustedLength: o.int("min_adj_size"), MaxAdjustedLength: o.int("max_adj_size"),
		ActiveQueues: o.int("active_queues"),
	}
	for _, t := range o.list("tins") {
		if len(s.Tins) < mostTins {
			s.Tins = append(s.Tins, tinOf(t))
		}
	}
	return s
}

func tinOf(o object) plan.Tin {
	return plan.Tin{
		Threshold: rateOf(o, "threshold_rate"), SentBytes: o.number("sent_bytes"), SentPackets: o.number("sent_packets"),
		Drops: o.number("drops"), Marks: o.number("ecn_mark"), AcksDropped: o.number("ack_drops"),
		BacklogBytes: o.number("backlog_bytes"), Target: microseconds(o, "target_us"), Interval: microseconds(o, "interval_us"),
		PeakDelay: microseconds(o, "peak_delay_us"), AverageDelay: microseconds(o, "avg_delay_us"), BaseDelay: microseconds(o, "base_delay_us"),
		WayIndirectHits: o.number("way_indirect_hits"), WayMisses: o.number("way_misses"), WayCollisions: o.number("way_collisions"),
		SparseFlows: o.int("sparse_flows"), BulkFlows: o.int("bulk_flows"), UnresponsiveFlows: o.int("unresponsive_flows"),
		MaxPacketLength: o.int("max_pkt_len"), Quantum: o.int("flow_quantum"),
	}
}
