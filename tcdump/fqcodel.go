package tcdump

import "github.com/sqmctl/sqmctl/plan"

// parseFQCodel reads fq_codel's options, and returns the words that are unknown.
func parseFQCodel(w []string) (*plan.FQCodel, []string) {
	f := &plan.FQCodel{}
	var unknown []string
	counts := map[string]*int{"limit": &f.Limit, "flows": &f.Flows, "quantum": &f.Quantum, "drop_batch": &f.DropBatch}
	for i := 0; i < len(w); i++ {
		if w[i] == "ecn" {
			f.ECN = true
			continue
		}
		if i+1 >= len(w) {
			return f, append(unknown, w[i])
		}
		value, ok := w[i+1], true
		switch w[i] {
		case "limit", "flows", "quantum", "drop_batch":
			var n uint64
			n, ok = parseCount(value)
			*counts[w[i]] = int(min(n, 1<<32-1))
		case "target":
			f.Target, ok = parseCodelTime(value)
		case "interval":
			f.Interval, ok = parseCodelTime(value)
		case "memory_limit":
			var n uint64
			n, ok = parseSize(value)
			f.MemoryLimit = uint32(min(n, 1<<32-1))
		case "ce_threshold", "ce_threshold_selector":
		default:
			unknown = append(unknown, w[i])
			continue
		}
		if !ok {
			unknown = append(unknown, w[i]+" "+value)
		}
		i++
	}
	return f, unknown
}

// readFQCodelStats reads a line of fq_codel's own statistics. tc leaves out what
// is zero of the last two.
//
//	maxpacket 1643 drop_overlimit 0 new_flow_count 3979 ecn_mark 0 memory_used 11202
func (q *qdisc) readFQCodelStats(w []string) bool {
	switch w[0] {
	case "new_flows_len", "old_flows_len", "ce_mark":
		return true
	case "maxpacket":
	default:
		return false
	}
	s := &plan.FQCodelStats{}
	fields := map[string]*uint64{
		"drop_overlimit": &s.DropOverlimit, "new_flow_count": &s.NewFlows, "ecn_mark": &q.Stats.Marks,
		"memory_used": &s.MemoryUsed, "drop_overmemory": &s.DropOvermemory,
	}
	for i := 0; i+1 < len(w); i += 2 {
		n, ok := parseCount(w[i+1])
		if !ok {
			return false
		}
		if field := fields[w[i]]; field != nil {
			*field = n
		} else if w[i] == "maxpacket" {
			s.MaxPacket = int(min(n, 1<<31))
		}
	}
	q.FQCodelStats = s
	return true
}
