package plan

import (
	"fmt"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

const (
	arphrdPPP   = 512
	pppoeHeader = 8 // 6 PPPoE + 2 PPP (RFC 2516)
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
	s.underPPPoE()
	return nil
}

// underPPPoE mends the default overhead for a device that carries PPPoE frames:
// there CAKE takes the PPPoE header for a part of the packet, on the way out and
// on the way in, so it is counted already.
func (s *cakeSettings) underPPPoE() {
	device := s.found.Device(s.link.Interface)
	if s.Overhead.Line != 0 || !strings.Contains(s.link.Type.Name, "pppoe") {
		return
	}
	why := s.why["overhead"]
	switch {
	case device != nil && device.Type == arphrdPPP:
		return
	case isUnderPPP(s.link.Interface, s.found):
		s.cake.Encapsulation.Overhead -= pppoeHeader
		why.Why += fmt.Sprintf("; less the %d bytes of PPPoE and PPP, which %s carries already because PPPoE runs over it", pppoeHeader, s.link.Interface)
	default:
		why.Why += fmt.Sprintf("; PPPoE is taken to end in the modem, because none is known on %s: if it ends in this router, name the ppp device as interface instead, for %[1]s carries %[2]d of these bytes already", s.link.Interface, pppoeHeader)
	}
	s.why["overhead"] = why
}

// looksLikePPP goes by the names that OpenWrt and pppd give.
func looksLikePPP(name string) bool {
	return strings.HasPrefix(name, "ppp") // pppoe-wan, ppp0
}

// isUnderPPP follows the devices below each one that carries PPPoE.
func isUnderPPP(name string, found *State) bool {
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
