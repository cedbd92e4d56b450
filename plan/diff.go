package plan

import "fmt"

// Diff lists what has to be done to make the kernel as planned, in an order
// that leaves no moment unshaped and loses nothing: the IFB, its qdisc, the
// ingress qdisc, the redirect, whatever it takes the place of, the root qdisc.
// No difference gives no step. The one exception is an IFB for cake_mq whose
// device has got another number of queues: it can only be deleted and made
// again, and the download is unshaped for that moment.
//
// Of a direction that isn't planned only what sqmctl itself installed is
// deleted. What another program installed on the way in is a *ConflictError,
// or with takeOver replaced; its root qdisc is replaced either way, with a
// Note that says so. A device that isn't there is a *MissingDeviceError, a link
// that can't be planned its *ProblemError.
func Diff(link Link, found State, takeOver bool) ([]Step, error) {
	if link.Problem != nil {
		return nil, link.Problem
	}
	device := found.Device(link.Interface)
	if device == nil {
		return nil, &MissingDeviceError{Device: link.Interface}
	}
	link = settle(link, &found)
	if link.Ingress == nil {
		return append(teardownIngress(device.Name, &found), diffEgress(link.Egress, device)...), nil
	}
	steps, err := diffIngress(link.Ingress, device, &found, takeOver)
	if err != nil {
		return nil, err
	}
	return append(steps, diffEgress(link.Egress, device)...), nil
}

func diffEgress(egress *Shaper, device *Device) []Step {
	if egress == nil {
		return teardownRoot(device)
	}
	return diffShaper(egress, device)
}

func diffIngress(in *Shaper, device *Device, found *State, takeOver bool) ([]Step, error) {
	ifb := found.Device(in.IFB.Link)
	if conflict := nameConflict(device.Name, ifb, found); conflict != nil {
		return nil, conflict
	}
	redirect, err := diffRedirect(in.Redirect, device, found, takeOver)
	if err != nil {
		return nil, err
	}
	var steps []Step
	if in.IFB.misfits(ifb) {
		steps, device, found = withoutIFB(in.IFB, device, found)
		ifb = nil
		if redirect, err = diffRedirect(in.Redirect, device, found, takeOver); err != nil {
			return nil, err
		}
	}
	steps = append(append(steps, diffIFB(in.IFB, ifb)...), diffShaper(in, ifb)...)
	if device.At(HandleIngress) == nil {
		steps = append(steps, Step{Action: Create, Object: ingressQdisc(device.Name)})
	}
	steps = append(steps, redirect...)
	for _, other := range ownedIFBs(device.Name, found) {
		if other.Name != in.IFB.Link {
			steps = append(steps, deleteIFB(other))
		}
	}
	return steps, nil
}

func diffIFB(want *IFB, device *Device) []Step {
	if device == nil {
		return []Step{{Action: Create, Object: want}}
	}
	step := Step{Action: Change, Object: want, Was: foundIFB(device)}
	if device.Alias != want.Alias {
		step.Attributes = append(step.Attributes, Attribute{"alias", quote(device.Alias), quote(want.Alias)})
	}
	if device.Up != want.Up {
		step.Attributes = append(step.Attributes, Attribute{"state", upWord(device.Up), upWord(want.Up)})
	}
	if len(step.Attributes) == 0 {
		return nil
	}
	if owner(device) == "" {
		step.Note = "an apply that was interrupted left it without a mark; it has never carried a packet"
	}
	return []Step{step}
}

func upWord(up bool) string {
	if up {
		return "up"
	}
	return "down"
}

func foundIFB(d *Device) *IFB {
	return &IFB{Link: d.Name, Alias: d.Alias, Up: d.Up, Queues: d.TxQueues}
}

// diffRedirect creates the redirect before it deletes what it replaces, so
// that the first packets already take the new way.
func diffRedirect(want *Filter, device *Device, found *State, takeOver bool) ([]Step, error) {
	kept := device.redirectAs(want)
	var steps []Step
	if kept == nil {
		steps = append(steps, Step{Action: Create, Object: want})
	}
	conflict := &ConflictError{Device: device.Name}
	for _, c := range device.classifiers() {
		switch {
		case kept != nil && c.Priority == kept.Priority:
		case len(c.foreign(found)) == 0:
			steps = append(steps, deleteFilter(c, "it is replaced by the one above"))
		default:
			foreign := c.foreign(found)
			conflict.Filters = append(conflict.Filters, foreign...)
			steps = append(steps, deleteFilter(c, foreignNote(len(foreign), len(c.rules))))
		}
	}
	if len(conflict.Filters) > 0 && !takeOver {
		return nil, conflict
	}
	return steps, nil
}

// foreignNote says that a step deletes what another program installed, and
// that it deletes every filter of the priority.
func foreignNote(foreign, all int) string {
	if all == 1 {
		return "sqmctl did not install it"
	}
	return fmt.Sprintf("and all %d filters of this priority, of which sqmctl did not install %d", all, foreign)
}
