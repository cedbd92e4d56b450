package netlinkqdisc

import (
	"encoding/binary"

	"github.com/sqmctl/sqmctl/plan"
)

// Bytes that tunnels put around a packet: RFC 791, 8200, 768, 2784, 2890 (each
// optional field of GRE is 4 bytes), 7348, 8926, and WireGuard's protocol (type,
// receiver and counter, then the authentication tag).
const (
	outerIPv4      = 20
	outerIPv6      = 40
	outerUDP       = 8
	outerVXLAN     = 8
	outerGeneve    = 8
	outerGRE       = 4
	outerGREField  = 4
	outerGUE       = 4
	outerLimit     = 8 // the destination option with IPv6's encapsulation limit (RFC 2473 4.1.1)
	outerWireGuard = 4 + 4 + 8 + 16
)

// What linux/if_link.h and linux/if_tunnel.h call the attributes used here.
const (
	vlanID, vlanFlags, vlanReorder = 1, 2, 1

	iptunLimit, iptunFlags, iptunEncap = 6, 8, 15
	greOFlags, greLimit, greEncap      = 3, 11, 14
	greFlags                           = 13
	ignoresLimit                       = 1 // IP6_TNL_F_IGN_ENCAP_LIMIT

	vxlanGroup, vxlanGroup6    = 2, 16
	geneveRemote6              = 7
	encapFOU, encapGUE         = 1, 2
	greCsum, greKey, greSeq    = 0x8000, 0x2000, 0x1000
	kindAttributes, ipv6Length = 24, 16
)

// kindData is the attributes of IFLA_INFO_DATA.
type kindData [kindAttributes][]byte

// readKind reads what is peculiar to a device's kind. A kind that isn't known is
// taken for none.
func readKind(d *plan.Device, b []byte) error {
	var data kindData
	err := parse(b, data[:])
	switch d.Kind {
	case "vlan":
		d.VLAN = int(uint16(unsigned(data[vlanID])))
		d.TagInside = unsigned32(data[vlanFlags], 0)&vlanReorder == 0 // the kernel leaves flags out that are all 0
	case "tun", "vti", "vti6", "xfrm":
		d.Tunnel = &plan.Tunnel{} // what these add is known to a program, or depends on a cipher
	case "wireguard":
		d.Tunnel = &plan.Tunnel{
			Outer:   outerIPv6 + outerUDP + outerWireGuard,
			Assumes: "with IPv6 outside, which is the safe side: with IPv4 it is 20 less; small packets are padded to 16 bytes besides",
		}
	default:
		if outer := data.outer(d.Kind); outer > 0 {
			d.Tunnel = &plan.Tunnel{Outer: outer}
		}
	}
	return err
}

// outer is what a tunnel adds whose headers the kernel tells; 0 for any other
// kind.
func (a *kindData) outer(kind string) int {
	switch kind {
	case "ipip", "sit":
		return outerIPv4 + encapsulated(a[iptunEncap])
	case "ip6tnl":
		return outerIPv6 + encapsulated(a[iptunEncap]) + limit(a[iptunFlags], a[iptunLimit])
	case "gre", "gretap":
		return outerIPv4 + outerGRE + greFields(a[greOFlags]) + encapsulated(a[greEncap])
	case "ip6gre", "ip6gretap":
		return outerIPv6 + outerGRE + greFields(a[greOFlags]) + encapsulated(a[greEncap]) + limit(a[greFlags], a[greLimit])
	case "vxlan":
		if len(a[vxlanGroup6]) == ipv6Length {
			return outerIPv6 + outerUDP + outerVXLAN
		}
		return outerIPv4 + outerUDP + outerVXLAN
	case "geneve":
		if len(a[geneveRemote6]) == ipv6Length {
			return outerIPv6 + outerUDP + outerGeneve
		}
		return outerIPv4 + outerUDP + outerGeneve
	}
	return 0
}

// encapsulated is what goes between IP and the tunnel's own header.
func encapsulated(encap []byte) int {
	switch unsigned(encap) {
	case encapFOU:
		return outerUDP
	case encapGUE:
		return outerUDP + outerGUE
	}
	return 0
}

// greFields counts the optional fields; the flags are in network order.
func greFields(flags []byte) int {
	if len(flags) < 2 {
		return 0
	}
	n := 0
	for _, field := range []uint16{greCsum, greKey, greSeq} {
		if binary.BigEndian.Uint16(flags)&field != 0 {
			n += outerGREField
		}
	}
	return n
}

// limit is the option that a tunnel over IPv6 adds unless it is told not to.
func limit(flags, value []byte) int {
	if len(value) == 0 || unsigned32(flags, 0)&ignoresLimit != 0 {
		return 0
	}
	return outerLimit
}
