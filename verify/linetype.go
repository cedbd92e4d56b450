package verify

import (
	"slices"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// accessType is the type of line that the profile names; nil without a profile.
func (d *direction) accessType() *linklayer.Access {
	for _, name := range linklayer.AccessNames() {
		if a, _ := linklayer.AccessByName(name); a.Title == d.link.Title {
			return &a
		}
	}
	return nil
}

// corrects tells whether applying the profile changes one of these attributes:
// NotAsPlanned says so, with the right value, and that is enough.
func (d *direction) corrects(attributes ...string) bool {
	return slices.ContainsFunc(plan.Differences(d.shaper, d.queued(d.last())), func(a plan.Attribute) bool {
		return slices.Contains(attributes, a.Name)
	})
}

// correctsCharge is corrects for all that decides what a packet counts.
func (d *direction) correctsCharge() bool {
	return d.corrects("overhead", "mpu", "atm", "raw", "stab")
}

// charge is what the shaper adds to an IP packet, in whichever way it does; ok is
// false where that isn't known, or is done in two ways at once.
func (d *direction) charge() (e linklayer.Encapsulation, ok bool) {
	root := d.root(d.last())
	switch {
	case root.Unknown.Options:
		return e, false
	case root.Cake != nil && root.Cake.Raw:
		e = root.Cake.Encapsulation
	case root.Cake != nil:
		// A size table that wasn't shown beside an overhead of CAKE's own is unlikely.
		e = root.Cake.Encapsulation
		return e, !tableAdds(root.Stab) && (!root.Unknown.Stab || e.Overhead != 0)
	case root.HTB == nil:
		return e, false
	}
	header, ok := d.linkHeader()
	if !ok || root.Unknown.Stab || e.Framing != linklayer.Plain && tableAdds(root.Stab) {
		return e, false
	}
	e.Overhead += header
	if root.Stab != nil {
		e.Overhead += root.Stab.Overhead
		e.MPU = max(e.MPU, root.Stab.MPU)
		if root.Stab.ATM {
			e.Framing = linklayer.ATM
		}
	}
	return e, true
}

// linkHeader is how many bytes before the IP packet are in the length that the
// direction's qdisc sees. An IFB gets packets as the link's device has them.
func (d *direction) linkHeader() (bytes int, ok bool) {
	device := d.device(d.last())
	if device.Unknown.Link {
		return 0, false
	}
	return device.LinkHeader(), true
}

// tableAdds tells whether a size table changes any length.
func tableAdds(stab *plan.Stab) bool {
	return stab != nil && (stab.Overhead != 0 || stab.ATM || stab.MPU != 0)
}

// facesClients tells a device that seems to be at the side of the clients, where
// what it sends is their download.
func (d *direction) facesClients() bool {
	device, routes := d.device(d.last()), d.last().DefaultRoutes
	return device.Kind == "bridge" || device.Master != "" || len(routes) > 0 && !slices.Contains(routes, device.Name)
}

// byHand is the advice for a setting that a program or a person made: with a
// profile that is wrong too, it is to be corrected there.
func (d *direction) byHand(option, word string) string {
	if d.accessType() != nil {
		return "in the profile, " + word + ", then run: sqmctl apply"
	}
	return "set " + option + " there; or write a profile with the type of the line, then run: sqmctl apply"
}
