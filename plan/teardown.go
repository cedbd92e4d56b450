package plan

// Teardown lists what has to be done to leave a device as it was before the
// first apply: the redirect, the ingress qdisc if sqmctl made it and nobody
// else has put a filter on it since, the IFB, the root qdisc. It touches only
// what sqmctl installed. It also finds the IFB of a device that is gone.
//
// The redirect goes first because packets that are sent to a missing device
// are lost. The ingress qdisc goes before the IFB because the IFB's alias is
// what says whose it is: if this is interrupted, the next run still knows.
func Teardown(device string, found State) []Step {
	steps := teardownIngress(device, &found)
	if d := found.Device(device); d != nil {
		steps = append(steps, teardownRoot(d)...)
	}
	return steps
}

func teardownIngress(name string, found *State) []Step {
	var steps []Step
	device := found.Device(name)
	if device != nil {
		steps = teardownFilters(device, found)
		if madeIngressQdisc(device, found) && !hasForeignFilter(device, found) {
			q := &device.At(HandleIngress).Qdisc
			steps = append(steps, Step{Action: Delete, Object: q, Was: q})
		}
	}
	for _, ifb := range ownedIFBs(name, found) {
		steps = append(steps, deleteIFB(ifb))
	}
	return steps
}

func teardownFilters(device *Device, found *State) []Step {
	var steps []Step
	for _, c := range device.classifiers() {
		foreign := len(c.foreign(found))
		if foreign == len(c.rules) {
			continue
		}
		note := ""
		if foreign > 0 {
			note = foreignNote(foreign, len(c.rules))
		}
		steps = append(steps, deleteFilter(c, note))
	}
	return steps
}

// hasForeignFilter looks at every chain, and at empty classifiers too: deleting
// the ingress qdisc would delete them all.
func hasForeignFilter(device *Device, found *State) bool {
	all := device.classifiers()
	deleted := map[uint16]bool{}
	for i := range all {
		deleted[all[i].Priority] = len(all[i].foreign(found)) < len(all[i].rules)
	}
	for _, f := range device.Filters {
		if f.Chain != 0 || !deleted[f.Priority] {
			return true
		}
	}
	return false
}

func teardownRoot(device *Device) []Step {
	root := device.At(HandleRoot)
	if root == nil || !root.Handle.Owned() {
		return nil
	}
	return []Step{{Action: Delete, Object: &root.Qdisc, Was: &root.Qdisc}}
}

func deleteFilter(c classifier, note string) Step {
	f := c.Filter
	return Step{Action: Delete, Object: &f, Was: &f, Note: note}
}

func deleteIFB(device *Device) Step {
	ifb := foundIFB(device)
	return Step{Action: Delete, Object: ifb, Was: ifb}
}
