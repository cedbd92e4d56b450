package kernellab

import (
	"encoding/binary"
	"errors"
	"net"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// NewVeth makes two namespaces, "router" with the device wan (192.0.2.1/24)
// and "line" with the device peer (192.0.2.2/24), which are the two ends of one
// cable. Both are up, without segmentation, and nothing is sent unasked.
func NewVeth(t T) (router, line *Namespace) {
	t.Helper()
	router, line = NewNamespace(t, "router"), NewNamespace(t, "line")
	connect(cable{{router, "wan", "192.0.2.1/24", 0}, {line, "peer", "192.0.2.2/24", 0}})
	return router, line
}

// plug is one end of a cable: a device of a namespace, and its address.
type plug struct {
	*Namespace
	device, address string
	queues          int // transmit queues; 0: the kernel's own number
}

type cable [2]plug

// connect makes the pairs of devices and waits until they all work.
func connect(cables ...cable) {
	for _, c := range cables {
		a, b := c[0], c[1]
		a.t.Helper()
		a.do("making "+a.device, func() error {
			return netlink.LinkAdd(&netlink.Veth{
				LinkAttrs: netlink.LinkAttrs{Name: a.device, NumTxQueues: a.queues},
				PeerName:  b.device, PeerNamespace: netlink.NsFd(b.file.Fd()),
			})
		})
		a.raise()
		b.raise()
	}
	for _, c := range cables {
		c[0].wait()
		c[1].wait()
	}
}

// wait waits until the device sends. The kernel notices up to a second late
// that a cable has been plugged in, and drops all packets until then.
func (p plug) wait() {
	p.t.Helper()
	p.do("waiting for "+p.device, func() error {
		for range 500 {
			link, err := netlink.LinkByName(p.device)
			if err != nil {
				return err
			}
			if link.Attrs().OperState == netlink.OperUp {
				return nil
			}
			time.Sleep(10 * time.Millisecond)
		}
		return errors.New("it doesn't come up")
	})
}

// raise gives the device its address, if there is one, and switches it on. A packet of 64 KiB
// that only a real device would cut up has no place on a line, so there are
// none.
func (p plug) raise() {
	p.t.Helper()
	p.do("raising "+p.device, func() error {
		link, err := netlink.LinkByName(p.device)
		if err != nil {
			return err
		}
		if err := netlink.LinkSetGSOMaxSegs(link, 1); err != nil {
			return err
		}
		if p.address != "" {
			address, err := netlink.ParseAddr(p.address)
			if err != nil {
				return err
			}
			if err := netlink.AddrAdd(link, address); err != nil {
				return err
			}
		}
		return netlink.LinkSetUp(link)
	})
}

// SendIP sends count IPv4 packets of size bytes each, header included, out of
// a device of the namespace, past routing and neighbours. They are addressed to
// everybody, so nobody answers. A device's qdisc sees size and the device's own
// link-layer header. The size must be at least 20 and at most the MTU.
func (n *Namespace) SendIP(device string, size, count int) {
	n.t.Helper()
	packet := ipv4Packet(size)
	n.do("sending on "+device, func() error {
		index, err := net.InterfaceByName(device)
		if err != nil {
			return err
		}
		socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(socket)
		everybody := &unix.SockaddrLinklayer{
			Protocol: binary.NativeEndian.Uint16([]byte{0x08, 0x00}), // ETH_P_IP, in network order
			Ifindex:  index.Index, Halen: 6, Addr: [8]byte{255, 255, 255, 255, 255, 255},
		}
		for range count {
			if err := unix.Sendto(socket, packet, 0, everybody); err != nil {
				return err
			}
		}
		return nil
	})
}

// ipv4Packet is a packet of the protocol number that RFC 3692 keeps for
// experiments, from 192.0.2.1 to 192.0.2.2.
func ipv4Packet(size int) []byte {
	p := make([]byte, size)
	p[0], p[8], p[9] = 0x45, 64, 253
	binary.BigEndian.PutUint16(p[2:], uint16(size))
	copy(p[12:], []byte{192, 0, 2, 1, 192, 0, 2, 2})
	var sum uint32
	for i := 0; i < 20; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(p[i:]))
	}
	sum = sum>>16 + sum&0xffff
	binary.BigEndian.PutUint16(p[10:], ^uint16(sum+sum>>16))
	return p
}
