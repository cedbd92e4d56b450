package verify

import (
	"fmt"
	"slices"

	"github.com/sqmctl/sqmctl/plan"
)

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
	f := d.finding(RoundShaper, Fault, "turn flow offloading off, or shape on the device below; look for other filters on this device",
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
			f := d.finding(FlowOffload, Fault, advice,
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
