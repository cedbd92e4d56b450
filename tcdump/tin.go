package tcdump

import (
	"time"

	"github.com/sqmctl/sqmctl/plan"
)

// tinRows are the rows of the table with a column for each of CAKE's tins.
var tinRows = map[string]func(*plan.Tin, string) bool{
	"thresh":   func(t *plan.Tin, s string) (ok bool) { t.Threshold, ok = parseRate(s); return ok },
	"target":   span(func(t *plan.Tin) *time.Duration { return &t.Target }),
	"interval": span(func(t *plan.Tin) *time.Duration { return &t.Interval }),
	"pk_delay": span(func(t *plan.Tin) *time.Duration { return &t.PeakDelay }),
	"av_delay": span(func(t *plan.Tin) *time.Duration { return &t.AverageDelay }),
	"sp_delay": span(func(t *plan.Tin) *time.Duration { return &t.BaseDelay }),
	"backlog":  func(t *plan.Tin, s string) (ok bool) { t.BacklogBytes, ok = parseSize(s); return ok },
	"pkts":     counter(func(t *plan.Tin) *uint64 { return &t.SentPackets }),
	"bytes":    counter(func(t *plan.Tin) *uint64 { return &t.SentBytes }),
	"way_inds": counter(func(t *plan.Tin) *uint64 { return &t.WayIndirectHits }),
	"way_miss": counter(func(t *plan.Tin) *uint64 { return &t.WayMisses }),
	"way_cols": counter(func(t *plan.Tin) *uint64 { return &t.WayCollisions }),
	"drops":    counter(func(t *plan.Tin) *uint64 { return &t.Drops }),
	"marks":    counter(func(t *plan.Tin) *uint64 { return &t.Marks }),
	"ack_drop": counter(func(t *plan.Tin) *uint64 { return &t.AcksDropped }),
	"sp_flows": number(func(t *plan.Tin) *int { return &t.SparseFlows }),
	"bk_flows": number(func(t *plan.Tin) *int { return &t.BulkFlows }),
	"un_flows": number(func(t *plan.Tin) *int { return &t.UnresponsiveFlows }),
	"max_len":  number(func(t *plan.Tin) *int { return &t.MaxPacketLength }),
	"quantum":  number(func(t *plan.Tin) *int { return &t.Quantum }),
}

func span(field func(*plan.Tin) *time.Duration) func(*plan.Tin, string) bool {
	return func(t *plan.Tin, s string) bool {
		d, ok := parseTime(s)
		*field(t) = d
		return ok
	}
}

func counter(field func(*plan.Tin) *uint64) func(*plan.Tin, string) bool {
	return func(t *plan.Tin, s string) bool {
		n, ok := parseCount(s)
		*field(t) = n
		return ok
	}
}

func number(field func(*plan.Tin) *int) func(*plan.Tin, string) bool {
	return func(t *plan.Tin, s string) bool { return readNumber(field(t), s) }
}

const mostTins = 8 // CAKE_MAX_TINS

// readTinRow reads a row of the table of tins, or its head. How many tins there
// are shows in any row.
func readTinRow(s *plan.CakeStats, w []string) bool {
	read := tinRows[w[0]]
	if read == nil {
		return isTinHead(w)
	}
	values := w[1:]
	if len(values) == 0 || len(values) > mostTins || len(s.Tins) > 0 && len(values) != len(s.Tins) {
		return false
	}
	tins := make([]plan.Tin, len(values))
	copy(tins, s.Tins)
	for i, v := range values {
		if !read(&tins[i], v) {
			return false
		}
	}
	s.Tins = tins
	return true
}

// tinNames are the words of the heads of such tables; the five of an old fork
// are "Low Loss", "Best Effort", "Low Delay", "Bulk" and "Net Control".
var tinNames = map[string]bool{
	"Bulk": true, "Best": true, "Effort": true, "Video": true, "Voice": true, "Tin": true,
	"Low": true, "Loss": true, "Delay": true, "Net": true, "Control": true,
}

func isTinHead(w []string) bool {
	for _, word := range w {
		if _, isNumber := parseCount(word); !tinNames[word] && !isNumber {
			return false
		}
	}
	return tinNames[w[0]]
}
