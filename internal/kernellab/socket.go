package kernellab

import (
	"net/netip"

	"golang.org/x/sys/unix"
)

// openSocket opens a socket of IPv4 in the calling thread's namespace and sets
// integer options of level SOL_SOCKET.
func openSocket(t T, kind int, options map[int]int) int {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, kind|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatalf("opening a socket: %v", err)
	}
	for option, value := range options {
		if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, option, value); err != nil {
			t.Fatalf("setting socket option %d to %d: %v", option, value, err)
		}
	}
	return fd
}

// bind binds a socket to an address and any port, and returns both.
func bind(t T, fd int, address string) unix.Sockaddr {
	t.Helper()
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: netip.MustParseAddr(address).As4()}); err != nil {
		t.Fatalf("binding to %s: %v", address, err)
	}
	bound, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return bound
}
