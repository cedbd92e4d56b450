package plan

import (
	"fmt"
	"strings"
)

// ARPHRD_* of linux/if_arp.h: what a device's link header is.
const (
	arphrdEthernet = 1
	arphrdPPP      = 512
	arphrdRawIP    = 519
	arphrdNone     = 65534
)

const (
	ethernetHeader = 14
	vlanTag        = 4
)

// Tunnel is what a tunnel adds to a packet.
type Tunnel struct {
	Outer   int    // bytes around what the device sends: IP header, tunnel header, trailer; 0 if nobody tells
	Assumes string // what Outer takes for granted; "" if it is certain
}

// deviceKind is how a link's device counts a packet's length, and what it adds
// to a packet behind its queue.
type deviceKind struct {
	title  string // "a PPP device"
	header int    // bytes of link header in the length that its qdiscs see
	inside int    // bytes around each IP packet that go through a tunnel, its header included; 0: no tunnel, or one that doesn't tell
}

// kindOf tells what a device is from what the kernel shows of it. One that
// isn't there is taken for PPP if its name says so, else for Ethernet.
func kindOf(name string, device *Device) deviceKind {
	switch {
	case device == nil && looksLikePPP(name):
		return deviceKind{title: "a device that isn't there yet, taken for PPP by its name"}
	case device == nil:
		return deviceKind{title: "a device that isn't there yet, taken for Ethernet", header: ethernetHeader}
	case device.Type == arphrdPPP:
		return deviceKind{title: "a PPP device"}
	case device.Tunnel != nil:
		return tunnelKind(device)
	case isRawIP(device):
		return deviceKind{title: "a modem's raw IP device"}
	case device.Type != arphrdEthernet:
		return deviceKind{title: "a device without a link header"}
	}
	kind := deviceKind{title: ethernetTitle(device), header: ethernetHeader}
	if device.TagInside {
		kind.header += vlanTag
	}
	return kind
}

// LinkHeader is how many bytes before the IP packet are in the length that the
// qdiscs of a device see.
func (d *Device) LinkHeader() int { return kindOf(d.Name, d).header }

// isRawIP tells a modem that takes and gives IP packets from other devices
// without a link header: rmnet says so by its type, and others (qmi_wwan, MBIM)
// have none.
func isRawIP(device *Device) bool {
	modem := device.Kind == "" || device.Kind == "wwan" || device.Kind == "rmnet"
	return device.Type == arphrdRawIP || device.Type == arphrdNone && device.Tunnel == nil && modem
}

func ethernetTitle(device *Device) string {
	switch device.Kind {
	case "vlan":
		return fmt.Sprintf("a VLAN device (tag %d on %s)", device.VLAN, device.Parent)
	case "bridge":
		return "a bridge"
	}
	return "an Ethernet device"
}

func tunnelKind(device *Device) deviceKind {
	kind := deviceKind{title: "a " + device.Kind + " tunnel", inside: device.Tunnel.Outer}
	if device.Type == arphrdEthernet {
		kind.header = ethernetHeader
		if kind.inside > 0 {
			kind.inside += ethernetHeader
		}
	}
	return kind
}

// looksLikePPP goes by the names that OpenWrt and pppd give.
func looksLikePPP(name string) bool {
	return strings.HasPrefix(name, "ppp") // pppoe-wan, ppp0
}
