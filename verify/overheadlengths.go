package verify

import (
	"fmt"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// pppoeHeader is 6 bytes of PPPoE and 2 of PPP (RFC 2516).
const pppoeHeader = 8

// overheadLengths compares what CAKE says of the packets that it saw with its
// settings and its device. An unused CAKE shows 65535 and 0, which are no lengths.
func (d *direction) overheadLengths() *Finding {
	root := d.root(d.last())
	s := root.CakeStats
	if root.Cake == nil || s == nil || root.Unknown.Options || root.Unknown.Stats || s.MaxNetworkLength == 0 {
		return nil
	}
	for _, look := range []func(*plan.QdiscState) *Finding{d.headerCounted, d.pppoeCounted, d.pppoeSeen, d.lengthsOfBefore} {
		if f := look(root); f != nil {
			if d.correctsCharge() {
				return nil
			}
			f.Evidence = append(f.Evidence,
				fmt.Sprintf("IP packets of %d to %d bytes, counted as %d to %d", s.MinNetworkLength, s.MaxNetworkLength, s.MinAdjustedLength, s.MaxAdjustedLength))
			return f.numbered("network_max_bytes", float64(s.MaxNetworkLength)).numbered("adjusted_max_bytes", float64(s.MaxAdjustedLength)).
				numbered("overhead_bytes", float64(root.Cake.Encapsulation.Overhead))
		}
	}
	return nil
}

// settledPackets make CAKE's average of the header's length, which starts at 0
// and goes a 256th of the way with each, what it is. Without split-gso one step
// may be 64 KiB of packets.
const settledPackets, packetsOfGSO = 2000, 46

// headerCounted is a device of which the packets' header has another length than
// CAKE takes off: what it calls the IP packet is something else then.
func (d *direction) headerCounted(root *plan.QdiscState) *Finding {
	header, ok := d.linkHeader()
	needed := uint64(settledPackets)
	if !root.Cake.SplitGSO {
		needed *= packetsOfGSO
	}
	taken := root.CakeStats.AverageNetworkOffset
	if !ok || root.Cake.Raw || root.Stats.Packets < needed || taken > header-8 && taken < header+8 {
		return nil
	}
	e := root.Cake.Encapsulation
	f := d.finding(OverheadLengths, Notice, fmt.Sprintf("set CAKE's overhead to %d %s %d = %d", e.Overhead, sign(taken-header), magnitude(taken-header), e.Overhead+taken-header),
		"CAKE on %s takes %d bytes of link header off each packet and %s puts %d there: it counts %d bytes too %s", root.Link, taken, d.link.Interface, header,
		magnitude(taken-header), many(header-taken))
	return f.numbered("average_header_bytes", float64(taken)).numbered("device_header_bytes", float64(header))
}

func sign(n int) string {
	if n < 0 {
		return "−"
	}
	return "+"
}

func magnitude(n int) int { return max(n, -n) }

func many(n int) string {
	if n < 0 {
		return "few"
	}
	return "many"
}

// pppoeCounted is a device under PPPoE with the overhead of a line with PPPoE:
// the 8 bytes are in what CAKE takes for the IP packet already.
func (d *direction) pppoeCounted(root *plan.QdiscState) *Finding {
	e := root.Cake.Encapsulation
	name := accessWith(e)
	if root.Cake.Raw || !strings.Contains(name, "pppoe") || !plan.IsUnderPPP(d.link.Interface, d.last()) || d.device(d.last()).LinkHeader() == 0 {
		return nil
	}
	right := e
	right.Overhead -= pppoeHeader
	f := d.finding(OverheadLengths, Notice, fmt.Sprintf("set CAKE's overhead to %d − %d = %d; or shape the PPP device instead, where %d is right", e.Overhead, pppoeHeader, right.Overhead, e.Overhead),
		"the 8 bytes of PPPoE are counted twice: %s carries PPPoE frames, so they are in what CAKE takes for the IP packet, and an overhead of %d, as of type %s, has them too", d.link.Interface, e.Overhead, name)
	full := d.fullIPPacket()
	return d.with(f, fmt.Sprintf("a full packet counts %d instead of %d bytes, %s too much", e.WireSize(full), right.WireSize(full), percentMore(e.WireSize(full), right.WireSize(full))))
}

// pppoeSeen is a download that has longer packets than PPPoE lets through.
func (d *direction) pppoeSeen(root *plan.QdiscState) *Finding {
	access, longest := d.accessType(), root.CakeStats.MaxNetworkLength
	const full = 1500
	header, ok := d.linkHeader()
	if access == nil || !strings.Contains(access.Name, "pppoe") || !d.ingress() || root.Cake.Raw || !ok || header == 0 ||
		longest <= full-pppoeHeader || longest > full || plan.IsUnderPPP(d.link.Interface, d.last()) {
		return nil
	}
	e := root.Cake.Encapsulation
	return d.finding(OverheadLengths, Notice,
		fmt.Sprintf("if PPPoE ends in this router, name the ppp device as interface, or write overhead = %d − %d = %d; if the line has none, write its type without it: see sqmctl types", e.Overhead, pppoeHeader, e.Overhead-pppoeHeader),
		"%s received packets of %d bytes, and through PPPoE come no longer ones than %d: either these are PPPoE frames, whose 8 bytes are counted twice, or the line has no PPPoE", d.link.Interface, longest, full-pppoeHeader)
}

// lengthsOfBefore are lengths that the settings now in force don't make. CAKE
// starts them anew only when its overhead or raw is set (cake_change), not with
// another framing or minimum.
func (d *direction) lengthsOfBefore(root *plan.QdiscState) *Finding {
	s, e := root.CakeStats, root.Cake.Encapsulation
	shortest, longest := e.WireSize(s.MinNetworkLength), e.WireSize(s.MaxNetworkLength)
	if s.MinAdjustedLength == shortest && s.MaxAdjustedLength == longest {
		return nil
	}
	f := d.finding(OverheadLengths, Notice, fmt.Sprintf("start them anew: tc qdisc change dev %s root %s overhead %d", root.Link, root.Kind, e.Overhead),
		"the lengths that CAKE on %s shows are of other settings: framing or mpu was changed after packets had passed, which leaves old lengths among the new", root.Link)
	return d.with(f, fmt.Sprintf("overhead %d, mpu %d and %s framing make %d to %d of these", e.Overhead, e.MPU, e.Framing, shortest, longest))
}

// fullIPPacket is the longest IP packet of the link's device, in bytes, or of
// those that CAKE saw if the device wasn't shown.
func (d *direction) fullIPPacket() int {
	const usual, short = 1500, 1280
	if mtu := d.device(d.last()).MTU; mtu > 0 {
		return mtu
	}
	if root := d.root(d.last()); root.CakeStats != nil && root.CakeStats.MaxNetworkLength >= short && root.CakeStats.MaxNetworkLength < usual {
		return root.CakeStats.MaxNetworkLength
	}
	return usual
}

// percentMore is by how much one size is above another.
func percentMore(size, than int) string {
	return fmt.Sprintf("%.1f %%", 100*(float64(size)/float64(than)-1))
}

// percentLess is by how much one size is below another.
func percentLess(size, than int) string {
	return fmt.Sprintf("%.1f %%", 100*(1-float64(size)/float64(than)))
}
