package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/plan"
)

// noShaper is a CAKE that the kernel gave the device because it is the default
// qdisc (net.core.default_qdisc), at its root or below each queue of an mq:
// nobody installed a shaper. Where it dropped something, the device itself is what
// the packets wait for.
func (d *direction) noShaper() *Finding {
	root, device := d.root(d.last()), d.queued(d.last())
	queues := 0
	switch {
	case d.ingress() || d.dropped(root):
		return nil
	case isDefaultCake(root):
	case root.Kind == "mq":
		if queues = defaultCakes(root, device); queues == 0 {
			return nil
		}
	default:
		return nil
	}
	advice := applyAdvice
	if d.accessType() == nil {
		advice = "write a profile, then run: sqmctl apply; if the line is as fast as " + device.Name + " itself, leave it"
	}
	what := "a CAKE"
	if queues > 0 {
		what = fmt.Sprintf("a CAKE for each of %d queues", queues)
	}
	f := d.finding(NoShaper, Fault, advice,
		"nobody installed a shaper on %s: it has %s without a rate, the default qdisc of this machine, and the queue stands in the line", device.Name, what)
	return d.with(f, d.traffic()...)
}

// dropped tells whether a qdisc dropped packets between the samples, or ever if
// there is one sample.
func (d *direction) dropped(q *plan.QdiscState) bool {
	if len(d.samples) < 2 {
		return drops(q) > 0
	}
	before := d.sameIn(&d.samples[0], q)
	return before != nil && drops(q) > drops(before)
}

// isDefaultCake tells a CAKE that nobody made: the kernel gives its own the handle
// 0. What a too old tc didn't print of its options would be the defaults.
func isDefaultCake(q *plan.QdiscState) bool {
	return q.Kind == "cake" && q.Handle == 0 && (q.Cake == nil || q.Cake.Rate == 0)
}

// defaultCakes is how many queues of an mq have such a CAKE; 0 if one of them has
// something else.
func defaultCakes(mq *plan.QdiscState, device *plan.Device) (n int) {
	for i := range device.Qdiscs {
		q := &device.Qdiscs[i]
		if q.Parent == plan.HandleRoot || q.Parent == plan.HandleIngress || q.Parent.Major() != mq.Handle.Major() {
			continue
		}
		if !isDefaultCake(q) {
			return 0
		}
		n++
	}
	return n
}

// shapesBelow tells an mq that has a shaper below one of its queues.
func shapesBelow(mq *plan.QdiscState, device *plan.Device) bool {
	for i := range device.Qdiscs {
		q := &device.Qdiscs[i]
		if q.Parent.Major() == mq.Handle.Major() && (q.Cake != nil && q.Cake.Rate != 0 || q.Kind != "cake" && !ratelessKinds[q.Kind] && q.Parent != plan.HandleIngress) {
			return true
		}
	}
	return false
}
