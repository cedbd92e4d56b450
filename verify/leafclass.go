package verify

import (
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// leafClass is a class of HTB that has packets of its own.
type leafClass struct {
	*plan.ClassState
	htb   *plan.QdiscState
	queue *plan.QdiscState // nil: a FIFO of the kernel's, which it doesn't show
}

// leafClasses are those of every HTB on a device; none if they weren't shown.
func leafClasses(device *plan.Device) []leafClass {
	if device == nil || device.Unknown.Classes {
		return nil
	}
	parents := map[plan.Handle]bool{}
	for i := range device.Classes {
		parents[device.Classes[i].Parent] = true
	}
	var all []leafClass
	for i := range device.Classes {
		c := &device.Classes[i]
		if htb := htbOf(device, c.Handle); htb != nil && !parents[c.Handle] {
			all = append(all, leafClass{c, htb, device.At(c.Handle)})
		}
	}
	return all
}

// htbOf is the HTB that a class belongs to; nil if it belongs to none.
func htbOf(device *plan.Device, class plan.Handle) *plan.QdiscState {
	for i := range device.Qdiscs {
		if q := &device.Qdiscs[i]; q.Kind == "htb" && q.Handle.Major() == class.Major() && q.Handle != 0 {
			return q
		}
	}
	return nil
}

// most is the highest rate of a class; 0 if it isn't known.
func (c *leafClass) most() linklayer.Rate {
	if c.Ceil != 0 {
		return c.Ceil
	}
	return c.Rate
}

// queuesWithRate are the qdiscs that hold the direction's packets, with the rate
// at which each sends at most: those of HTB's classes, or a root with a rate.
func (d *direction) queuesWithRate(s *plan.State) map[*plan.QdiscState]linklayer.Rate {
	all := map[*plan.QdiscState]linklayer.Rate{}
	device := d.queued(s)
	for _, c := range leafClasses(device) {
		if c.queue != nil && c.most() != 0 {
			all[c.queue] = c.most()
		}
	}
	if root := d.root(s); root != nil && root.Cake != nil && root.Cake.Rate != 0 {
		all[root] = root.Cake.Rate
	}
	return all
}

// sameIn finds a qdisc in another sample; nil if it wasn't there then, or was
// made anew since.
func (d *direction) sameIn(s *plan.State, q *plan.QdiscState) *plan.QdiscState {
	device := d.queued(s)
	if device == nil {
		return nil
	}
	before := device.At(q.Parent)
	if before == nil || before.Kind != q.Kind || before.Handle != q.Handle || before.Stats.Packets > q.Stats.Packets {
		return nil
	}
	return before
}
