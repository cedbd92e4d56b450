package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

const applyAdvice = "run: sqmctl apply"

func (d *direction) deviceMissing() *Finding {
	device := d.device(d.last())
	switch {
	case device == nil:
		return d.finding(NoDevice, Fault, "bring the interface up, or correct interface in the profile",
			"%s does not exist, so its %s is not shaped", d.link.Interface, d.shaper.Direction)
	case !device.Up:
		return d.finding(DeviceDown, Fault, "bring the interface up, then run: sqmctl doctor",
			"%s is down, so it carries no %s", d.link.Interface, d.shaper.Direction)
	}
	return nil
}

func (d *direction) qdiscMissing() *Finding {
	root := d.root(d.last())
	want := d.shaper.Qdisc.Kind
	if root != nil && (root.Kind == want || bothCake(root, &d.shaper.Qdisc)) {
		return nil
	}
	if f := d.otherOwner(); f != nil {
		return d.with(f, d.traffic()...)
	}
	f := d.finding(d.absent(), Fault, applyAdvice,
		"%s is not shaped: %s should have %s and has %s, so this device is not the bottleneck and the queue stands in the line",
		d.shaper.Direction, d.shaper.Qdisc.Link, want, rootWords(root))
	if manager := d.device(d.last()).Manager; manager != "" {
		d.with(f, fmt.Sprintf("%s configures %s, and may have put its own qdisc there", manager, d.link.Interface))
	}
	return d.with(f, d.traffic()...)
}

// absent is what is said of a direction whose objects aren't there.
func (d *direction) absent() Code {
	for _, shaper := range d.link.Shapers() {
		other := d.other(shaper)
		if root := other.root(d.last()); shaper != d.shaper && root != nil && root.Kind == shaper.Qdisc.Kind {
			return PartlyApplied
		}
	}
	return NotApplied
}

// rootWords say what is at a root in the place of what should be.
func rootWords(root *plan.QdiscState) string {
	switch {
	case root == nil:
		return "no qdisc"
	case root.Handle == 0:
		return root.Kind + ", the kernel's default"
	}
	return root.Kind
}

// bothCake tells a CAKE in the place of one for each queue, or the reverse: it
// shapes all the same.
func bothCake(found *plan.QdiscState, want *plan.Qdisc) bool {
	return found.Cake != nil && want.Cake != nil
}

// unlimited is a CAKE without a rate that should have one. A qdisc can hold
// packets back only if it has a rate, or if its device is slower than what
// arrives; neither an IFB nor a device before a modem is.
func (d *direction) unlimited() *Finding {
	root := d.root(d.last())
	if root.Cake == nil || root.Cake.Rate != 0 {
		return nil
	}
	advice := applyAdvice
	if d.shaper.Qdisc.Cake == nil || d.shaper.Qdisc.Cake.Rate == 0 {
		advice = "give it a rate below the line's: write a profile, then run: sqmctl apply"
	}
	f := d.finding(Unlimited, Fault, advice,
		"%s on %s has no rate: it takes packets as fast as they come, so no queue forms in it and the one in the line stays",
		root.Kind, root.Link)
	return d.with(f, d.traffic()...)
}

// onTunnel is a qdisc without a rate on a tunnel, which nobody meant to have
// one: a tunnel puts its packets into others, which another device then sends,
// and is as fast as that takes them. The qdisc does nothing, and no harm: what counts is the device that the line is
// at.
func (d *direction) onTunnel() *Finding {
	root, device := d.root(d.last()), d.queued(d.last())
	without := root.Cake != nil && root.Cake.Rate == 0 || ratelessKinds[root.Kind]
	meant := d.shaper.Qdisc.Cake != nil && d.shaper.Qdisc.Cake.Rate != 0 || len(d.shaper.Classes) > 0
	if d.ingress() || device.Tunnel == nil || !without || meant {
		return nil
	}
	return d.finding(Unlimited, Notice, "remove it; shape the device that the tunnel's packets go out of, where they are seen at their full size",
		"%s on %s never queues: the tunnel takes packets as fast as they come, and they wait at the device that sends them on", root.Kind, root.Link)
}

func (d *direction) notAsPlanned() *Finding {
	root := d.root(d.last())
	differences := d.shown(plan.Differences(d.shaper, d.queued(d.last())))
	if len(d.ratesSeen()) > 1 || d.exchanged() { // then that is the finding, and not where the rate was at the end
		differences = slices.DeleteFunc(differences, func(a plan.Attribute) bool { return a.Name == "bandwidth" || a.Name == "rate" || a.Name == "ceil" })
	}
	if len(differences) == 0 {
		return nil
	}
	var evidence []string
	for _, a := range differences {
		evidence = append(evidence, fmt.Sprintf("%s is %s, the profile says %s", a.Name, a.Was, a.Want))
	}
	f := d.finding(NotAsPlanned, Warning, "run sqmctl apply; if it comes back, another program changes it",
		"%s on %s differs from the profile in %s", root.Kind, root.Link, names(differences))
	return d.with(f, evidence...)
}

func names(attributes []plan.Attribute) string {
	var all []string
	for _, a := range attributes {
		all = append(all, a.Name)
	}
	return strings.Join(all, ", ")
}
