package kernellab

import (
	"fmt"
	"net"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// PPPoEDevice is the router's PPP device on a line that NewPPPoELine made.
const PPPoEDevice = "pppoe-wan"

// NewPPPoELine is NewLine with a modem that only bridges, as DSL modems do:
// PPPoE runs through it from the router's device wan to the namespace net, where
// the provider would be, and IP runs over the PPP devices, pppoe-wan in the router
// and ppp in net. wan has no IP address.
//
//	sender      router            modem         net                receiver
//	    router––lan  wan––router [bridge] net––modem  receiver––net
//	            pppoe-wan ═══════════════════ ppp
//
// The packets that the modem sends have 14 bytes of Ethernet, 6 of PPPoE and 2
// of PPP before IP; the facts count from the IP packet all the same. Sender and
// receiver send packets that PPPoE has room for, of 1492 bytes.
func NewPPPoELine(t T, facts LineFacts) *Line {
	t.Helper()
	const frame = 14 + 6 + 2
	l := newLine(t)
	connect(
		cable{{l.Sender, "router", "10.0.1.1/24", 0}, {l.Router, "lan", "10.0.1.2/24", 0}},
		cable{{l.Router, "wan", "", 0}, {l.Modem, "router", "", 0}},
		cable{{l.Modem, "net", "", 0}, {l.Net, "modem", "", 0}},
		cable{{l.Net, "receiver", "10.0.4.1/24", 0}, {l.Receiver, "net", "10.0.4.2/24", 0}},
	)
	l.Modem.bridge("router", "net")
	ConnectPPPoE(
		PPPoEEnd{l.Router, "wan", PPPoEDevice, "10.0.2.1"},
		PPPoEEnd{l.Net, "modem", "ppp", "10.0.2.2"},
	)
	l.routePPPoE()
	l.tune()
	l.limit(facts, frame)
	return l
}

// bridge makes a bridge of two devices.
func (n *Namespace) bridge(ports ...string) {
	n.t.Helper()
	n.do("making a bridge", func() error {
		bridge := &netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: "bridge"}}
		if err := netlink.LinkAdd(bridge); err != nil {
			return err
		}
		for _, name := range ports {
			port, err := netlink.LinkByName(name)
			if err != nil {
				return err
			}
			if err := netlink.LinkSetMaster(port, bridge); err != nil {
				return err
			}
		}
		return netlink.LinkSetUp(bridge)
	})
}

func (l *Line) routePPPoE() {
	l.t.Helper()
	for _, r := range []struct {
		from    *Namespace
		to, via string
	}{
		{l.Sender, "0.0.0.0/0", "10.0.1.2"},
		{l.Router, "0.0.0.0/0", "10.0.2.2"},
		{l.Net, "10.0.1.0/24", "10.0.2.1"},
		{l.Receiver, "0.0.0.0/0", "10.0.4.1"},
	} {
		r.from.route(r.to, r.via)
	}
	l.Router.Sysctl("net/ipv4/ip_forward", "1")
	l.Net.Sysctl("net/ipv4/ip_forward", "1")
	// Routers tell TCP to send no more than fits. Here both ends know.
	for _, p := range []plug{{l.Sender, "router", "", 0}, {l.Receiver, "net", "", 0}} {
		p.do("setting the MTU of "+p.device, func() error {
			link, err := netlink.LinkByName(p.device)
			if err != nil {
				return err
			}
			return netlink.LinkSetMTU(link, pppoeMTU)
		})
	}
}

const (
	pppoeMTU     = 1500 - 6 - 2 // RFC 2516
	pppoeSession = 1            // any number would do
	pxProtoOE    = 0            // PX_PROTO_OE of linux/if_pppox.h
)

// PPPoEEnd is one end of a PPPoE session.
type PPPoEEnd struct {
	*Namespace
	Below   string // the Ethernet device, which must be up
	Device  string // what the PPP device shall be called
	Address string // of the PPP device
}

// ConnectPPPoE makes a session between two ends of a cable, with a PPP device at
// each. Both ends know what LCP and IPCP would negotiate, so there is no daemon.
// It lasts as long as the test.
func ConnectPPPoE(a, b PPPoEEnd) {
	a.open(b)
	b.open(a)
}

func (e PPPoEEnd) open(other PPPoEEnd) {
	e.t.Helper()
	remote := other.hardwareAddress()
	e.do("opening PPPoE on "+e.Below, func() error {
		session, err := unix.Socket(unix.AF_PPPOX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, pxProtoOE)
		if err != nil {
			return err
		}
		e.t.Cleanup(func() { unix.Close(session) })
		to := &unix.SockaddrPPPoE{SID: pppoeSession, Remote: remote, Dev: e.Below}
		if err := unix.Connect(session, to); err != nil {
			return err
		}
		channel, err := unix.IoctlGetInt(session, unix.PPPIOCGCHAN)
		if err != nil {
			return err
		}
		return e.attach(channel)
	})
	e.raisePPP(other)
}

// attach makes the PPP device that sends through a channel: the channel and the
// device each have an open file (ppp_generic in the kernel's Documentation).
func (e PPPoEEnd) attach(channel int) error {
	ofDevice, err := e.openPPP()
	if err != nil {
		return err
	}
	ofChannel, err := e.openPPP()
	if err != nil {
		return err
	}
	if err := unix.IoctlSetPointerInt(ofDevice, unix.PPPIOCNEWUNIT, -1); err != nil { // -1: the next number
		return fmt.Errorf("making a PPP device: %w", err)
	}
	unit, err := unix.IoctlGetInt(ofDevice, unix.PPPIOCGUNIT)
	if err != nil {
		return err
	}
	if err := unix.IoctlSetPointerInt(ofChannel, unix.PPPIOCATTCHAN, channel); err != nil {
		return fmt.Errorf("attaching to channel %d: %w", channel, err)
	}
	if err := unix.IoctlSetPointerInt(ofChannel, unix.PPPIOCCONNECT, unit); err != nil {
		return fmt.Errorf("connecting channel %d: %w", channel, err)
	}
	link, err := netlink.LinkByName(fmt.Sprintf("ppp%d", unit))
	if err != nil {
		return err
	}
	return netlink.LinkSetName(link, e.Device)
}

// openPPP opens the device of all PPP, until the test ends.
func (e PPPoEEnd) openPPP() (int, error) {
	fd, err := unix.Open("/dev/ppp", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("/dev/ppp: %w", err)
	}
	e.t.Cleanup(func() { unix.Close(fd) })
	return fd, nil
}

// raisePPP gives the PPP device its addresses and switches it on.
func (e PPPoEEnd) raisePPP(other PPPoEEnd) {
	e.t.Helper()
	e.do("raising "+e.Device, func() error {
		link, err := netlink.LinkByName(e.Device)
		if err != nil {
			return err
		}
		if err := netlink.LinkSetMTU(link, pppoeMTU); err != nil {
			return err
		}
		if err := netlink.LinkSetGSOMaxSegs(link, 1); err != nil {
			return err
		}
		addresses := &netlink.Addr{IPNet: host(e.Address), Peer: host(other.Address)}
		if err := netlink.AddrAdd(link, addresses); err != nil {
			return err
		}
		return netlink.LinkSetUp(link)
	})
}

func host(address string) *net.IPNet {
	return &net.IPNet{IP: net.ParseIP(address).To4(), Mask: net.CIDRMask(32, 32)}
}

func (e PPPoEEnd) hardwareAddress() (address net.HardwareAddr) {
	e.t.Helper()
	e.do("looking at "+e.Below, func() error {
		device, err := net.InterfaceByName(e.Below)
		if err == nil {
			address = device.HardwareAddr
		}
		return err
	})
	return address
}
