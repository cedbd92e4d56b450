package tcdump

import (
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// readCakeStats reads a line of CAKE's own statistics.
func (q *qdisc) readCakeStats(w []string) bool {
	s := q.CakeStats
	if s == nil {
		s = &plan.CakeStats{}
	}
	if !readCakeLine(s, w) && !readTinRow(s, w) {
		return false
	}
	q.CakeStats = s
	return true
}

// readCakeLine reads what CAKE says of itself as a whole: words, a colon, and
// one value or two.
func readCakeLine(s *plan.CakeStats, w []string) bool {
	label, rest, ok := strings.Cut(strings.Join(w, " "), ":")
	values := strings.Fields(rest)
	if !ok || len(values) == 0 {
		return readOldCakeLine(s, w)
	}
	last := values[len(values)-1]
	switch label {
	case "memory used":
		used, ok1 := parseSize(values[0])
		limit, ok2 := parseSize(last)
		s.MemoryUsed, s.MemoryLimit = used, limit
		return ok1 && ok2
	case "capacity estimate":
		rate, ok := parseRate(last)
		s.Capacity = rate
		return ok
	case "min/max network layer size":
		return readRange(&s.MinNetworkLength, &s.MaxNetworkLength, rest)
	case "min/max overhead-adjusted size":
		return readRange(&s.MinAdjustedLength, &s.MaxAdjustedLength, rest)
	case "average network hdr offset":
		return readNumber(&s.AverageNetworkOffset, last)
	case "active queues":
		return readNumber(&s.ActiveQueues, last)
	}
	return false
}

// readOldCakeLine reads the same from a version before CAKE was in the kernel.
func readOldCakeLine(s *plan.CakeStats, w []string) bool {
	field := map[string]*int{
		"max_tran": &s.MaxNetworkLength, "max_adj": &s.MaxAdjustedLength,
		"min_tran": &s.MinNetworkLength, "min_adj": &s.MinAdjustedLength, "avg_off": &s.AverageNetworkOffset,
	}[w[0]]
	return field != nil && len(w) == 2 && readNumber(field, w[1])
}

// readRange reads "28 / 1500".
func readRange(low, high *int, text string) bool {
	a, b, ok := strings.Cut(text, "/")
	return ok && readNumber(low, strings.TrimSpace(a)) && readNumber(high, strings.TrimSpace(b))
}

func readNumber(into *int, text string) bool {
	n, ok := parseInt(text)
	if ok {
		*into = n
	}
	return ok
}
