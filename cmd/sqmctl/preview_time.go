package main

import (
	"math"
	"time"
)

// Long enough for transfers to settle, short enough for a router to wait for.
const (
	leastTime   = 20 * time.Second // that counts
	leastWarmup = 10 * time.Second
	wobbleTime  = 10 * time.Second // a period of a varying rate
	// mostPackets of a direction keep the preview of the fastest line that sim
	// takes to seconds on a desk computer: five of them, measured on two cores.
	mostPackets = 20_000_000
)

// takeTime makes the runs long enough for the longest queue to fill and drain
// many times, in whole periods of a rate that varies.
func (l *previewLine) takeTime() {
	longest := l.rtt
	for i := range l.lines {
		longest = max(longest, l.rtt+drain(&l.lines[i]))
	}
	up := func(t time.Duration) time.Duration { return (t + wobbleTime - 1).Truncate(wobbleTime) }
	l.warmup = min(up(max(leastWarmup, 8*longest, l.growth())), longestRun/4)
	l.duration = min(l.warmup+up(max(leastTime, 16*longest)), longestRun)
	if most := l.longestWork(); l.duration > most {
		l.duration, l.cut = most, true
		l.warmup = min(l.warmup, l.duration/3)
	}
}

// growth is how long CUBIC takes to grow from nothing to a window that fills
// path and queue: the K of RFC 9438, section 4.2, of which a lone transfer may
// leave slow start that far away.
func (l *previewLine) growth() time.Duration {
	var longest time.Duration
	for i := range l.lines {
		line := &l.lines[i]
		segments := (float64(line.Rate.BytesPerSecond())*l.rtt.Seconds() + float64(line.Buffer)) / fullPacket / float64(l.flows)
		longest = max(longest, time.Duration(math.Cbrt(segments/0.4)*float64(time.Second)))
	}
	return longest
}

// longestWork is how long a run may be for its packets not to be too many.
func (l *previewLine) longestWork() time.Duration {
	most := longestRun
	for i := range l.lines {
		if rate := l.lines[i].Rate; rate > 0 {
			most = min(most, rate.Time(fullPacket)*mostPackets)
		}
	}
	return most
}
