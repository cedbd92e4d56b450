package main

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// streamPacket is the size of a stream's packets in bytes, IP header included.
const streamPacket = 1250

// stream is numbered UDP packets from a line's sender to its receiver.
type stream struct {
	t       *testing.T
	out, in int // sockets
	sent    uint64
	arrived []uint64 // the numbers, in the order of their arrival
}

func newStream(t *testing.T, l *kernellab.Line) *stream {
	t.Helper()
	s := &stream{t: t}
	receiver := &unix.SockaddrInet4{Port: 7000, Addr: netip.MustParseAddr("10.0.4.2").As4()}
	l.Receiver.In(func() {
		s.in = s.socket()
		if err := unix.Bind(s.in, receiver); err != nil {
			t.Fatal(err)
		}
	})
	l.Sender.In(func() {
		s.out = s.socket()
		if err := unix.Connect(s.out, receiver); err != nil {
			t.Fatal(err)
		}
	})
	return s
}

func (s *stream) socket() int {
	s.t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { unix.Close(fd) })
	return fd
}

// send sends some packets at once.
func (s *stream) send(packets int) {
	s.t.Helper()
	payload := make([]byte, streamPacket-20-8) // less the headers of IPv4 and UDP
	for range packets {
		s.sent++
		binary.BigEndian.PutUint64(payload, s.sent)
		if _, err := unix.Write(s.out, payload); err != nil {
			s.t.Fatal(err)
		}
	}
}

// collect takes out of the socket what has arrived.
func (s *stream) collect() {
	s.t.Helper()
	b := make([]byte, streamPacket)
	for {
		n, err := unix.Read(s.in, b)
		if errors.Is(err, unix.EAGAIN) {
			return
		}
		if err != nil || n != streamPacket-20-8 {
			s.t.Fatalf("received %d bytes: %v", n, err)
		}
		s.arrived = append(s.arrived, binary.BigEndian.Uint64(b))
	}
}

// wantAll expects that every packet has arrived, once and in order.
func (s *stream) wantAll() {
	s.t.Helper()
	s.collect()
	for i, number := range s.arrived {
		if number != uint64(i+1) {
			s.t.Fatalf("packet %d arrived in place of packet %d", number, i+1)
		}
	}
	if n := uint64(len(s.arrived)); n != s.sent {
		s.t.Errorf("%d packets arrived, %d were sent", n, s.sent)
	}
}
