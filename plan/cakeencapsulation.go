package plan

import (
	"fmt"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

const (
	pppoeHeader  = 8   // 6 PPPoE + 2 PPP (RFC 2516)
	mostOverhead = 256 // that CAKE takes (cake_policy in the kernel's net/sched/sch_cake.c)
)

// encapsulation sets what a packet costs beyond its own length. CAKE takes
// away the link header that the device adds (cake_overhead in the kernel's
// net/sched/sch_cake.c), so the same figure is right on Ethernet, VLAN and PPP
// devices.
func (s *cakeSettings) encapsulation() error {
	s.cake.Encapsulation = linklayer.Encapsulation{
		Overhead: chosen(s, "overhead", s.Overhead),
		MPU:      chosen(s, "mpu", s.MPU),
		Framing:  chosen(s, "atm", s.Framing),
	}
	if s.link.Type.Raw && s.Overhead.Line == 0 {
		s.cake.Raw, s.cake.Encapsulation.Overhead = true, 0
		s.because("raw", "%s counts packets with the length that the device has for them, link header included", s.link.Type.Name)
		return nil
	}
	s.because("raw", "overhead counts from the IP packet, whatever header the device puts before it")
	s.inTunnel()
	s.underPPPoE()
	s.behindVLAN()
	if overhead := s.cake.Encapsulation.Overhead; overhead > mostOverhead {
		return fmt.Errorf("%d bytes of overhead are more than a qdisc takes: write an overhead of %d at most", overhead, mostOverhead)
	}
	return nil
}

// more changes the overhead, and adds to its reason. A profile's own figure is
// all that the line adds to an IP packet, so a tunnel is in it already.
func (s *cakeSettings) more(bytes int, why string, args ...any) {
	s.cake.Encapsulation.Overhead += bytes
	r := s.why["overhead"]
	r.Why += "; " + fmt.Sprintf(why, args...)
	s.why["overhead"] = r
}

// inTunnel counts what a tunnel puts around a packet behind its queue.
func (s *cakeSettings) inTunnel() {
	device := s.found.Device(s.link.Interface)
	if s.Overhead.Line != 0 || device == nil || device.Tunnel == nil {
		return
	}
	kind := kindOf(device.Name, device)
	if kind.inside == 0 {
		return
	}
	s.more(kind.inside, "and %d for %s, which %s puts around it", kind.inside, kind.title, device.Name)
	if device.Tunnel.Assumes != "" {
		s.more(0, "%s", device.Tunnel.Assumes)
	}
}

// underPPPoE mends the overhead for a device that carries PPPoE frames: there
// CAKE takes the PPPoE header for a part of the packet, on the way out and on
// the way in, so it is counted already.
func (s *cakeSettings) underPPPoE() {
	device := s.found.Device(s.link.Interface)
	pppoe := strings.Contains(s.link.Type.Name, "pppoe")
	switch {
	case device != nil && (device.Type == arphrdPPP || device.Tunnel != nil):
	case IsUnderPPP(s.link.Interface, s.found) && (pppoe || s.Overhead.Line != 0):
		s.more(-pppoeHeader, "less the %d bytes of PPPoE and PPP, which %s carries already because PPP runs over it", pppoeHeader, s.link.Interface)
	case pppoe && s.Overhead.Line == 0 && !looksLikePPP(s.link.Interface):
		s.more(0, "PPPoE is taken to end in the modem, because none is known on %s: if it ends in this router, name the ppp device as interface instead, for %[1]s carries %[2]d of these bytes already", s.link.Interface, pppoeHeader)
	}
}

// behindVLAN says what may be missing: whether the tag goes over the line, or
// ends in a switch, only the person knows.
func (s *cakeSettings) behindVLAN() {
	device := s.found.Device(s.link.Interface)
	if s.Overhead.Line != 0 || device == nil || device.VLAN == 0 || strings.Contains(s.link.Type.Arithmetic, "VLAN") {
		return
	}
	advice := fmt.Sprintf("overhead = %d", s.cake.Encapsulation.Overhead+vlanTag)
	if tagged, ok := linklayer.AccessByName(s.link.Type.Name + "-vlan"); ok {
		advice = fmt.Sprintf("type = %q", tagged.Name)
	}
	s.more(0, "if the tag %d of %s goes over the line, write %s", device.VLAN, device.Name, advice)
}

// IsUnderPPP tells whether a device carries the frames of a PPPoE session that
// ends on this machine: it follows the devices below each one that has one.
func IsUnderPPP(name string, found *State) bool {
	for i := range found.Devices {
		if !found.Devices[i].PPPoE {
			continue
		}
		device := &found.Devices[i]
		for depth := 0; device != nil && depth < 8; depth++ {
			if device.Name == name {
				return true
			}
			device = found.Device(device.Parent)
		}
	}
	return false
}
