package netlinkqdisc

import (
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// message is a qdisc, class or filter as the kernel sent it: struct tcmsg
// (linux/rtnetlink.h) and the attributes that all three kinds of object share.
type message struct {
	index     uint32 // of the device
	handle    plan.Handle
	parent    plan.Handle
	info      uint32 // of a filter: priority and protocol; of a class: its leaf
	kind      string
	attribute [tcaMax + 1][]byte
	raw       []byte // all of it, to make the object again
}

const (
	messageHeader = 20 // sizeof(struct tcmsg)
	tcaMax        = unix.TCA_EXT_WARN_MSG
)

var errShort = errors.New("it is shorter than its header")

// parseMessage reads as much as can be read: with an error that isn't
// errShort, the header and the attributes before the fault are there.
func parseMessage(b []byte) (message, error) {
	if len(b) < messageHeader {
		return message{}, errShort
	}
	m := message{
		index:  binary.NativeEndian.Uint32(b[4:]),
		handle: plan.Handle(binary.NativeEndian.Uint32(b[8:])),
		parent: plan.Handle(binary.NativeEndian.Uint32(b[12:])),
		info:   binary.NativeEndian.Uint32(b[16:]),
		raw:    b,
	}
	err := parse(b[messageHeader:], m.attribute[:])
	m.kind = text(m.attribute[unix.TCA_KIND])
	return m, err
}

// header is a struct tcmsg with nothing behind it.
func header(index uint32, handle, parent plan.Handle, info uint32) []byte {
	b := make([]byte, messageHeader)
	binary.NativeEndian.PutUint32(b[4:], index)
	binary.NativeEndian.PutUint32(b[8:], uint32(handle))
	binary.NativeEndian.PutUint32(b[12:], uint32(parent))
	binary.NativeEndian.PutUint32(b[16:], info)
	return b
}

// object names it for messages: "class htb 1:10".
func (m *message) object(what string) string {
	return fmt.Sprintf("%s %s %v", what, m.kind, m.handle)
}

// unreadable says which object could not be decoded, and why.
func (m *message) unreadable(object, device string, err error) string {
	kind := m.kind
	if kind == "" {
		kind = "of unknown kind"
	}
	return fmt.Sprintf("%s %s %v on %s can't be read: %v", object, kind, m.handle, device, err)
}

// names are the names of devices by index.
type names map[uint32]string

// of is the device's name; as tc prints it, "*" for no device and "if7" for
// one that nobody knows.
func (n names) of(index uint32) string {
	if name, ok := n[index]; ok {
		return name
	}
	if index == 0 {
		return "*"
	}
	return fmt.Sprintf("if%d", index)
}
