package netlinkqdisc

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// linkMessage is a struct ifinfomsg: flags are set as given where change has
// a one. Index 0 means that a name follows.
func linkMessage(index, flags, change uint32) []byte {
	b := make([]byte, linkHeader)
	binary.NativeEndian.PutUint32(b[4:], index)
	binary.NativeEndian.PutUint32(b[8:], flags)
	binary.NativeEndian.PutUint32(b[12:], change)
	return b
}

func appendName(b []byte, name string) []byte {
	return appendAttribute(b, unix.IFLA_IFNAME, append([]byte(name), 0))
}

func appendIFBKind(b []byte) []byte {
	return appendAttribute(b, unix.IFLA_LINKINFO, appendAttribute(nil, infoKind, []byte("ifb\x00")))
}

// createIFB makes an IFB, which is down and has no alias: the kernel takes an
// alias only for what exists. It gets one queue each way unless more are wanted,
// because the one CAKE at its root serves them all and each queue costs a
// tasklet.
func (k *Kernel) createIFB(want *plan.IFB) error {
	b := appendName(linkMessage(0, 0, 0), want.Link)
	b = appendNumber(b, unix.IFLA_NUM_TX_QUEUES, uint32(max(1, want.Queues)))
	b = appendNumber(b, unix.IFLA_NUM_RX_QUEUES, 1)
	return k.send(unix.RTM_NEWLINK, unix.NLM_F_CREATE|unix.NLM_F_EXCL, appendIFBKind(b))
}

// setLink sets a device's alias and whether it is up, in one request.
func (k *Kernel) setLink(index uint32, want *plan.IFB) error {
	flags := uint32(0)
	if want.Up {
		flags = unix.IFF_UP
	}
	b := linkMessage(index, flags, unix.IFF_UP)
	b = appendAttribute(b, unix.IFLA_IFALIAS, []byte(want.Alias))
	return k.send(unix.RTM_SETLINK, 0, b)
}

// deleteLink deletes a device by name: one that was just made may have no
// index yet that is known here.
func (k *Kernel) deleteLink(name string) error {
	return k.send(unix.RTM_DELLINK, 0, appendName(linkMessage(0, 0, 0), name))
}

// linkIndex asks for the index of a device.
func (k *Kernel) linkIndex(name string) (uint32, error) {
	answers, err := k.ask(unix.RTM_GETLINK, 0, appendName(linkMessage(0, 0, 0), name))
	if err != nil {
		return 0, err
	}
	for _, b := range answers {
		if l, err := readLink(b); err == nil {
			return l.index, nil
		}
	}
	return 0, fmt.Errorf("the kernel's answer about %s can't be read", name)
}

// restored are the attributes that make a deleted IFB the same again. With its
// old index, too, what refers to it by index is right again.
var restored = []int{
	unix.IFLA_IFNAME, unix.IFLA_ADDRESS, unix.IFLA_MTU, unix.IFLA_TXQLEN,
	unix.IFLA_NUM_TX_QUEUES, unix.IFLA_NUM_RX_QUEUES,
}

// restoreIFB makes an IFB that was deleted again.
func (k *Kernel) restoreIFB(l *link) error {
	b := linkMessage(l.index, 0, 0)
	for _, kind := range restored {
		if value := l.attribute[kind]; value != nil {
			b = appendAttribute(b, kind, value)
		}
	}
	if err := k.send(unix.RTM_NEWLINK, unix.NLM_F_CREATE|unix.NLM_F_EXCL, appendIFBKind(b)); err != nil {
		return err
	}
	return k.setLink(l.index, &plan.IFB{Alias: l.device.Alias, Up: l.device.Up})
}
