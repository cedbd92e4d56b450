package tcdump

import (
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// readStatsLine reads the two lines of counters that every object has:
//
//	Sent 11639966 bytes 9027 pkt (dropped 1414, overlimits 17052 requeues 0)
//	backlog 8003b 6p requeues 0
//
// In the second, an estimated rate may come first.
func (r *reader) readStatsLine(w []string) bool {
	switch w[0] {
	case "Sent", "(dropped":
		if r.counted == nil {
			return r.foreign
		}
		sent, ok := parseSent(w)
		if ok {
			*r.counted, *r.sent = sent, true
		}
		return ok
	case "backlog", "rate":
		at := indexOf(w, "backlog")
		if at < 0 || at+2 >= len(w) || !strings.HasSuffix(w[at+2], "p") {
			return false
		}
		if r.counted == nil {
			return r.foreign
		}
		bytes, ok1 := parseSize(w[at+1])
		packets, ok2 := parseCount(w[at+2])
		if ok1 && ok2 {
			r.counted.Backlog, r.counted.Queued = bytes, packets
		}
		return ok1 && ok2
	}
	return false
}

func parseSent(w []string) (plan.Stats, bool) {
	var s plan.Stats
	fields := map[string]*uint64{"Sent": &s.Bytes, "dropped": &s.Drops, "overlimits": &s.Overlimits, "requeues": &s.Requeues}
	for i := 0; i+1 < len(w); i++ {
		if field := fields[strings.Trim(w[i], "(),")]; field != nil {
			n, ok := parseCount(w[i+1])
			if !ok {
				return s, false
			}
			*field = n
		}
	}
	if at := indexOf(w, "bytes"); at > 0 && at+1 < len(w) {
		n, ok := parseCount(w[at+1])
		s.Packets = n
		return s, ok
	}
	return s, w[0] == "(dropped"
}

func indexOf(w []string, word string) int {
	for i := range w {
		if w[i] == word {
			return i
		}
	}
	return -1
}
