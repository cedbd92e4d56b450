package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/plan"
)

const (
	// tooFew is how many packets say nothing yet.
	tooFew = 10_000
	// oftenEnough is one drop or mark in so many packets: a lone sender through a
	// shaper of 100 Mbit/s, the fewest of all, has about that.
	oftenEnough = 20_000
)

// oneLook judges by what a qdisc has counted since it was made. Nobody knows
// what load there was in that time, so it proves that a shaper held packets back,
// and not that it should have.
func (d *direction) oneLook(root *plan.QdiscState) Finding {
	s := root.Stats
	held := drops(root) + s.Marks
	again := "load the line, and run: sqmctl doctor --for 10s; or paste a second dump, taken under load"
	f := &Finding{}
	switch {
	case held*oftenEnough >= s.Packets && held > 1 || s.Backlog >= standingBytes:
		f = d.finding(Engaged, Fine, "", "%s on %s has held packets back since it was made: the queue stood here, at least at times", root.Kind, root.Link)
	case s.Packets < tooFew:
		f = d.finding(Idle, Fine, again, "too little %s to tell: %s on %s has passed %d packets", d.shaper.Direction, root.Kind, root.Link, s.Packets)
	default:
		f = d.finding(HeldLittle, Notice, again+". If the line was loaded in that time, its rate is above what comes through: the line or the processor is slower",
			"%s on %s has hardly ever held a packet back since it was made", root.Kind, root.Link)
	}
	f.numbered("packets", float64(s.Packets)).numbered("drops_and_marks_packets", float64(held)).
		numbered("overlimits", float64(s.Overlimits)).numbered("backlog_bytes", float64(s.Backlog))
	return *d.with(f, fmt.Sprintf("%d packets so far, of which %d were dropped or marked; %d bytes waiting", s.Packets, held, s.Backlog))
}
