package verify

import (
	"fmt"
	"slices"

	"github.com/sqmctl/sqmctl/plan"
)

// passedUnseen are more packets than a program sends beside the qdisc on its own,
// such as those that tell neighbours of a device.
const passedUnseen = 20

// neverUsed is a qdisc on the way out that no packet has passed since it was made.
// Whether that is odd, the device tells.
func (d *direction) neverUsed() *Finding {
	root, device := d.root(d.last()), d.device(d.last())
	if d.ingress() || root.Unknown.Stats || root.Stats.Packets != 0 || root.Stats.Drops != 0 ||
		root.CakeStats != nil && root.CakeStats.MaxNetworkLength != 0 || root.Kind == "noqueue" {
		return nil
	}
	if sent := d.sentUnseen(root); sent >= passedUnseen {
		f := d.finding(NeverUsed, Warning, "turn off what sends there without a queue: hardware flow offloading, XDP, or a program of the vendor's",
			"no packet has ever passed %s on %s, and %s sends all the same: its packets go round the qdisc", root.Kind, root.Link, device.Name)
		return d.with(f, fmt.Sprintf("%s sent %d packets meanwhile", device.Name, sent)).numbered("sent_packets", float64(sent))
	}
	advice := "if the line is in use, shape the device that its traffic leaves by: ip route get 1.1.1.1 names it; else look again with traffic"
	routes := d.last().DefaultRoutes
	switch {
	case len(routes) > 0 && !slices.Contains(routes, device.Name) && !d.below(routes) && !d.shaped(routes):
		f := d.finding(NeverUsed, Notice, fmt.Sprintf("shape %s instead, if that is where the line is", routes[0]),
			"no packet has ever passed %s on %s, and what this router sends leaves by another device", root.Kind, root.Link)
		return d.with(f, "the default route leaves by "+routes[0])
	case device.Unknown.Counters:
		return d.finding(NeverUsed, Notice, advice, "no packet has passed %s on %s since it was made", root.Kind, root.Link)
	}
	return nil
}

// sentUnseen is what the device sent between the samples, although its qdisc was
// there all the time.
func (d *direction) sentUnseen(root *plan.QdiscState) uint64 {
	first := d.device(&d.samples[0])
	if len(d.samples) < 2 || first == nil || d.device(d.last()).Unknown.Counters {
		return 0
	}
	for i := range d.samples {
		if d.sameIn(&d.samples[i], root) == nil {
			return 0
		}
	}
	sent, _ := moved(first, d.device(d.last()))
	return sent
}

// shaped tells whether one of the devices has a shaper: then the link's own is a
// spare line, or for something else.
func (d *direction) shaped(devices []string) bool {
	return slices.ContainsFunc(devices, func(name string) bool {
		device := d.last().Device(name)
		return device != nil && shapedByHand(device)
	})
}

// below tells whether one of the devices is above the link's: then the link's is
// where their packets go.
func (d *direction) below(devices []string) bool {
	found := d.last()
	for _, name := range devices {
		const deepest = 8
		device := found.Device(name)
		for depth := 0; device != nil && depth < deepest; depth++ {
			if device.Parent == d.link.Interface || device.Unknown.Link {
				return true
			}
			device = found.Device(device.Parent)
		}
		if above := found.Device(name); above != nil && above.Type == arphrdPPP && mayCarry(d.device(found), above, found) {
			return true
		}
	}
	return false
}
