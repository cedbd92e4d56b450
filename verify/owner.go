package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// otherOwner is the tree of another program in the place of the profile's: one
// that looks like a known program's work, or a shaper of another kind. That is
// the cause of every difference, and apply alone won't keep it away.
func (d *direction) otherOwner() *Finding {
	root := d.root(d.last())
	if !d.planned() || root == nil || root.Handle == 0 || root.Handle.Owned() {
		return nil
	}
	who, same := madeBy(d.device(d.last()), d.last()), root.Kind == d.shaper.Qdisc.Kind
	if who == "" && (same || ratelessKinds[root.Kind]) {
		return nil
	}
	advice, text := stopAdvice(who), fmt.Sprintf("%s on %s is not sqmctl's", root.Kind, root.Link)
	if who != "" {
		text += ": it looks like the work of " + who
	}
	if same && len(plan.Differences(d.shaper, d.queued(d.last()))) == 0 {
		return d.finding(OtherOwner, Notice, advice, "%s, and has the profile's settings", text)
	}
	if ratelessKinds[root.Kind] {
		return d.finding(OtherOwner, Fault, advice, "%s, and shapes nothing", text)
	}
	return d.finding(OtherOwner, Warning, advice, "%s, and has others than the profile's settings", text)
}

// owned says whose tree is judged, where no profile says what is meant.
func (d *direction) owned() *Finding {
	root := d.root(d.last())
	if d.planned() || root == nil || root.Handle == 0 || root.Handle.Owned() || d.shaper != d.link.Shapers()[0] {
		return nil
	}
	if who := madeBy(d.device(d.last()), d.last()); who != "" {
		return d.finding(OtherOwner, Fine, "", "%s on %s looks like the work of %s", root.Kind, root.Link, who)
	}
	return nil
}

// madeBy guesses which program shapes a device, by the names, handles and
// filters that each gives; "" if nothing tells.
func madeBy(device *plan.Device, found *plan.State) string {
	for _, c := range found.Configured {
		if c.Device == device.Name && c.Enabled {
			return c.Program
		}
	}
	target := device.RedirectTarget()
	if ifb := found.Device(target); ifb != nil {
		if _, _, ours := plan.ParseOwnerAlias(ifb.Alias); ours {
			return "" // the name is sqm-scripts', too
		}
	}
	restores := slices.ContainsFunc(device.Filters, func(f plan.FilterState) bool { return f.RestoreDSCP })
	switch root := device.At(plan.HandleRoot); {
	case target != "" && target == cut("ifb4"+device.Name):
		return "sqm-scripts"
	case target != "" && target == "ifb-"+device.Name && !restores:
		return "qosmate"
	case target != "" && target == device.Name[:min(len(device.Name), 11)]+"-ifb":
		return "FireQOS"
	case found.Device("ifb-dns") != nil:
		return "qosify"
	case restores:
		return "cake-qos-simple"
	case root != nil && root.Handle != 0 && device.Manager != "":
		return device.Manager
	case hasLeaf(device, "110:") && hasLeaf(device, "120:"):
		return "sqm-scripts"
	}
	return ""
}

// cut is a name as a script cuts it to what the kernel takes.
func cut(name string) string { return name[:min(len(name), 15)] }

func hasLeaf(device *plan.Device, handle string) bool {
	return slices.ContainsFunc(device.Qdiscs, func(q plan.QdiscState) bool { return q.Handle.String() == handle })
}

// stopAdvice is how to keep a program away from a device.
func stopAdvice(who string) string {
	for _, known := range []struct{ program, how string }{
		{"sqm-scripts", "/etc/init.d/sqm stop; /etc/init.d/sqm disable"},
		{"qosmate", "/etc/init.d/qosmate stop; /etc/init.d/qosmate disable"},
		{"FireQOS", "fireqos stop, and take it out of the services"},
		{"qosify", "/etc/init.d/qosify stop; /etc/init.d/qosify disable"},
		{"cake-qos-simple", "/etc/init.d/cake-qos-simple stop; /etc/init.d/cake-qos-simple disable"},
		{"systemd-networkd", "take the section with the qdisc out of the device's .network file, then: networkctl reload"},
		{"NetworkManager", "take the tc settings out of the device's connection: nmcli connection modify"},
	} {
		if strings.Contains(who, known.program) {
			return known.how + "; then run: sqmctl apply --take-over"
		}
	}
	return "turn that program's shaping off, then run: sqmctl apply --take-over"
}
