package plan

// diffShaper compares a direction's qdisc and what hangs on it.
func diffShaper(want *Shaper, device *Device) []Step {
	steps := diffRoot(&want.Qdisc, device)
	if want.Class == nil {
		return steps
	}
	if len(steps) > 0 && steps[0].Action != Change { // what is there now goes with the root
		return append(steps, Step{Action: Create, Object: want.Class}, Step{Action: Create, Object: want.Leaf})
	}
	class := device.class(want.Class.Handle)
	switch {
	case class == nil:
		steps = append(steps, Step{Action: Create, Object: want.Class})
	case class.HTB == nil || len(differing(class.HTB.options(), want.Class.HTB.options())) > 0:
		steps = append(steps, changeClass(class, want.Class))
	}
	return append(steps, diffLeaf(want.Leaf, device)...)
}

func changeClass(found *ClassState, want *Class) Step {
	was := &Class{Link: want.Link, Handle: found.Handle, Parent: found.Parent, HTB: found.HTB}
	if was.HTB == nil {
		was.HTB = &HTBClass{}
	}
	return Step{Action: Change, Object: want, Was: was, Attributes: differing(was.HTB.options(), want.HTB.options())}
}

// diffLeaf compares the qdisc below a class. One that can't be changed in place
// has got another handle by settle.
func diffLeaf(want *Qdisc, device *Device) []Step {
	found := device.At(want.Parent)
	switch {
	case found == nil || found.Handle == 0:
		return []Step{{Action: Create, Object: want}}
	case found.Kind != want.Kind || found.Handle != want.Handle:
		return []Step{{Action: Replace, Object: want, Was: &found.Qdisc, Note: replaceNote(found, device)}}
	}
	if differ := diffOptions(&found.Qdisc, want); len(differ) > 0 {
		return []Step{{Action: Change, Object: want, Was: &found.Qdisc, Attributes: differ}}
	}
	return nil
}

func (d *Device) class(handle Handle) *ClassState {
	for i := range d.Classes {
		if d.Classes[i].Handle == handle {
			return &d.Classes[i]
		}
	}
	return nil
}
