package plan

import "fmt"

// Handle names a qdisc or class on a device, or a place to attach one: the
// upper half is the major number, the lower half the minor.
type Handle uint32

const (
	// HandleRoot is the parent of a device's root qdisc (TC_H_ROOT).
	HandleRoot Handle = 0xFFFFFFFF
	// HandleIngress is the parent of an ingress or clsact qdisc (TC_H_INGRESS).
	HandleIngress Handle = 0xFFFFFFF1
	// HandleIngressQdisc is the handle that every ingress or clsact qdisc has.
	HandleIngressQdisc Handle = 0xFFFF0000
	// HandleClsactIngress is where clsact keeps the filters of the way in.
	HandleClsactIngress Handle = 0xFFFFFFF2
	// HandleOwned is the handle of every root qdisc that sqmctl installs: "sq"
	// in ASCII, so that a root's owner shows in any dump. Where that handle is
	// taken by a qdisc of another kind, which the kernel refuses to turn into
	// ours in place (tc_modify_qdisc: "Invalid qdisc name"), the next one up to
	// 737f: is used.
	HandleOwned Handle = 0x73710000
	lastOwned   Handle = 0x737F0000
	// HandleQueues is the first handle of the qdiscs that sqmctl puts below the
	// queues of an mq, one for each. Nothing but their parent makes them sqmctl's.
	// The kernel gives out those from 8000: by itself.
	HandleQueues Handle = 0x73800000
	lastQueues   Handle = 0x7FFF0000
)

// Owned tells whether a root qdisc with this handle is one that sqmctl
// installed.
func (h Handle) Owned() bool {
	return h >= HandleOwned && h <= lastOwned && h.Minor() == 0
}

// Major is the upper half, as a number.
func (h Handle) Major() uint16 { return uint16(h >> 16) }

// Minor is the lower half.
func (h Handle) Minor() uint16 { return uint16(h) }

// String is tc's spelling: "root", "7371:", "1:10".
func (h Handle) String() string {
	switch {
	case h == HandleRoot:
		return "root"
	case h.Minor() == 0:
		return fmt.Sprintf("%x:", h.Major())
	}
	return fmt.Sprintf("%x:%x", h.Major(), h.Minor())
}
