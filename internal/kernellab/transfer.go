package kernellab

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
)

// Transfer is a number of TCP connections that carry as much as they can.
//
// A system call of a guest costs the host some context switches, so the
// connections' ends make as few as they can: each is one call that stays in the
// kernel for a gigabyte. To TCP that is a program which is never late.
type Transfer struct {
	t       T
	out, in []int // sockets
	once    sync.Once
	stopped atomic.Bool
	running sync.WaitGroup

	base  uint64    // bytes that had arrived
	since time.Time // at this moment
}

// Upload starts bulk transfers from the sender to the receiver under a
// congestion control of the kernel: "cubic", "reno", "bbr" or "dctcp". They
// last until Stop or the end of the test.
func (l *Line) Upload(flows int, congestion string) *Transfer {
	l.t.Helper()
	return l.transfer(linklayer.Egress, flows, congestion)
}

// Download is Upload the other way.
func (l *Line) Download(flows int, congestion string) *Transfer {
	l.t.Helper()
	return l.transfer(linklayer.Ingress, flows, congestion)
}

func (l *Line) transfer(d linklayer.Direction, flows int, congestion string) *Transfer {
	l.t.Helper()
	from, to, address := l.ends(d)
	tr := &Transfer{t: l.t}
	l.t.Cleanup(tr.Stop)
	var listener int
	var where unix.Sockaddr
	to.In(func() {
		listener = openSocket(l.t, unix.SOCK_STREAM, nil)
		where = bind(l.t, listener, address)
		if err := unix.Listen(listener, flows); err != nil {
			l.t.Fatal(err)
		}
	})
	defer unix.Close(listener)
	for range flows {
		from.In(func() { tr.connect(where, congestion) })
		in, _, err := unix.Accept4(listener, unix.SOCK_CLOEXEC)
		if err != nil {
			l.t.Fatal(err)
		}
		tr.in = append(tr.in, in)
		out := tr.out[len(tr.out)-1]
		tr.running.Go(func() { tr.send(out) })
		tr.running.Go(func() { tr.receive(in) })
	}
	tr.Discard()
	return tr
}

func (tr *Transfer) connect(to unix.Sockaddr, congestion string) {
	tr.t.Helper()
	out := openSocket(tr.t, unix.SOCK_STREAM, nil)
	tr.out = append(tr.out, out)
	if err := unix.SetsockoptString(out, unix.IPPROTO_TCP, unix.TCP_CONGESTION, congestion); err != nil {
		tr.t.Fatalf("congestion control %s: %v", congestion, err)
	}
	if err := unix.Connect(out, to); err != nil {
		tr.t.Fatalf("connecting: %v", err)
	}
}

// send sends until the transfer stops.
func (tr *Transfer) send(out int) {
	gigabyte := make([][]byte, 1024)
	block := make([]byte, 1<<20)
	for i := range gigabyte {
		gigabyte[i] = block
	}
	for {
		_, err := unix.SendmsgBuffers(out, gigabyte, nil, nil, unix.MSG_NOSIGNAL)
		if tr.stopped.Load() {
			return
		}
		if err != nil && !errors.Is(err, unix.EINTR) {
			tr.t.Errorf("sending in a bulk transfer: %v", err)
			return
		}
	}
}

// receive throws away what comes until the transfer stops. MSG_TRUNC
// spares the copy (tcp(7)).
func (tr *Transfer) receive(in int) {
	for {
		n, _, errno := unix.Syscall6(unix.SYS_RECVFROM, uintptr(in), 0, 1<<30,
			unix.MSG_TRUNC|unix.MSG_WAITALL, 0, 0)
		if tr.stopped.Load() {
			return
		}
		if n == 0 {
			errno = unix.ECONNRESET // its sender is gone
		}
		if errno != 0 && errno != unix.EINTR {
			tr.t.Errorf("receiving in a bulk transfer: %v", errno)
			return
		}
	}
}

// Received is the payload in bytes that has arrived in order so far.
func (tr *Transfer) Received() uint64 {
	tr.t.Helper()
	var sum uint64
	for _, in := range tr.in {
		info, err := unix.GetsockoptTCPInfo(in, unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil {
			tr.t.Fatalf("reading a connection's counters: %v", err)
		}
		sum += info.Bytes_received
	}
	return sum
}

// Discard forgets what has arrived so far, as a warm-up.
func (tr *Transfer) Discard() {
	tr.t.Helper()
	tr.base, tr.since = tr.Received(), time.Now()
}

// Goodput is the payload that has arrived since the start or the last Discard,
// as a rate: the headers of TCP, IP and Ethernet don't count. It needs the
// transfer to be running.
func (tr *Transfer) Goodput() linklayer.Rate {
	tr.t.Helper()
	bits := float64(tr.Received()-tr.base) * 8
	return linklayer.Rate(bits / time.Since(tr.since).Seconds())
}

// Stop ends the transfer. What is on its way is thrown away by both ends, but
// the line's queues still have to send it.
func (tr *Transfer) Stop() {
	tr.once.Do(func() {
		tr.stopped.Store(true)
		sockets := append(tr.out, tr.in...)
		for _, fd := range sockets {
			unix.Shutdown(fd, unix.SHUT_RDWR)
		}
		tr.running.Wait()
		for _, fd := range sockets {
			// Without lingering a socket that is closed sends a reset and no more.
			unix.SetsockoptLinger(fd, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1})
			unix.Close(fd)
		}
	})
}
