package verify

import (
	"fmt"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// usualQueueLength is what the kernel gives an Ethernet device (DEFAULT_TX_QUEUE_LEN
// in its include/net/pkt_sched.h), in packets.
const usualQueueLength = 1000

// server judges a host that shapes no line. That its qdisc holds nothing back is
// as it should be: what counts is that it is there, and that TCP gets its pace.
func (d *direction) server() []Finding {
	if f := d.serverMissing(); f != nil {
		return []Finding{*f}
	}
	f := d.notAsPlanned()
	if f == nil {
		f = d.finding(Server, Fine, "", "%s: no rate holds %s back, and none should", d.serverWords(), d.link.Interface)
	}
	findings := []Finding{*d.with(f, d.serverEvidence()...)}
	if f := d.pacing(); f != nil {
		findings = append(findings, *f)
	}
	return findings
}

func (d *direction) serverMissing() *Finding {
	device := d.device(d.last())
	switch {
	case device == nil:
		return d.finding(NoDevice, Fault, "bring the interface up, or correct interface in the profile", "%s does not exist", d.link.Interface)
	case !device.Up:
		return d.finding(DeviceDown, Fault, "bring the interface up, then run: sqmctl doctor", "%s is down, so it sends nothing", d.link.Interface)
	}
	root, want := device.At(plan.HandleRoot), d.shaper.Qdisc.Kind
	if root != nil && root.Kind == want {
		return nil
	}
	return d.finding(NotApplied, Fault, applyAdvice, "%s should have %s at its root and has %s", device.Name, want, rootWords(root))
}

// serverWords say what the root does.
func (d *direction) serverWords() string {
	kind, where := d.shaper.QueueKind(), ""
	if n := len(d.shaper.Queues()); n > 0 {
		where = fmt.Sprintf(", one for each of %d queues", n)
	}
	if kind == "fq" {
		return "fq" + where + ", shares what this host sends between connections and keeps their pace"
	}
	return kind + where + ", shares what this host sends between connections and keeps its queue short"
}

// serverEvidence is what was sent, and what fq did about it.
func (d *direction) serverEvidence() []string {
	lines := d.traffic()
	var now, before plan.FQStats
	last, first := fqStats(d.device(d.last()), &now), fqStats(d.device(&d.samples[0]), &before)
	if last == 0 {
		return lines
	}
	lines = append(lines, fmt.Sprintf("fq: %d flows now, %d of them idle, %d waiting for their time", now.Flows, now.InactiveFlows, now.ThrottledFlows))
	if len(d.samples) > 1 && first == last {
		lines = append(lines, fmt.Sprintf("fq: a flow had to wait for its time %d times; %d packets dropped of flows that had too many, %d timed too far ahead",
			delta(before.Throttled, now.Throttled), delta(before.FlowLimitDrops, now.FlowLimitDrops), delta(before.HorizonDrops, now.HorizonDrops)))
	}
	return lines
}

// fqStats adds up those of each fq of a device, and says how many there are.
func fqStats(device *plan.Device, sum *plan.FQStats) (n int) {
	if device == nil {
		return 0
	}
	for i := range device.Qdiscs {
		s := device.Qdiscs[i].FQStats
		if s == nil {
			continue
		}
		n++
		sum.Flows += s.Flows
		sum.InactiveFlows += s.InactiveFlows
		sum.ThrottledFlows += s.ThrottledFlows
		sum.Throttled += s.Throttled
		sum.FlowLimitDrops += s.FlowLimitDrops
		sum.HorizonDrops += s.HorizonDrops
	}
	return n
}

// host is what else on this machine decides where packets wait.
func (d *direction) host() []Finding {
	var findings []Finding
	for _, look := range []func() *Finding{d.defaultQdisc, d.queueLength} {
		if f := look(); f != nil {
			findings = append(findings, *f)
		}
	}
	return findings
}

// pacing is BBR without fq. TCP then keeps the pace by itself.
func (d *direction) pacing() *Finding {
	state := d.last()
	device := d.device(state)
	if !strings.HasPrefix(state.CongestionControl, "bbr") || device == nil || fqStats(device, &plan.FQStats{}) > 0 {
		return nil
	}
	return d.finding(Pacing, Notice, `write qdisc = "fq", then run: sqmctl apply; or leave it, if this host forwards more than it sends`,
		"TCP uses %s, which sends at a pace, and %s has no fq to keep it: since Linux 4.20 TCP does so itself, with a timer for each connection, and before that not at all", state.CongestionControl, device.Name)
}

// defaultQdisc is a FIFO for every device that nobody gives a qdisc.
func (d *direction) defaultQdisc() *Finding {
	if d.last().DefaultQdisc != "pfifo_fast" {
		return nil
	}
	return d.finding(DefaultQdisc, Notice, "set net.core.default_qdisc = "+d.shaper.QueueKind()+" in /etc/sysctl.d: it counts for devices that come up after that",
		"net.core.default_qdisc is pfifo_fast: other devices, and new ones, get one queue for all connections")
}

// defaultFIFO is a host that shapes a line and gives its other devices a FIFO:
// the Wi-Fi and the LAN may be the next slowest hop.
func (d *direction) defaultFIFO() *Finding {
	var with []string
	for i := range d.last().Devices {
		if device := &d.last().Devices[i]; device.Up && device.Kind != "ifb" && hasFIFO(device) {
			with = append(with, device.Name)
		}
	}
	if d.last().DefaultQdisc != "pfifo_fast" || len(with) == 0 {
		return nil
	}
	return d.finding(DefaultQdisc, Notice, "set net.core.default_qdisc = fq_codel in /etc/sysctl.d: it counts for devices that come up after that",
		"net.core.default_qdisc is pfifo_fast, so %s has one queue for all: where the line is not the slowest hop, that one is not managed", strings.Join(with, ", "))
}

// queueLength is a FIFO that may grow far beyond the usual, on any device.
func (d *direction) queueLength() *Finding {
	var long []string
	state := d.last()
	for i := range state.Devices {
		if device := &state.Devices[i]; device.Up && device.TxQueueLen > usualQueueLength && hasFIFO(device) {
			long = append(long, fmt.Sprintf("%s: pfifo_fast of up to %d packets%s", device.Name, device.TxQueueLen, drainWords(device)))
		}
	}
	if len(long) == 0 {
		return nil
	}
	f := d.finding(QueueLength, Notice, fmt.Sprintf("shorten it: ip link set DEVICE txqueuelen %d; better, give the device fq or fq_codel, which don't use that length", usualQueueLength),
		"a FIFO may hold more than the usual %d packets, and a full one delays all connections", usualQueueLength)
	return d.with(f, long...)
}

func hasFIFO(device *plan.Device) bool {
	for i := range device.Qdiscs {
		if device.Qdiscs[i].Kind == "pfifo_fast" {
			return true
		}
	}
	return false
}

// drainWords are how long a full FIFO takes, where the device's speed is known.
func drainWords(device *plan.Device) string {
	if device.Speed < linklayer.Mbit || device.MTU == 0 {
		return ""
	}
	return fmt.Sprintf(", %s when full at %s", tenths(device.Speed.Time(device.MTU*device.TxQueueLen)), device.Speed)
}
