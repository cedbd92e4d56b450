package verify

import (
	"slices"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// idleIFB is an IFB that somebody gave a qdisc for the download of a device,
// and that nothing is sent to: the redirect is missing, as where a script made
// all but that and nobody saw the error. It is the one that is named after the
// device; or the only one, if the device is the only one with a way in and
// nothing on it. Nil if there is none.
func idleIFB(device *plan.Device, found *plan.State) *plan.Device {
	isIdle := func(d *plan.Device) bool { return d.Kind == "ifb" && shapedByHand(d) && !isFed(d.Name, found) }
	for i := range found.Devices {
		if d := &found.Devices[i]; namedAfter(d.Name, device.Name) && isIdle(d) {
			return d
		}
	}
	if !opensOnNothing(device) {
		return nil
	}
	var idle *plan.Device
	for i := range found.Devices {
		switch d := &found.Devices[i]; {
		case d.Name != device.Name && opensOnNothing(d), idle != nil && isIdle(d):
			return nil
		case isIdle(d):
			idle = d
		}
	}
	if idle == nil || slices.ContainsFunc(found.Devices, func(d plan.Device) bool { return namedAfter(idle.Name, d.Name) }) {
		return nil
	}
	return idle
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
	for _, prefix := range []string{"ifb4", "ifq4", "ifb-", "ifb_", "ifb"} {
		rest, ok := strings.CutPrefix(ifb, prefix)
		if ok && (rest == device || len(ifb) == maxName && strings.HasPrefix(device, rest)) {
			return true
		}
	}
	if !strings.HasPrefix(ifb, device) {
		return false
	}
	for _, suffix := range []string{"-ifb", "_ifb"} {
		if name := device + suffix; ifb == name[:min(len(name), maxName)] && ifb != device {
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
