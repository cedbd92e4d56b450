package verify

import (
	"slices"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// applyConfigured takes what another shaper's configuration wants of a device
// into its link, where nothing of the kind is there, and tells whether there is
// such a configuration. Only kinds and rates are known of it.
func applyConfigured(link *plan.Link, device *plan.Device, found *plan.State) bool {
	i := slices.IndexFunc(found.Configured, func(c plan.Configured) bool { return c.Enabled && c.Device == device.Name })
	if i < 0 {
		return false
	}
	c := &found.Configured[i]
	if c.Upload != 0 && !shapedByHand(device) {
		link.Egress = configured(c, linklayer.Egress, device.Name)
	}
	if c.Upload == 0 && !shapedByHand(device) {
		link.Egress = nil
	}
	if c.Download != 0 && link.Ingress == nil {
		link.Ingress = configured(c, linklayer.Ingress, cut("ifb4"+device.Name))
	}
	return c.Upload != 0 || c.Download != 0
}

func configured(c *plan.Configured, d linklayer.Direction, at string) *plan.Shaper {
	q := plan.Qdisc{Link: at, Kind: "htb", Parent: plan.HandleRoot}
	if c.Qdisc == "cake" || c.Qdisc == "" {
		q.Kind = "cake"
	}
	return &plan.Shaper{Direction: d, Qdisc: q}
}
