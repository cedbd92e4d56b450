package netlinkqdisc

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// request is a message that changes something.
type request struct {
	object      string // for messages: "class htb 1:10"
	kind, flags int
	payload     []byte
}

func (k *Kernel) sendOne(r request) error { return k.send(r.kind, r.flags, r.payload) }

// mostTogether is how many requests go in one system call at most: a socket
// holds some 250 answers.
const mostTogether = 100

// sendAll sends requests, as many as go into a system call at once: the kernel
// carries them out right one after the other, so that a packet hardly ever meets
// an HTB whose classes are still to come, which it would pass unshaped. done is
// how many went well before the first that failed, and the error is that one's.
// Others that were sent together with it are carried out all the same, as far as
// they can be.
func (k *Kernel) sendAll(requests []request) (done int, err error) {
	for done < len(requests) {
		together := requests[done:min(len(requests), done+mostTogether)]
		n, err := k.sendTogether(together)
		done += n
		if err != nil {
			return done, &partError{requests[done].object, err}
		}
	}
	return done, nil
}

func (k *Kernel) sendTogether(requests []request) (done int, err error) {
	var made error
	for i := range requests {
		k.requests++
		if k.fail == nil {
			continue
		}
		if made = k.fail(k.requests); made != nil {
			requests = requests[:i]
			break
		}
	}
	if len(requests) == 0 {
		return 0, made
	}
	k.roundTrips++
	first, err := k.post(requests)
	if err != nil {
		return 0, err
	}
	if done, err = k.answers(first, len(requests)); err != nil {
		return done, err
	}
	return done, made
}

// post sends requests with a sequence number each, from first on.
func (k *Kernel) post(requests []request) (first uint32, err error) {
	var all []byte
	for i, r := range requests {
		number := atomic.AddUint32(&k.socket.Seq, 1)
		if i == 0 {
			first = number
		}
		b := make([]byte, unix.NLMSG_HDRLEN, unix.NLMSG_HDRLEN+len(r.payload))
		binary.NativeEndian.PutUint32(b, uint32(unix.NLMSG_HDRLEN+len(r.payload)))
		binary.NativeEndian.PutUint16(b[4:], uint16(r.kind))
		binary.NativeEndian.PutUint16(b[6:], uint16(r.flags|unix.NLM_F_REQUEST|unix.NLM_F_ACK))
		binary.NativeEndian.PutUint32(b[8:], number)
		all = append(all, append(b, r.payload...)...)
		all = append(all, make([]byte, align4(len(all))-len(all))...)
	}
	to := &unix.SockaddrNetlink{Family: unix.AF_NETLINK}
	return first, unix.Sendto(k.socket.Socket.GetFd(), all, 0, to)
}

// answers waits for an answer to each request, and returns which was the first
// that failed, with its error.
func (k *Kernel) answers(first uint32, n int) (failed int, err error) {
	failed = n
	for answered := 0; answered < n; {
		messages, _, receiveErr := k.socket.Socket.Receive()
		if receiveErr != nil {
			return 0, fmt.Errorf("read the kernel's answers: %w", receiveErr)
		}
		for _, m := range messages {
			i := int(m.Header.Seq - first)
			if m.Header.Type != unix.NLMSG_ERROR || i < 0 || i >= n {
				continue
			}
			answered++
			if refusal := refusal(&m); refusal != nil && i < failed {
				failed, err = i, refusal
			}
		}
	}
	return failed, err
}

// refusal is the error in an answer, with the kernel's text; nil if there is
// none. The text stands behind the request that it is about (netlink(7)).
func refusal(m *syscall.NetlinkMessage) error {
	errno := unix.Errno(-int32(unsigned32(m.Data, 0)))
	if errno == 0 {
		return nil
	}
	const echo = 4 // where the header of the request begins
	rest := m.Data[min(len(m.Data), echo+align4(int(unsigned32(m.Data, echo)))):]
	var table [unix.NLMSGERR_ATTR_MSG + 1][]byte
	if m.Header.Flags&unix.NLM_F_ACK_TLVS == 0 || parse(rest, table[:]) != nil || table[unix.NLMSGERR_ATTR_MSG] == nil {
		return errno
	}
	return fmt.Errorf("%w: %s", errno, text(table[unix.NLMSGERR_ATTR_MSG]))
}
