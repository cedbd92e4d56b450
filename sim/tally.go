package sim

import "time"

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

// spread is the distribution of delays in ns, which it puts into another order.
func spread(delays []int64) Delay {
	n := len(delays)
	if n == 0 {
		return Delay{}
	}
	var sum, most int64
	for _, d := range delays {
		sum += d
		most = max(most, d)
	}
	// Each is looked for among those above the one before.
	var found [3]time.Duration
	from := 0
	for i, percent := range [...]int{50, 95, 99} {
		at := n * percent / 100
		found[i] = time.Duration(nth(delays[from:], at-from))
		from = at
	}
	return Delay{
		Count: n, Median: found[0], P95: found[1], P99: found[2],
		Max: time.Duration(most), Mean: time.Duration(sum / int64(n)),
	}
}

// nth puts what would be the k-th value in order into its place, lesser ones
// before and greater ones behind it (Hoare's FIND, 1961), and returns it.
func nth(values []int64, k int) int64 {
	low, high := 0, len(values)-1
	for low < high {
		pivot := values[low+(high-low)/2]
		i, j := low, high
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return values[k]
		}
	}
	return values[k]
}
