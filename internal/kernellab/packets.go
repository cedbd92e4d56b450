package kernellab

import (
	"net"

	"golang.org/x/sys/unix"
)

// UDPPacket is an IPv4 packet of a size in bytes, header included, to an address
// that nobody has. Its ports are 0.
func UDPPacket(size int) []byte {
	packet := make([]byte, size)
	copy(packet, []byte{0x45, 0, byte(size >> 8), byte(size), 0, 0, 0, 0, 64, unix.IPPROTO_UDP, 0, 0, 198, 51, 100, 1, 198, 51, 100, 2})
	return packet
}

// SendPackets sends IP packets through a device of the calling thread's
// namespace, one right after the other, to everybody and with whatever header
// the device puts before them.
func SendPackets(t T, device string, packets ...[]byte) {
	t.Helper()
	dev, err := net.InterfaceByName(device)
	if err != nil {
		t.Fatal(err)
	}
	kind := unix.SOCK_DGRAM
	if len(dev.HardwareAddr) != 6 { // no link header, and an address that may not fit below
		kind = unix.SOCK_RAW
	}
	socket, err := unix.Socket(unix.AF_PACKET, kind|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(socket)
	const enough = 64 << 20 // or sending waits for packets to leave
	if err := unix.SetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_SNDBUFFORCE, enough); err != nil {
		t.Fatal(err)
	}
	to := &unix.SockaddrLinklayer{Ifindex: dev.Index, Halen: 6, Addr: [8]byte{255, 255, 255, 255, 255, 255}}
	for _, p := range packets {
		to.Protocol = 0x0008 // ETH_P_IP, in network order
		if p[0]>>4 == 6 {
			to.Protocol = 0xdd86 // ETH_P_IPV6
		}
		if err := unix.Sendto(socket, p, 0, to); err != nil {
			t.Fatal(err)
		}
	}
}
