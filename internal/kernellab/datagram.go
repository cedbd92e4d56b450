package kernellab

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// datagrams are UDP packets that one system call sends or receives, each with
// its payload and one control message.
type datagrams struct {
	headers  []mmsghdr
	payloads [][]byte
	controls [][]byte
}

// mmsghdr is the struct of that name in sendmmsg(2).
type mmsghdr struct {
	unix.Msghdr
	length uint32
}

// newDatagrams makes n of them, whose payloads and control messages have these
// sizes.
func newDatagrams(n, payload, control int) *datagrams {
	d := &datagrams{headers: make([]mmsghdr, n)}
	for i := range d.headers {
		d.payloads = append(d.payloads, make([]byte, payload))
		d.controls = append(d.controls, make([]byte, unix.CmsgSpace(control)))
		vector := &unix.Iovec{Base: &d.payloads[i][0]}
		vector.SetLen(payload)
		h := &d.headers[i]
		h.Iov, h.Control = vector, &d.controls[i][0]
		h.SetIovlen(1)
		h.SetControllen(len(d.controls[i]))
	}
	return d
}

// setControl makes the i-th control message one of level SOL_SOCKET that
// carries a number of 64 bits.
func (d *datagrams) setControl(i int, kind int32, value uint64) {
	h := (*unix.Cmsghdr)(unsafe.Pointer(&d.controls[i][0]))
	h.Level, h.Type = unix.SOL_SOCKET, kind
	h.SetLen(unix.CmsgLen(8))
	*(*uint64)(unsafe.Pointer(&d.controls[i][unix.CmsgLen(0)])) = value
}

// timespec is the time in the i-th control message.
func (d *datagrams) timespec(i int) unix.Timespec {
	return *(*unix.Timespec)(unsafe.Pointer(&d.controls[i][unix.CmsgLen(0)]))
}

// send sends all of them, as far as the socket takes them.
func (d *datagrams) send(socket int) {
	d.call(unix.SYS_SENDMMSG, socket, unix.MSG_DONTWAIT)
}

// receive fills as many as have arrived, and returns their number.
func (d *datagrams) receive(socket int) (int, error) {
	n, errno := d.call(unix.SYS_RECVMMSG, socket, unix.MSG_DONTWAIT)
	if errno == unix.EAGAIN {
		return 0, nil
	}
	if errno != 0 {
		return 0, errno
	}
	return n, nil
}

func (d *datagrams) call(number uintptr, socket, flags int) (int, unix.Errno) {
	n, _, errno := unix.Syscall6(number, uintptr(socket), uintptr(unsafe.Pointer(&d.headers[0])),
		uintptr(len(d.headers)), uintptr(flags), 0, 0)
	return int(n), errno
}
