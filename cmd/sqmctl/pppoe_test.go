package main

import (
	"encoding/binary"
	"net"
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// pppoe joins two devices of one cable by a PPPoE session, as a pair of pppd
// does after they have agreed: in each namespace a device ppp0 appears, which
// is down.
func pppoe(t *testing.T, a *kernellab.Namespace, deviceA string, b *kernellab.Namespace, deviceB string) {
	t.Helper()
	addressA, addressB := address(t, a, deviceA), address(t, b, deviceB)
	session(t, a, deviceA, addressB)
	session(t, b, deviceB, addressA)
}

func address(t *testing.T, n *kernellab.Namespace, device string) (mac net.HardwareAddr) {
	t.Helper()
	n.In(func() {
		d, err := net.InterfaceByName(device)
		if err != nil {
			t.Fatal(err)
		}
		mac = d.HardwareAddr
	})
	return mac
}

// Requests of ioctl to PPP (linux/ppp-ioctl.h).
const (
	pppGetChannel    = 0x80047437 // PPPIOCGCHAN
	pppAttachChannel = 0x40047438 // PPPIOCATTCHAN
	pppNewUnit       = 0xC004743E // PPPIOCNEWUNIT
	pppConnect       = 0x4004743A // PPPIOCCONNECT
)

// session makes one end of session 1.
func session(t *testing.T, n *kernellab.Namespace, device string, peer net.HardwareAddr) {
	t.Helper()
	n.In(func() {
		socket, err := unix.Socket(unix.AF_PPPOX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatalf("a socket for PPPoE: %v", err)
		}
		t.Cleanup(func() { unix.Close(socket) })
		// struct sockaddr_pppox: family, protocol 0, and the session.
		to := binary.NativeEndian.AppendUint16(nil, unix.AF_PPPOX)
		to = append(to, 0, 0, 0, 0, 0, 1)
		to = append(to, peer...)
		to = append(to, device...)
		to = append(to, make([]byte, 30-len(to))...)
		if _, _, errno := unix.Syscall(unix.SYS_CONNECT, uintptr(socket), uintptr(unsafe.Pointer(&to[0])), uintptr(len(to))); errno != 0 {
			t.Fatalf("connecting the session: %v", errno)
		}
		channel, unit := openPPP(t), openPPP(t)
		control(t, channel, pppAttachChannel, control(t, socket, pppGetChannel, 0))
		control(t, channel, pppConnect, control(t, unit, pppNewUnit, 0))
	})
}

// control sends a request with a number and returns what became of it.
func control(t *testing.T, fd int, request uintptr, number uint32) uint32 {
	t.Helper()
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(unsafe.Pointer(&number))); errno != 0 {
		t.Fatalf("ioctl %#x: %v", request, errno)
	}
	return number
}

// openPPP opens /dev/ppp, which belongs to the namespace that it is opened in.
func openPPP(t *testing.T) int {
	t.Helper()
	const path, number = "/run/ppp", 108 << 8
	if _, err := os.Stat(path); err != nil {
		if err := unix.Mknod(path, unix.S_IFCHR|0o600, number); err != nil {
			t.Fatal(err)
		}
	}
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatalf("opening %s: %v", path, err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	return fd
}
