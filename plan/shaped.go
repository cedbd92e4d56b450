package plan

import "github.com/sqmctl/sqmctl/linklayer"

// Rate is what the shaper holds the direction to; 0 if it doesn't.
func (s *Shaper) Rate() linklayer.Rate {
	switch {
	case s.Class != nil:
		return s.Class.HTB.Rate
	case s.Qdisc.Cake != nil:
		return s.Qdisc.Cake.Rate
	}
	return 0
}

// ShapedRate is what the root qdisc of a device holds all of its packets to: a
// CAKE's rate, or that of the one class of an HTB; 0 if it has none, or if
// classes share it.
func (d *Device) ShapedRate() linklayer.Rate {
	root := d.At(HandleRoot)
	switch {
	case root == nil:
		return 0
	case root.Cake != nil:
		return root.Cake.Rate
	case root.HTB == nil || countClasses(root.Handle, d) != 1:
		return 0
	}
	if class := d.class(root.Handle | Handle(root.HTB.Default)); class != nil {
		return class.Rate
	}
	return 0
}

// Differences are the attributes in which what is on a device differs from a
// direction as planned. The root qdisc must be of the planned kind.
func Differences(want *Shaper, device *Device) []Attribute {
	root := device.At(HandleRoot)
	all := diffOptions(&root.Qdisc, &want.Qdisc)
	if want.Class == nil {
		return all
	}
	handle := root.Handle | treeClass
	class, leaf := device.class(handle), device.At(handle)
	if class == nil || class.HTB == nil {
		return append(all, Attribute{"class", "none", handle.String()})
	}
	all = append(all, differing(class.HTB.options(), want.Class.HTB.options())...)
	if leaf == nil || leaf.Kind != want.Leaf.Kind {
		return append(all, Attribute{"leaf", "none", want.Leaf.Kind})
	}
	return append(all, diffOptions(&leaf.Qdisc, want.Leaf)...)
}
