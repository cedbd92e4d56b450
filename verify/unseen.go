package verify

import (
	"fmt"
	"slices"

	"github.com/sqmctl/sqmctl/plan"
)

// What somebody pasted may lack what a kernel shows, and what wasn't shown is
// neither there nor absent. The counters say more of a redirect than its absence
// from the paste.

// manyPackets are so many that not all of them can have been for the router
// itself, or have got lost.
const manyPackets = 200

// unseenRedirect judges a download whose redirect wasn't shown: the IFB that is
// named after the device is its target, unless packets came in and none of them
// came to it.
func (d *direction) unseenRedirect(device *plan.Device) *Finding {
	ifb := d.queued(d.last())
	switch {
	case ifb == nil:
		return d.finding(d.absent(), Fault, applyAdvice, "download is not shaped: there is no %s", d.shaper.Qdisc.Link)
	case !ifb.Up:
		return d.finding(IFBDown, Fault, applyAdvice, "%s is down: what %s receives is lost there", ifb.Name, device.Name)
	}
	root := ifb.At(plan.HandleRoot)
	if root == nil || root.Unknown.Stats || root.Stats.Packets+root.Stats.Drops > 0 {
		return nil
	}
	verb, packets := exchanged(device)
	if packets < manyPackets {
		return nil
	}
	f := d.finding(NotRedirected, Fault, "look at tc filter show dev "+device.Name+" parent ffff: for the redirect, then run: sqmctl apply",
		"download is not shaped: nothing that %s receives has come to %s", device.Name, ifb.Name)
	f.numbered("packets", float64(packets)).numbered("redirected_packets", 0)
	return d.with(f, fmt.Sprintf("%s %s %d packets, %s none", device.Name, verb, packets, ifb.Name))
}

// exchanged is what a device took in since its qdiscs were made, or where that
// isn't counted, what it sent and was surely answered to.
func exchanged(device *plan.Device) (verb string, packets uint64) {
	if in := device.At(plan.HandleIngress); in != nil && !in.Unknown.Stats {
		return "received", in.Stats.Packets
	}
	if root := device.At(plan.HandleRoot); root != nil && !root.Unknown.Stats {
		return "sent", root.Stats.Packets
	}
	return "", 0
}

// received are the packets that a device took in between two samples, by the
// qdisc of its way in where its own counters weren't shown.
func received(first, last *plan.Device) uint64 {
	if !first.Unknown.Counters && !last.Unknown.Counters {
		return delta(first.Counters.RxPackets, last.Counters.RxPackets)
	}
	before, after := first.At(plan.HandleIngress), last.At(plan.HandleIngress)
	if before == nil || after == nil || before.Unknown.Stats || after.Unknown.Stats {
		return 0
	}
	return delta(before.Stats.Packets, after.Stats.Packets)
}

// uncounted is a shaper of which no counters were shown, or nothing but its kind.
func (d *direction) uncounted(root *plan.QdiscState) *Finding {
	if root.Unknown.Options && !ratelessKinds[root.Kind] {
		return d.finding(Idle, Fine, "run sqmctl doctor on the machine itself, which asks the kernel; or paste what a newer tc prints",
			"%s on %s is there; its settings were not shown, so nothing can be said of its rate and its overhead", root.Kind, root.Link)
	}
	unknown := func(s plan.State) bool { q := d.root(&s); return q != nil && q.Unknown.Stats }
	if !slices.ContainsFunc(d.samples, unknown) {
		return nil
	}
	return d.finding(Idle, Fine, "show the counters too: tc -s -d qdisc show",
		"%s on %s is installed; without its counters nobody can tell whether it works", root.Kind, root.Link)
}

// withoutClasses is an HTB of which no classes were shown, which have its rate: one
// look tells as much as the counters of any shaper do, two tell no more.
func (d *direction) withoutClasses(root *plan.QdiscState) *Finding {
	if root.HTB == nil || !d.queued(d.last()).Unknown.Classes {
		return nil
	}
	if len(d.samples) < 2 {
		f := d.oneLook(root)
		return &f
	}
	return d.finding(NotJudged, Notice, "paste what tc -s -d class show dev "+root.Link+" prints too, each time",
		"the classes of htb on %s were not shown, and with them its rate", root.Link)
}

// ofClass are the attributes of an HTB class that tc cuts off, or leaves out.
var ofClass = map[string]bool{"burst": true, "cburst": true, "quantum": true, "prio": true}

// shown are the differences from a plan without those that come from what wasn't
// shown.
func (d *direction) shown(differences []plan.Attribute) []plan.Attribute {
	device, root := d.queued(d.last()), d.root(d.last())
	if root.Unknown.Options || device.Unknown.Classes && len(d.shaper.Classes) > 0 {
		return nil
	}
	return slices.DeleteFunc(differences, func(a plan.Attribute) bool {
		switch a.Name {
		case "stab":
			return root.Unknown.Stab
		case "filters by DSCP":
			return device.Unknown.Marks
		}
		return device.Unknown.Rounded && (ofClass[a.Name] || roundedAlike(a.Was, a.Want))
	})
}
