package plan

import (
	"fmt"

	"github.com/sqmctl/sqmctl/linklayer"
)

// Rate is what the shaper holds the direction to; 0 if it doesn't.
func (s *Shaper) Rate() linklayer.Rate {
	switch {
	case len(s.Classes) > 0:
		return s.Classes[0].HTB.Rate
	case s.Qdisc.Cake != nil:
		return s.Qdisc.Cake.Rate
	}
	return 0
}

// ShapedRate is what the root qdisc of a device holds all of its packets to: a
// CAKE's rate, or that of the one class right below an HTB; 0 if it has none, or
// if packets that no filter picks pass the classes by.
func (d *Device) ShapedRate() linklayer.Rate {
	root := d.At(HandleRoot)
	switch {
	case root == nil:
		return 0
	case root.Cake != nil:
		return root.Cake.Rate
	case root.HTB == nil || d.class(root.Handle|Handle(root.HTB.Default)) == nil:
		return 0
	}
	top := d.topClasses(root.Handle)
	if len(top) != 1 {
		return 0
	}
	return top[0].Rate
}

// topClasses are those right below a root qdisc.
func (d *Device) topClasses(root Handle) []*ClassState {
	var all []*ClassState
	for i := range d.Classes {
		if c := &d.Classes[i]; c.Handle.Major() == root.Major() && c.Parent == HandleRoot {
			all = append(all, c)
		}
	}
	return all
}

// Differences are the attributes in which what is on a device differs from a
// direction as planned. The root qdisc must be of the planned kind, or have the
// same options.
func Differences(want *Shaper, device *Device) []Attribute {
	root := device.At(HandleRoot)
	var all []Attribute
	if root.Kind != want.Qdisc.Kind {
		all = append(all, Attribute{"kind", root.Kind, want.Qdisc.Kind})
	}
	all = append(all, diffOptions(&root.Qdisc, &want.Qdisc)...)
	for _, c := range want.Classes {
		all = append(all, c.differences(device.class(root.Handle|Handle(c.Handle.Minor())))...)
	}
	for _, q := range want.Leaves {
		parent := root.Handle | Handle(q.Parent.Minor())
		leaf := device.At(parent)
		switch {
		case len(want.Classes) > 0 && device.class(parent) == nil: // which says enough
		case leaf == nil || leaf.Kind != q.Kind:
			all = append(all, Attribute{"leaf", kindWord(leaf), q.Kind})
		default:
			all = append(all, diffOptions(&leaf.Qdisc, q)...)
		}
	}
	if want.Marks != nil {
		if steps := diffMarks(want.Marks, device); len(steps) > 0 {
			all = append(all, Attribute{"filters by DSCP", "missing or others", fmt.Sprintf("%d", len(want.Marks.Rules))})
		}
	}
	return all
}

func kindWord(q *QdiscState) string {
	if q == nil {
		return "none"
	}
	return q.Kind
}

func (c *Class) differences(found *ClassState) []Attribute {
	if found == nil || found.HTB == nil {
		return []Attribute{{"class", "none", c.Handle.String()}}
	}
	return differing(found.HTB.options(), c.HTB.options())
}
