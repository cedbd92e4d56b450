package verify

import (
	"fmt"
	"slices"

	"github.com/sqmctl/sqmctl/plan"
)

// notRedirected looks for the first break in the way from the link's receive
// side to the IFB's qdisc. A filter that is gone is the cause of everything
// that can be seen behind it: an IFB without traffic, a shaper that is idle.
func (d *direction) notRedirected() *Finding {
	if !d.ingress() {
		return nil
	}
	state, ifb := d.last(), d.shaper.Qdisc.Link
	device := d.device(state)
	target := device.RedirectTarget()
	if target == "" && device.Unknown.Filters {
		return d.unseenRedirect(device)
	}
	switch {
	case state.Device(ifb) == nil && target == "":
		return d.finding(Missing, Fault, applyAdvice,
			"download is not shaped: there is no redirect on %s and no %s", device.Name, ifb)
	case target == plan.Gone:
		return d.finding(NotRedirected, Fault, applyAdvice,
			"%s redirects what it receives to a device that has gone: all of it is lost", device.Name)
	case target == device.Name:
		return d.finding(NotRedirected, Fault, "delete that filter, then run: sqmctl apply",
			"%s redirects what it receives to itself: all of it is lost", device.Name)
	case target == "":
		f := d.finding(NotRedirected, Fault, applyAdvice,
			"download is not shaped: %s has no redirect filter to %s, so received packets take the normal way and the shaper sees none", device.Name, ifb)
		return d.with(f, d.traffic()...)
	case target != ifb:
		return d.finding(NotRedirected, Fault, "turn the other program off, or run: sqmctl apply --take-over",
			"download is not shaped: %s redirects what it receives to %s, not to %s", device.Name, target, ifb)
	case state.Device(ifb) == nil:
		return d.finding(NotRedirected, Fault, applyAdvice,
			"%s redirects what it receives to %s, which does not exist: all of it is lost", device.Name, ifb)
	case !state.Device(ifb).Up:
		return d.finding(NotRedirected, Fault, applyAdvice,
			"%s is down: what %s receives is lost there", ifb, device.Name)
	}
	return nil
}

// bypassed is a redirect that is there and carries (nearly) nothing of what
// the device receives: something takes the packets before it.
func (d *direction) bypassed() *Finding {
	if !d.ingress() || len(d.samples) < 2 {
		return nil
	}
	first, last := d.device(&d.samples[0]), d.device(d.last())
	if first == nil || d.root(&d.samples[0]) == nil || d.root(d.last()).Unknown.Stats {
		return nil
	}
	received := received(first, last)
	passed := delta(d.root(&d.samples[0]).Stats.Packets, d.root(d.last()).Stats.Packets) +
		delta(d.root(&d.samples[0]).Stats.Drops, d.root(d.last()).Stats.Drops)
	if received < 200 || passed*10 > received {
		return d.takenBelow()
	}
	f := d.finding(NotRedirected, Fault, "turn flow offloading off, or shape on the device below; look for other filters on this device",
		"download goes round the shaper: the redirect from %s to %s carries almost nothing", last.Name, d.shaper.Qdisc.Link)
	return d.with(f, fmt.Sprintf("%s received %d packets, %s passed %d", last.Name, received, d.shaper.Qdisc.Link, passed))
}

// takenBelow is a download that never comes to the link's device, because the
// device below hands it on by itself: a flow table whose hook is there takes the
// VLAN or PPPoE header off and sends the packet to the LAN (nf_flow_encap_pop in
// the kernel's net/netfilter/nf_flow_table_ip.c). What the link sends still goes
// out through it, and is answered to.
func (d *direction) takenBelow() *Finding {
	first, last := &d.samples[0], d.last()
	link := d.device(last)
	sent, received := moved(d.device(first), link)
	if sent < 200 || received*10 > sent {
		return nil
	}
	for i := range last.Devices {
		below := &last.Devices[i]
		before := first.Device(below.Name)
		if before == nil || !mayCarry(below, link, last) {
			continue
		}
		if out, in := moved(before, below); out*10 >= sent*9 && in*2 >= sent {
			advice := "turn software flow offloading off, or shape on " + below.Name + " instead"
			if link.Type == arphrdPPP {
				advice += ", where the packets are in PPPoE frames, so that CAKE sees neither their marks nor their hosts"
			}
			f := d.finding(NotRedirected, Fault, advice,
				"download goes round the shaper: %s receives it and hands it on before it comes to %s, as software flow offloading does", below.Name, link.Name)
			return d.with(f, fmt.Sprintf("%s sent %d packets and received %d, %s below it received %d", link.Name, sent, received, below.Name, in))
		}
	}
	return nil
}

// mayCarry tells whether a link's packets may go through a device below it. For
// a PPP device that is one with PPPoE, or any where the kernel tells of none.
func mayCarry(below, link *plan.Device, found *plan.State) bool {
	if link.Type != arphrdPPP {
		return link.Parent != "" && link.Parent == below.Name
	}
	if slices.ContainsFunc(found.Devices, func(d plan.Device) bool { return d.PPPoE }) {
		return below.PPPoE
	}
	return below.Type == arphrdEthernet && below.Kind != "ifb" && below.Kind != "bridge"
}

// moved are the packets that a device sent and received between two samples; 0
// where that wasn't shown.
func moved(before, after *plan.Device) (sent, received uint64) {
	if before.Unknown.Counters || after.Unknown.Counters {
		return 0, 0
	}
	a, b := before.Counters, after.Counters
	return delta(a.TxPackets, b.TxPackets), delta(a.RxPackets, b.RxPackets)
}

// ARPHRD_* of linux/if_arp.h.
const arphrdEthernet, arphrdPPP = 1, 512

// delta is how far a counter moved; 0 if it went backwards, as it does when an
// object was made anew.
func delta(before, after uint64) uint64 {
	if after < before {
		return 0
	}
	return after - before
}
