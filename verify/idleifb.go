package verify

import (
	"slices"

	"github.com/sqmctl/sqmctl/plan"
)

// idleIFB is an IFB that somebody gave a qdisc for the download of a device,
// and that nothing is sent to: the redirect is missing, as where a script made
// all but that and nobody saw the error. It is the one that is named after the
// device; or the only one, if the device is the only one with a way in and
// nothing on it. Nil if there is none.
func idleIFB(device *plan.Device, found *plan.State) *plan.Device {
	var idle []*plan.Device
	for i := range found.Devices {
		d := &found.Devices[i]
		if d.Kind == "ifb" && shapedByHand(d) && !isFed(d.Name, found) {
			idle = append(idle, d)
		}
	}
	if i := slices.IndexFunc(idle, func(ifb *plan.Device) bool { return namedAfter(ifb.Name, device.Name) }); i >= 0 {
		return idle[i]
	}
	if len(idle) != 1 || slices.ContainsFunc(found.Devices, func(d plan.Device) bool { return namedAfter(idle[0].Name, d.Name) }) {
		return nil
	}
	for i := range found.Devices {
		if open := opensOnNothing(&found.Devices[i]); open != (found.Devices[i].Name == device.Name) {
			return nil
		}
	}
	return idle[0]
}

// isFed tells whether some device sends packets that it receives to this one.
func isFed(name string, found *plan.State) bool {
	for i := range found.Devices {
		for _, f := range found.Devices[i].Filters {
			if f.Redirect == name || f.Mirror == name {
				return true
			}
		}
	}
	return false
}

// namedAfter tells whether an IFB's name is made of a device's: "ifb4wan",
// "ifb-wan", "wan-ifb", or the beginning of such a name, cut off.
func namedAfter(ifb, device string) bool {
	const maxName = 15
	for _, name := range []string{"ifb4" + device, "ifq4" + device, "ifb-" + device, "ifb_" + device, "ifb" + device, device + "-ifb", device + "_ifb"} {
		if ifb == name[:min(len(name), maxName)] {
			return true
		}
	}
	return false
}

// opensOnNothing tells whether a device has a qdisc for the way in, and no
// filter there.
func opensOnNothing(d *plan.Device) bool {
	return d.At(plan.HandleIngress) != nil && len(d.Filters) == 0
}
