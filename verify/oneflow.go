package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/plan"
)

// oneFlow is a tunnel that makes one connection of all that goes through it, so
// that the shaper can't tell these apart. On the way out Linux keeps what it knew of a
// packet when it encrypts it itself (WireGuard), and CAKE still tells.
func (d *direction) oneFlow() *Finding {
	if len(d.samples) < 2 || d.rate(d.last()) == 0 || !d.sawOneFlow() {
		return nil
	}
	first, last := d.device(&d.samples[0]), d.device(d.last())
	if first == nil || first.Unknown.Counters || last.Unknown.Counters {
		return nil
	}
	packets, bytes := d.movedHere(first, last)
	tunnel, inside := d.busiestTunnel()
	const enough = 1000
	if packets < enough || tunnel == nil || float64(inside) < mostlyTunnel*float64(bytes) {
		return nil
	}
	f := d.finding(OneFlow, Notice, fmt.Sprintf("if connections inside must not disturb each other, shape %s too, at a rate a little below this one", tunnel.Name),
		"nearly all %s goes through the tunnel %s, which is a single flow to %s on %s: what is inside shares one queue", d.shaper.Direction, tunnel.Name, d.root(d.last()).Kind, d.shaper.Qdisc.Link)
	share := 100 * float64(inside) / float64(bytes)
	return d.with(f, fmt.Sprintf("%s carried %d bytes of the %d of %s, and there was one flow at a time", tunnel.Name, inside, bytes, last.Name)).
		numbered("tunnel_percent", share)
}

// mostlyTunnel is the part of a direction's bytes that makes it a tunnel's: the
// rest may be the headers around it.
const mostlyTunnel = 0.8

// shapedInTunnel is an upload that comes from a tunnel whose own shaper holds it
// back: then there is nothing left to hold back here, and no queue in the line.
func (d *direction) shapedInTunnel() *Finding {
	first, last := d.device(&d.samples[0]), d.device(d.last())
	if d.ingress() || first == nil || first.Unknown.Counters || last.Unknown.Counters {
		return nil
	}
	_, bytes := d.movedHere(first, last)
	tunnel, inside := d.busiestTunnel()
	if tunnel == nil || float64(inside) < mostlyTunnel*float64(bytes) || tunnel.ShapedRate() == 0 {
		return nil
	}
	inner := direction{
		link:   &plan.Link{Interface: tunnel.Name},
		shaper: &plan.Shaper{Direction: d.shaper.Direction, Qdisc: tunnel.At(plan.HandleRoot).Qdisc}, samples: d.samples,
	}
	if inner.engagement().Code != Engaged {
		return nil
	}
	return d.finding(Idle, Fine, "", "nearly all upload comes from the tunnel %s, whose shaper at %s holds it back: the queue stands there, and %s has nothing to hold",
		tunnel.Name, tunnel.ShapedRate(), d.root(d.last()).Link)
}

// movedHere is what a device carried in the direction.
func (d *direction) movedHere(first, last *plan.Device) (packets, bytes uint64) {
	a, b := first.Counters, last.Counters
	if d.ingress() {
		return delta(a.RxPackets, b.RxPackets), delta(a.RxBytes, b.RxBytes)
	}
	return delta(a.TxPackets, b.TxPackets), delta(a.TxBytes, b.TxBytes)
}

// busiestTunnel is the tunnel that carried most in the direction, other than the
// link's own device; nil if there is none.
func (d *direction) busiestTunnel() (busiest *plan.Device, most uint64) {
	for i := range d.last().Devices {
		t := &d.last().Devices[i]
		if t.Tunnel == nil || t.Name == d.link.Interface {
			continue
		}
		before := d.samples[0].Device(t.Name)
		if before == nil {
			continue
		}
		if _, bytes := d.movedHere(before, t); bytes > most {
			busiest, most = t, bytes
		}
	}
	return busiest, most
}

// sawOneFlow tells whether CAKE had no more than one flow at nearly every look.
func (d *direction) sawOneFlow() bool {
	looks, single := 0, 0
	for i := 1; i < len(d.samples); i++ {
		root := d.root(&d.samples[i])
		if root == nil || root.CakeStats == nil || root.Unknown.Stats || len(root.CakeStats.Tins) == 0 {
			return false
		}
		flows := 0
		for _, tin := range root.CakeStats.Tins {
			flows += tin.SparseFlows + tin.BulkFlows
		}
		looks++
		if flows <= 1 {
			single++
		}
	}
	const nearly = 0.9
	return float64(single) >= nearly*float64(looks)
}
