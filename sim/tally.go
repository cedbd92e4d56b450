package sim

import (
	"slices"
	"time"
)

// tally counts what packets waited in a place, within the part of the run that
// counts.
type tally struct {
	from, until int64 // ns
	sum, most   int64
	count       int64
	dropped     int64
}

func (t *tally) note(wait, at int64) {
	if at >= t.from && at < t.until {
		t.sum += wait
		t.most = max(t.most, wait)
		t.count++
	}
}

func (t *tally) drop(at int64) {
	if at >= t.from && at < t.until {
		t.dropped++
	}
}

func (t *tally) queue() Queue {
	q := Queue{Max: time.Duration(t.most), Dropped: t.dropped}
	if t.count > 0 {
		q.Mean = time.Duration(t.sum / t.count)
	}
	return q
}

// spread is the distribution of delays in ns, which it sorts.
func spread(delays []int64) Delay {
	n := len(delays)
	if n == 0 {
		return Delay{}
	}
	slices.Sort(delays)
	var sum int64
	for _, d := range delays {
		sum += d
	}
	at := func(percent int) time.Duration { return time.Duration(delays[n*percent/100]) }
	return Delay{
		Count: n, Median: at(50), P95: at(95), P99: at(99),
		Max: time.Duration(delays[n-1]), Mean: time.Duration(sum / int64(n)),
	}
}
