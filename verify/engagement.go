package verify

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// engagement says whether the shaper was the bottleneck. That overlimits move
// is no proof: CAKE counts one for the second of any two packets that come
// together, at any load. Nor is a drop or two, which a sender's start-up leaves
// behind on a shaper whose rate is above the line's.
func (d *direction) engagement() Finding {
	root := d.root(d.last())
	if f := d.uncounted(root); f != nil {
		return *f
	}
	if f := d.withoutClasses(root); f != nil {
		return *f
	}
	if d.rate(d.last()) == 0 {
		return *d.withoutRate(root)
	}
	if len(d.samples) < 2 {
		return d.oneLook(root)
	}
	l := d.measure()
	if f := d.cpuBound(); f != nil && !(len(l.busy) > 0 && l.engaged()) {
		return *d.with(l.number(f), l.evidence()...)
	}
	switch {
	case len(l.busy) == 0 || l.busyTime() < minimumBusy(l.duration):
		if f := d.flat(); f != nil {
			return *d.with(l.number(f), l.evidence()...)
		}
		return *d.with(l.number(d.idle(root, &l)), l.evidence()...)
	case l.engaged():
		f := d.finding(Engaged, Fine, "", "%s on %s held packets back under load: the queue stands here, where it is managed", root.Kind, root.Link)
		return *d.with(l.number(f), append(l.evidence(), d.speedTest(l.rate)...)...)
	}
	if l.spreadUnclear() {
		return *d.with(l.number(d.unclear(root)), l.evidence()...)
	}
	if f := d.shapedInTunnel(); f != nil {
		return *d.with(l.number(f), l.evidence()...)
	}
	f := d.finding(NotBottleneck, Fault, l.lowerRate(),
		"%s on %s had load and held (nearly) nothing back: it is not the bottleneck, the line's own queue is where the latency is", root.Kind, root.Link)
	return *d.with(l.number(f), l.evidence()...)
}

// minimumBusy is how much load a judgement needs: a second, or half of a
// shorter stretch.
func minimumBusy(stretch time.Duration) time.Duration {
	return min(time.Second, stretch/2)
}

func (d *direction) idle(root *plan.QdiscState, l *load) *Finding {
	needed := linklayer.Rate(float64(l.rate) * busyShare)
	return d.finding(Idle, Fine,
		"load the "+d.shaper.Direction.String()+" while doctor runs; if a speed test did run, the line is slower than the shaper: lower the rate",
		"too little %s to tell: %s carried %s and a judgement needs %s for a second", d.shaper.Direction, root.Link, mean(l.bytes, l.duration), needed)
}

// The bounds lie between what a kernel shows with the shaper at 95 and 100 %
// of the line and what it shows at 105 and 110 %, for one flow and eight, CUBIC,
// Reno and BBR, at 24 and 100 ms of round trip.
const (
	fullShare  = 0.985 // an interval at the shaper's full rate
	engagedAll = 0.3   // part of the busy intervals that prove a queue by themselves
	engagedFew = 0.1   // part that proves it where the throughput varies
	flatWidth  = 0.012 // how far from the plateau an interval is still flat
	flatShare  = 0.45  // part of flat intervals that makes a plateau
	fewLooks   = 5     // intervals that a plateau needs
)

// held tells whether the shaper worked at its full rate and packets waited.
func (v interval) held() bool { return v.queued && v.used >= fullShare }

// engaged weighs two signs: intervals in which the shaper works at its full
// rate with packets waiting, and a throughput that is nailed to a value below
// that rate, which is a slower hop's doing. A lone sender with a long way to go
// fills the shaper now and then only, but then its throughput swings.
func (l *load) engaged() bool {
	held := l.share(l.held)
	if held >= engagedAll {
		return true
	}
	if len(l.busy) < fewLooks {
		return l.signals > 0 && l.plateau() >= fullShare
	}
	plateau := l.plateau()
	flat := l.share(func(v interval) bool { return v.used >= plateau-flatWidth && v.used <= plateau+flatWidth })
	return held >= engagedFew && flat < flatShare
}

// lowerRate advises a rate that the line has shown it can carry.
func (l *load) lowerRate() string {
	seen := linklayer.Rate(float64(l.rate) * min(1, l.plateau()))
	return "the line gave " + seen.Less(0).String() + " on the wire: set a rate about 5 % below that, then run: sqmctl apply; if that was a stream with a pace of its own, look again with a speed test"
}

// withoutRate judges a qdisc that can't shape: without a rate it can build a
// queue only at the device's own speed.
func (d *direction) withoutRate(root *plan.QdiscState) *Finding {
	first := d.root(&d.samples[0])
	if !ratelessKinds[root.Kind] && !d.passedBy(root) || root.Kind == "mq" && shapesBelow(root, d.queued(d.last())) {
		return d.finding(NotJudged, Notice, "", "%s on %s is a shaper whose counters are not judged yet", root.Kind, root.Link)
	}
	var packets, held uint64
	if first != nil {
		packets = delta(first.Stats.Packets, root.Stats.Packets)
		held = delta(first.Stats.Drops, root.Stats.Drops) + delta(first.Stats.Marks, root.Stats.Marks)
	}
	if root.Kind == "noqueue" { // which counts nothing
		packets = d.deviceSent()
	}
	advice := "put a shaper below the line's rate in front: write a profile, then run: sqmctl apply"
	switch {
	case held > 0:
		f := d.finding(Engaged, Fine, "", "%s on %s held packets back: the device itself is the bottleneck", root.Kind, root.Link)
		return d.with(f, d.traffic()...)
	case packets < 100:
		return d.with(d.finding(Unlimited, Warning, advice, "%s on %s has no rate: nothing is shaped here", root.Kind, root.Link), d.traffic()...)
	}
	f := d.finding(NotBottleneck, Fault, advice,
		"%s on %s has no rate and held nothing back: it is not the bottleneck, the line's own queue is where the latency is", root.Kind, root.Link)
	return d.with(f, d.traffic()...)
}

// deviceSent is what the device sent between the first sample and the last.
func (d *direction) deviceSent() uint64 {
	first, last := d.queued(&d.samples[0]), d.queued(d.last())
	if first == nil {
		return 0
	}
	sent, _ := moved(first, last)
	return sent
}

// passedBy tells an HTB whose classes saw (nearly) none of its packets, which is
// as good as no shaper.
func (d *direction) passedBy(root *plan.QdiscState) bool {
	first := d.sameIn(&d.samples[0], root)
	if root.HTB == nil || first == nil {
		return false
	}
	direct := delta(first.DirectPackets, root.DirectPackets)
	return direct > 0 && direct*10 >= delta(first.Stats.Packets, root.Stats.Packets)*9
}

// ratelessKinds are the qdiscs that have no rate of their own.
var ratelessKinds = map[string]bool{
	"noqueue": true, "pfifo_fast": true, "pfifo": true, "bfifo": true, "mq": true, "fq": true, "fq_codel": true,
	"codel": true, "fq_pie": true, "pie": true, "sfq": true, "red": true, "prio": true, "drr": true,
}
