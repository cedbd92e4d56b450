package qdisc

// autorate is CAKE's estimate of the rate at which packets arrive
// (autorate-ingress): a peak of the averages over windows that end with each
// gap which is longer than the average one.
type autorate struct {
	last, windowBegin int64 // ns
	gap               int64 // ns: average
	windowBytes       int64
	peak              int64 // bytes/s
}

// newAutorate begins with the rate in bytes/s that is set, a second ago.
func newAutorate(rate uint64) autorate {
	const before = -1_000_000_000
	return autorate{last: before, windowBegin: before, peak: int64(rate)}
}

// see takes note of an arrival and says whether the estimate changed. The
// kernel means to change the rate every 250 ms at most, but never notes when
// it did (last_reconfig_time), so it does each time.
func (a *autorate) see(bytes int, now int64) bool {
	const second = 1_000_000_000
	a.windowBytes += int64(bytes)
	gap := min(now-a.last, second)
	a.gap = average(a.gap, gap)
	a.last = now
	if gap <= a.gap || now == a.windowBegin {
		return false
	}
	a.peak = average(a.peak, a.windowBytes*second/(now-a.windowBegin))
	a.windowBytes, a.windowBegin = 0, now
	return true
}

// rate is what the shaper gets: 15/16 of the estimate, in bytes/s.
func (a *autorate) rate() uint64 { return uint64(a.peak) * 15 >> 4 }

// average is a moving average that rises by quarters and falls by 256ths.
func average(average, sample int64) int64 {
	shift := 8
	if sample > average {
		shift = 2
	}
	return average - average>>shift + sample>>shift
}
