package main

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/binary"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// WireGuard leaves what it receives one flow, because that is still encrypted
// where it is shaped. On the way out the kernel keeps what it knew of a packet, and
// CAKE tells the connections inside apart.
func TestOneFlowKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		slow := storyLine // an encrypted packet takes the host a while
		slow.Up, slow.Down = 4*linklayer.Mbit, 5*linklayer.Mbit
		s := newStoryOn(t, strings.NewReplacer("20 Mbit", "4 Mbit", "50 Mbit", "5 Mbit").Replace(rightProfile), slow)
		s.apply()
		s.wantOneFlow("download", false, func() func() { return s.Download(4, "cubic").Stop })
		s.tunnel()
		s.wantOneFlow("download", true, func() func() { return s.Download(4, "cubic").Stop })
		s.wantOneFlow("upload", false, func() func() { return s.Upload(4, "cubic").Stop })
	})
}

func (s *story) wantOneFlow(direction string, want bool, load func() (stop func())) {
	s.t.Helper()
	defer load()()
	time.Sleep(5 * time.Second)
	said := s.wantDoctor(statusFine, "wan "+direction+": ok: engaged", "-p", s.profile)
	if got := strings.Contains(said, "wan "+direction+": notice: one flow"); got != want {
		s.t.Errorf("one flow on the %s: %v", direction, got)
	}
	if strings.Contains(said, "one flow") && !strings.Contains(said, "through the tunnel wg0") {
		s.t.Error("doctor doesn't name the tunnel")
	}
}

// tunnel sends all that is between sender and receiver through WireGuard, from
// the router to another address of the receiver's. There a relay takes from the packets
// what the kernel knows of them, as a line does: cables between namespaces don't.
func (s *story) tunnel() {
	s.t.Helper()
	s.Receiver.Batch("ip", "address add 10.0.4.3/24 dev net\n")
	var keys [2]*ecdh.PrivateKey
	for i := range keys {
		var err error
		if keys[i], err = ecdh.X25519().GenerateKey(rand.Reader); err != nil {
			s.t.Fatal(err)
		}
	}
	s.Receiver.Batch("ip", "link set lo up\n")
	s.wireGuard(s.Router, 51820, keys[0], keys[1].PublicKey(), netip.MustParseAddrPort("10.0.4.3:51820"), "10.0.4.2")
	s.wireGuard(s.Receiver, 51821, keys[1], keys[0].PublicKey(), netip.MustParseAddrPort("127.0.0.1:51822"), "10.0.1.1")
	s.Router.Batch("ip", "route add 10.0.4.2/32 dev wg0\n")
	s.Receiver.Batch("ip", "route replace 10.0.1.1/32 dev wg0 src 10.0.4.2\n")
	outside, inside := s.listen("10.0.4.3:51820"), s.listen("127.0.0.1:51822")
	go relay(outside, inside, netip.MustParseAddrPort("127.0.0.1:51821"))
	go relay(inside, outside, netip.MustParseAddrPort("10.0.2.1:51820"))
}

// listen opens a socket of the receiver's.
func (s *story) listen(address string) *net.UDPConn {
	s.t.Helper()
	var socket *net.UDPConn
	var err error
	s.Receiver.In(func() {
		socket, err = net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort(address)))
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { socket.Close() })
	return socket
}

// relay sends what one socket receives from another, until they are closed.
func relay(from, by *net.UDPConn, to netip.AddrPort) {
	packet := make([]byte, 2000)
	for {
		n, _, err := from.ReadFromUDPAddrPort(packet)
		if err != nil {
			return
		}
		by.WriteToUDPAddrPort(packet[:n], to) // one that is lost is lost
	}
}

// wireGuard makes wg0, whose peer at an address has one host behind it. There is no
// program for it here, so it is told in the kernel's own words
// (linux/wireguard.h).
func (s *story) wireGuard(n *kernellab.Namespace, port uint16, private *ecdh.PrivateKey, public *ecdh.PublicKey, at netip.AddrPort, host string) {
	s.t.Helper()
	n.Batch("ip", "link add wg0 type wireguard\n")
	short := func(v uint16) []byte { return binary.NativeEndian.AppendUint16(nil, v) }
	endpoint := binary.BigEndian.AppendUint16(short(unix.AF_INET), at.Port())
	endpoint = append(append(endpoint, at.Addr().AsSlice()...), make([]byte, 8)...)

	peers := nl.NewRtAttr(8|unix.NLA_F_NESTED, nil)
	peer := peers.AddRtAttr(unix.NLA_F_NESTED, nil)
	peer.AddRtAttr(1, public.Bytes())
	peer.AddRtAttr(4, endpoint)
	allowed := peer.AddRtAttr(9|unix.NLA_F_NESTED, nil).AddRtAttr(unix.NLA_F_NESTED, nil)
	allowed.AddRtAttr(1, short(unix.AF_INET))
	allowed.AddRtAttr(2, netip.MustParseAddr(host).AsSlice())
	allowed.AddRtAttr(3, []byte{32})
	n.In(func() {
		family, err := netlink.GenlFamilyGet("wireguard")
		if err != nil {
			s.t.Fatal(err)
		}
		request := nl.NewNetlinkRequest(int(family.ID), unix.NLM_F_ACK)
		request.AddData(&nl.Genlmsg{Command: 1, Version: 1})
		request.AddData(nl.NewRtAttr(2, nl.ZeroTerminated("wg0")))
		request.AddData(nl.NewRtAttr(3, private.Bytes()))
		request.AddData(nl.NewRtAttr(6, short(port)))
		request.AddData(peers)
		if _, err := request.Execute(unix.NETLINK_GENERIC, 0); err != nil {
			s.t.Fatal(err)
		}
	})
	n.Batch("ip", "link set wg0 up\n")
}
