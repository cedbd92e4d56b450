package tcdump

import (
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// parseFQ reads fq's options, and returns the words that are unknown. What a
// version doesn't print is taken for the default.
func parseFQ(w []string) (*plan.FQ, []string) {
	f := plan.FQDefaults(0)
	f.Quantum, f.InitialQuantum = 0, 0
	f.HorizonDrop = indexOf(w, "horizon_cap") < 0
	var unknown []string
	for i := 0; i < len(w); i++ {
		switch w[i] {
		case "pacing", "nopacing":
			f.Pacing = w[i] == "pacing"
			continue
		case "horizon_drop", "horizon_cap":
			continue
		case "priomap":
			i += readBands(&f, w[i+1:])
			continue
		case "weights":
			i += readWeights(&f, w[i+1:])
			continue
		}
		if i+1 >= len(w) {
			return &f, append(unknown, w[i])
		}
		read := fqValues[w[i]]
		if read == nil {
			unknown = append(unknown, w[i])
			continue
		}
		if !read(&f, w[i+1]) {
			unknown = append(unknown, w[i]+" "+w[i+1])
		}
		i++
	}
	return &f, unknown
}

// fqValues are fq's options with a value.
var fqValues = map[string]func(*plan.FQ, string) bool{
	"limit":              fqCount(func(f *plan.FQ) *int { return &f.Limit }),
	"flow_limit":         fqCount(func(f *plan.FQ) *int { return &f.FlowLimit }),
	"buckets":            fqCount(func(f *plan.FQ) *int { return &f.Buckets }),
	"quantum":            fqSize(func(f *plan.FQ) *int { return &f.Quantum }),
	"initial_quantum":    fqSize(func(f *plan.FQ) *int { return &f.InitialQuantum }),
	"orphan_mask":        func(f *plan.FQ, s string) (ok bool) { f.OrphanMask, ok = parseNumber(s); return ok },
	"maxrate":            fqRate(func(f *plan.FQ) *linklayer.Rate { return &f.MaxRate }),
	"low_rate_threshold": fqRate(func(f *plan.FQ) *linklayer.Rate { return &f.LowRateThreshold }),
	"refill_delay":       fqTime(func(f *plan.FQ) *time.Duration { return &f.RefillDelay }),
	"ce_threshold":       fqTime(func(f *plan.FQ) *time.Duration { return &f.CEThreshold }),
	"timer_slack":        fqTime(func(f *plan.FQ) *time.Duration { return &f.TimerSlack }),
	"horizon":            fqTime(func(f *plan.FQ) *time.Duration { return &f.Horizon }),
	"defrate":            func(*plan.FQ, string) bool { return true },
	"offload_horizon":    func(*plan.FQ, string) bool { return true },
	"bands":              func(*plan.FQ, string) bool { return true },
}

func fqCount(field func(*plan.FQ) *int) func(*plan.FQ, string) bool {
	return func(f *plan.FQ, s string) bool { return readNumber(field(f), strings.TrimSuffix(s, "p")) }
}

func fqSize(field func(*plan.FQ) *int) func(*plan.FQ, string) bool {
	return func(f *plan.FQ, s string) bool {
		n, ok := parseSize(s)
		*field(f) = int(min(n, 1<<31-1))
		return ok
	}
}

func fqRate(field func(*plan.FQ) *linklayer.Rate) func(*plan.FQ, string) bool {
	return func(f *plan.FQ, s string) (ok bool) { *field(f), ok = parseRate(s); return ok }
}

func fqTime(field func(*plan.FQ) *time.Duration) func(*plan.FQ, string) bool {
	return func(f *plan.FQ, s string) (ok bool) { *field(f), ok = parseTime(s); return ok }
}

// readBands reads the 16 numbers behind priomap, and says how many there were.
func readBands(f *plan.FQ, w []string) int {
	for i := range f.Bands {
		if i >= len(w) {
			return i
		}
		n, ok := parseCount(w[i])
		if !ok || n > 2 {
			return i
		}
		f.Bands[i] = uint8(n)
	}
	return len(f.Bands)
}

func readWeights(f *plan.FQ, w []string) int {
	for i := range f.Weights {
		if i >= len(w) || !readNumber(&f.Weights[i], w[i]) {
			return i
		}
	}
	return len(f.Weights)
}

// readFQStats reads a line of fq's own statistics. Newer versions of tc put the
// word before the number, older ones behind it:
//
//	flows 4 (inactive 3 throttled 0)       4 flows (3 inactive, 0 throttled)
//	gc 0 highprio 0 throttled 2            0 gc, 0 highprio, 2 throttled, 9 flows_plimit
func (q *qdisc) readFQStats(w []string) bool {
	numbers := pairs(w)
	s := q.FQStats
	if s == nil {
		s = &plan.FQStats{}
	}
	flows, ofFlows := numbers["flows"]
	_, ofQdisc := numbers["gc"]
	_, ofRest := numbers["pkts_too_long"]
	switch {
	case ofFlows:
		s.Flows, s.InactiveFlows, s.ThrottledFlows = flows, numbers["inactive"], numbers["throttled"]
	case ofQdisc:
		s.Throttled, s.FlowLimitDrops = numbers["throttled"], numbers["flows_plimit"]
		q.Stats.Marks = numbers["ce_mark"]
	case !ofRest && numbers["horizon_drops"]+numbers["horizon_caps"] == 0:
		return false
	}
	if n, ok := numbers["horizon_drops"]; ok {
		s.HorizonDrops = n
	}
	q.FQStats = s
	return true
}

// pairs are words with a number each, in either order. Times are left out.
func pairs(w []string) map[string]uint64 {
	all := map[string]uint64{}
	if _, ok := parseCount(w[0]); ok {
		for i := 0; i+1 < len(w); i++ {
			if n, ok := parseCount(w[i]); ok {
				all[strings.Trim(w[i+1], "(),")] = n
			}
		}
		return all
	}
	for i := 0; i+1 < len(w); i += 2 {
		if n, ok := parseCount(w[i+1]); ok {
			all[strings.Trim(w[i], "(),")] = n
		}
	}
	return all
}
