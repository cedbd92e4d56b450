package plan

// diffShaper compares a direction's qdisc and what hangs on it.
func diffShaper(want *Shaper, device *Device) []Step {
	steps := diffRoot(&want.Qdisc, device)
	anew := len(steps) > 0 && steps[0].Action != Change // what is there now goes with the root
	if anew {
		device = &Device{}
	}
	for _, c := range want.Classes {
		steps = append(steps, diffClass(c, device)...)
	}
	for _, q := range want.Leaves {
		steps = append(steps, diffLeaf(q, device)...)
	}
	if want.Marks != nil {
		steps = append(steps, diffMarks(want.Marks, device)...)
	}
	return steps
}

func diffClass(want *Class, device *Device) []Step {
	found := device.class(want.Handle)
	switch {
	case found == nil:
		return []Step{{Action: Create, Object: want}}
	case found.HTB == nil || len(differing(found.HTB.options(), want.HTB.options())) > 0:
		return []Step{changeClass(found, want)}
	}
	return nil
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
