package linklayer_test

import (
	"encoding/binary"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// charge is how a CAKE counts packets.
type charge struct {
	linklayer.Encapsulation
	raw     bool   // from the device's own length
	options []byte // all of CAKE's, as dumped and as they can be asked for
}

// Attributes of CAKE (linux/pkt_sched.h).
const (
	root = 0xFFFFFFFF // TC_H_ROOT

	cakeATM, cakeOverhead, cakeRaw, cakeMPU = 4, 6, 12, 14

	statsApp                        = 4 // in TCA_STATS2
	statsMinNetwork, statsMaxCharge = 6, 9
)

// charges are what tc makes of overhead keywords.
func charges(t *testing.T, n *kernellab.Namespace, words []string) []charge {
	t.Helper()
	// A CAKE takes up a megabyte of the guest's memory.
	const most = 50
	var all []charge
	for len(words) > 0 {
		some := words[:min(most, len(words))]
		words = words[len(some):]
		var script strings.Builder
		script.WriteString("qdisc add dev wan root handle 1: drr\n")
		for i, w := range some {
			fmt.Fprintf(&script, "class add dev wan parent 1: classid 1:%x drr\nqdisc add dev wan parent 1:%x cake unlimited %s\n", i+1, i+1, w)
		}
		n.Batch("tc", script.String())
		s := newScale(t, n, "wan", n, "wan", 14)
		for i := range some {
			all = append(all, s.charge(0x10001+uint32(i)))
		}
		n.Batch("tc", "qdisc del dev wan root\n")
	}
	return all
}

// scale is a device whose CAKE weighs packets.
type scale struct {
	t       *testing.T
	netlink *nl.SocketHandle
	index   int // of the device with the CAKE
	header  int // bytes that this device adds to an IP packet
	packets int // a socket
	to      unix.SockaddrLinklayer
}

// newScale opens the sockets for a device, with packets sent by another one
// or the same.
func newScale(t *testing.T, at *kernellab.Namespace, device string, from *kernellab.Namespace, by string, header int) *scale {
	t.Helper()
	s := &scale{t: t, header: header}
	at.In(func() {
		s.index = indexOf(t, device)
		socket, err := nl.Subscribe(unix.NETLINK_ROUTE)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(socket.Close)
		s.netlink = &nl.SocketHandle{Socket: socket}
	})
	from.In(func() {
		s.to = unix.SockaddrLinklayer{Protocol: 0x0008, Ifindex: indexOf(t, by), Halen: 6}
		for i := range 6 {
			s.to.Addr[i] = 0xFF // everybody
		}
		var err error
		if s.packets, err = unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { unix.Close(s.packets) })
	})
	return s
}

func indexOf(t *testing.T, device string) int {
	t.Helper()
	d, err := net.InterfaceByName(device)
	if err != nil {
		t.Fatal(err)
	}
	return d.Index
}

// ask sends a request about the qdisc at a parent.
func (s *scale) ask(kind, flags int, parent uint32, attributes ...*nl.RtAttr) [][]byte {
	s.t.Helper()
	r := nl.NewNetlinkRequest(kind, flags)
	r.Sockets = map[int]*nl.SocketHandle{unix.NETLINK_ROUTE: s.netlink}
	r.AddData(&nl.TcMsg{Ifindex: int32(s.index), Parent: parent})
	for _, a := range attributes {
		r.AddData(a)
	}
	answers, err := r.Execute(unix.NETLINK_ROUTE, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	return answers
}

// read is the attributes of the qdisc at a parent.
func (s *scale) read(parent uint32) map[uint16][]byte {
	s.t.Helper()
	answers := s.ask(unix.RTM_GETQDISC, unix.NLM_F_ECHO, parent)
	if len(answers) != 1 {
		s.t.Fatalf("%d qdiscs at %x", len(answers), parent)
	}
	return s.parse(answers[0][nl.SizeofTcMsg:])
}

func (s *scale) parse(b []byte) map[uint16][]byte {
	s.t.Helper()
	attributes, err := nl.ParseRouteAttr(b)
	if err != nil {
		s.t.Fatal(err)
	}
	all := map[uint16][]byte{}
	for _, a := range attributes {
		all[a.Attr.Type] = a.Value
	}
	return all
}

func (s *scale) charge(parent uint32) charge {
	s.t.Helper()
	options := s.read(parent)[unix.TCA_OPTIONS]
	all := s.parse(options)
	number := func(kind uint16) int { return int(int32(binary.NativeEndian.Uint32(all[kind]))) }
	_, raw := all[cakeRaw]
	framings := []linklayer.Framing{linklayer.Plain, linklayer.ATM, linklayer.PTM} // CAKE_ATM_*
	return charge{linklayer.Encapsulation{
		Overhead: number(cakeOverhead), MPU: number(cakeMPU), Framing: framings[number(cakeATM)],
	}, raw, options}
}

// set makes CAKE count as told, and forget the packets it has seen.
func (s *scale) set(c charge) {
	s.t.Helper()
	s.ask(unix.RTM_NEWQDISC, unix.NLM_F_ACK|unix.NLM_F_CREATE|unix.NLM_F_REPLACE, root,
		nl.NewRtAttr(unix.TCA_KIND, nl.ZeroTerminated("cake")), nl.NewRtAttr(unix.TCA_OPTIONS, c.options))
}

// send sends an IP packet of a size.
func (s *scale) send(size int) {
	s.t.Helper()
	packet := make([]byte, size)
	packet[0], packet[8], packet[9] = 0x45, 64, 253 // version and length, TTL, a protocol for experiments
	binary.BigEndian.PutUint16(packet[2:], uint16(size))
	if err := unix.Sendto(s.packets, packet, 0, &s.to); err != nil {
		s.t.Fatal(err)
	}
}

// weight is what CAKE says of the packets that it saw: their sizes, and what
// they cost.
type weight struct{ MinNetwork, MaxNetwork, MinCharged, MaxCharged int }

func (s *scale) weigh(sizes ...int) weight {
	s.t.Helper()
	for _, size := range sizes {
		s.send(size)
	}
	app := s.parse(s.parse(s.read(root)[unix.TCA_STATS2])[statsApp])
	var all [statsMaxCharge - statsMinNetwork + 1]int
	for i := range all {
		all[i] = int(binary.NativeEndian.Uint32(app[uint16(statsMinNetwork+i)]))
	}
	return weight{all[0], all[1], all[2], all[3]}
}
