package verify

import (
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// Observed is the plan that the kernel itself shows, for a router without a
// profile: every named device, or every device that somebody gave a qdisc or a
// redirect, taken as meant. Checked against it, nothing is ever "not as
// planned"; whether it works is judged all the same. What another shaper's
// configuration wants shaped is wanted too.
func Observed(found plan.State, devices ...string) plan.Plan {
	var p plan.Plan
	for i := range found.Devices {
		device := &found.Devices[i]
		if device.Kind == "ifb" || !wanted(device, devices) {
			continue
		}
		link := plan.Link{Interface: device.Name, Egress: observedEgress(device), Ingress: observedIngress(device, &found)}
		meant := applyConfigured(&link, device, &found)
		link.Server = link.Egress != nil && link.Egress.Qdisc.ServerRoot() && link.Ingress == nil
		if len(devices) > 0 || meant || link.Ingress != nil || shapedByHand(device) {
			p.Links = append(p.Links, link)
		}
	}
	return p
}

func wanted(device *plan.Device, names []string) bool {
	for _, n := range names {
		if n == device.Name {
			return true
		}
	}
	return len(names) == 0
}

// shapedByHand tells a qdisc that somebody installed from the kernel's own.
func shapedByHand(device *plan.Device) bool {
	root := device.At(plan.HandleRoot)
	return root != nil && root.Handle != 0
}

func observedEgress(device *plan.Device) *plan.Shaper {
	root := device.At(plan.HandleRoot)
	if root == nil {
		return nil
	}
	shaper := &plan.Shaper{Direction: linklayer.Egress, Qdisc: root.Qdisc}
	if !root.ServerRoot() {
		return shaper
	}
	for i := range device.Qdiscs {
		if q := &device.Qdiscs[i]; q.Parent.Major() == root.Handle.Major() {
			shaper.Leaves = append(shaper.Leaves, &q.Qdisc)
		}
	}
	return shaper
}

func observedIngress(device *plan.Device, found *plan.State) *plan.Shaper {
	target := found.Device(device.RedirectTarget())
	if target == nil {
		target = idleIFB(device, found)
	}
	root := device.At(plan.HandleRoot)
	if target == nil && root != nil && root.Handle != 0 && opensOnNothing(device) && !device.Unknown.Filters && device.At(plan.HandleIngress).Kind == "ingress" {
		// Somebody opened the way in for a shaper, and got no further.
		return &plan.Shaper{Direction: linklayer.Ingress, Qdisc: plan.Qdisc{Link: cut("ifb4" + device.Name), Kind: root.Kind, Parent: plan.HandleRoot}}
	}
	if target == nil || target.At(plan.HandleRoot) == nil {
		return nil
	}
	return &plan.Shaper{Direction: linklayer.Ingress, Qdisc: target.At(plan.HandleRoot).Qdisc}
}
