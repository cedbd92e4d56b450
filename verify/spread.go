package verify

import (
	"fmt"
	"time"

	"github.com/sqmctl/sqmctl/plan"
)

// cake_mq divides its rate evenly among the queues that have sent something in the
// last 200 µs, and what one of them leaves unused of its share is lost. So with a
// few packets in other queues a transfer is held back without the whole ever
// reaching the full rate, and a queue in the shaper stands for longer than one in
// front of a slower line, which lets go what comes in bursts.
const (
	// standingTime is a backlog that only a shaper's own queue reaches often. One
	// flow and eight beside packets in three other queues, with the shaper at 95,
	// 105 and 110 % of the line and 24 ms of round trip, had it in 42 % of the
	// looks at the least where the call found the line's queue empty, and in 4 %
	// at the most where it found that full.
	standingTime = 2 * time.Millisecond
	// unclearShare is the part of the looks from which it can be either. With
	// 100 ms of round trip a lone flow fills either queue now and then: 9 to 20 %
	// against 0 to 10 %.
	unclearShare = 0.05
)

// stands tells whether CAKE has a backlog of standingTime.
func stands(q *plan.QdiscState) bool {
	if q.Cake == nil || q.Cake.Rate == 0 || q.Stats.Backlog < standingBytes {
		return false
	}
	return q.Cake.Rate.Time(int(q.Stats.Backlog)) >= standingTime
}

// held is interval's, or what takes its place for cake_mq.
func (l *load) held(v interval) bool { return v.held() || l.spread > 1 && v.stands }

func (l *load) spreadUnclear() bool { return l.spread > 1 && l.share(l.held) >= unclearShare }

func (d *direction) unclear(root *plan.QdiscState) *Finding {
	return d.finding(NotJudged, Notice, `load the `+d.shaper.Direction.String()+` with several transfers while doctor runs; or write qdisc = "cake", which is judged by the rate that it reaches`,
		"%s on %s held packets back now and then, which it does on a slower line too: whether it is the bottleneck can't be told", root.Kind, root.Link)
}

func (v interval) standing() bool { return v.stands }

func (l *load) spreadEvidence() string {
	return fmt.Sprintf("%s and more of packets waiting: %.0f %% of that time; each of the %d queues in use gets the same part of the rate, and what it leaves unused is lost",
		standingTime, 100*l.share(interval.standing), l.spread)
}

// queueBytes is what went through each queue of cake_mq between the first sample
// and the last; none for any other qdisc.
func (d *direction) queueBytes() (each []uint64) {
	first, last := d.root(&d.samples[0]), d.root(d.last())
	if first == nil || last == nil || len(first.Queues) != len(last.Queues) {
		return nil
	}
	for i := range last.Queues {
		each = append(each, delta(first.Queues[i].Bytes, last.Queues[i].Bytes))
	}
	return each
}

func usedQueues(each []uint64) (used []uint64) {
	for _, bytes := range each {
		if bytes > 0 {
			used = append(used, bytes)
		}
	}
	return used
}
