package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// hardwareOffload is a flow table that hands this link's connections to
// hardware: their packets don't come to the processor, so to no qdisc. A shaper
// that holds packets back all the same has the traffic; then it is only said.
func (d *direction) hardwareOffload(engaged bool) *Finding {
	for i := range d.last().FlowTables {
		t := &d.last().FlowTables[i]
		if !t.Hardware || !d.passes(t) {
			continue
		}
		f := d.finding(HardwareOffload, Fault, "turn hardware flow offloading off: uci set firewall.@defaults[0].flow_offloading_hw=0, then: uci commit firewall; /etc/init.d/firewall restart",
			"hardware flow offloading is on%s: the hardware forwards known connections by itself, and their packets come to no qdisc", tableWords(t))
		if engaged {
			f.Severity = Notice
			f.Text += "; the shaper held packets back, so not all of them go that way"
		}
		return d.with(f, d.traffic()...)
	}
	return nil
}

// softwareOffload is a flow table that hands connections on in software. It
// does so behind the qdisc of the device at which it takes packets, so it only
// matters for a device above that one, and there only for the download. Below
// the answer that takenBelow gives by the traffic, this one goes by what is set.
func (d *direction) softwareOffload() *Finding {
	for i := range d.last().FlowTables {
		t := &d.last().FlowTables[i]
		if t.Hardware || !d.passes(t) {
			continue
		}
		device := d.device(d.last())
		below := device.Type == arphrdPPP || device.Parent != ""
		if !below || slices.Contains(t.Devices, device.Name) || !d.ingress() {
			return d.finding(FlowOffload, Fine, "", "software flow offloading is on%s and takes packets behind this shaper: they pass it all the same", tableWords(t))
		}
		return d.finding(FlowOffload, Notice, "turn software flow offloading off, or shape on the device below",
			"software flow offloading is on%s, below %s: the download of the connections that it takes over doesn't come to %s", tableWords(t), device.Name, d.shaper.Qdisc.Link)
	}
	return nil
}

// passes tells whether packets of this link can meet a flow table.
func (d *direction) passes(t *plan.FlowTable) bool {
	link := d.device(d.last())
	if len(t.Devices) == 0 || slices.Contains(t.Devices, link.Name) {
		return len(t.Devices) > 0 || t.Name == "" // an empty table takes nothing; a configuration file names no devices
	}
	return slices.ContainsFunc(t.Devices, func(name string) bool {
		below := d.last().Device(name)
		if below == nil { // in a paste, which seldom shows what is below PPP
			return link.Type == arphrdPPP
		}
		return mayCarry(below, link, d.last())
	})
}

func tableWords(t *plan.FlowTable) string {
	if t.Name == "" {
		return ""
	}
	return fmt.Sprintf(" (flow table %s of nftables, at %s)", t.Name, strings.Join(t.Devices, ", "))
}

// totalsGoRound is a download of which the counters since the beginning say
// that it doesn't come to the shaper, for want of two looks: next to nothing has
// come to it, and a lot has been sent.
func (d *direction) totalsGoRound() *Finding {
	root, device := d.root(d.last()), d.device(d.last())
	if !d.ingress() || len(d.samples) > 1 || root == nil || root.Unknown.Stats {
		return nil
	}
	out := device.At(plan.HandleRoot)
	if out == nil || out.Stats.Packets < 10_000 || root.Stats.Packets*20 > out.Stats.Packets {
		return nil
	}
	f := d.finding(RoundShaper, Fault, "turn flow offloading off, also that of the vendor; then look at: sqmctl doctor --for 10s, under load",
		"download goes round the shaper: %s has passed %d packets, where %s sent %d", root.Link, root.Stats.Packets, device.Name, out.Stats.Packets)
	for i := range d.last().FlowTables {
		if t := &d.last().FlowTables[i]; d.passes(t) {
			f.Code = FlowOffload
			f.Text += "; flow offloading is on" + tableWords(t)
			break
		}
	}
	return f.numbered("shaper_packets", float64(root.Stats.Packets)).numbered("sent_packets", float64(out.Stats.Packets))
}

// aboveDevice is a rate that the device can't exceed anyway.
func (d *direction) aboveDevice() *Finding {
	device, rate := d.device(d.last()), d.rate(d.last())
	if device.Speed < linklayer.Mbit || rate < device.Speed {
		return nil
	}
	return d.finding(AboveDevice, Warning, "set a rate below the line's; a device is rarely as slow as its line",
		"the shaper's %s is no lower than what %s does by itself, %s: the queue stands in the device or behind it", rate, device.Name, device.Speed).
		numbered("rate_bit_per_s", float64(rate)).numbered("device_bit_per_s", float64(device.Speed))
}
