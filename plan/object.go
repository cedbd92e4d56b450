package plan

import "fmt"

// Object is a thing that sqmctl makes in the kernel: an *IFB, *Qdisc, *Class or
// *Filter.
type Object interface {
	// Device is the netdev that the object sits on (or is, for an IFB).
	Device() string
	// Name says which object it is, for messages: "qdisc cake 7371: on eth0".
	Name() string
	// Words is the object in tc's and ip's own words: what to type to make it.
	Words() string
}

// IFB is the device that takes in what a link receives, so that there is an
// egress to queue it at.
type IFB struct {
	Link   string // its own name, at most 15 bytes
	Alias  string // marks the owner: OwnerAlias
	Up     bool
	Queues int // transmit queues; 0: one if it is made, and as many as it has if it is there
}

// Qdisc is a queue discipline. Exactly the options of its kind are set.
type Qdisc struct {
	Link   string
	Kind   string // "cake", "cake_mq", "ingress", "clsact", "fq_codel", …
	Handle Handle // 0 lets the kernel pick one; the kernel's default qdisc has 0
	Parent Handle
	Cake   *Cake // for kind cake and cake_mq; nil otherwise
	HTB    *HTB  // for kind htb; nil otherwise
	Stab   *Stab // size table; nil: none

	FQCodel *FQCodel // for kind fq_codel; nil otherwise
	FQ      *FQ      // for kind fq; nil otherwise
}

// Stab is the size table that any qdisc can have (tc-stab(8)). Its overhead is
// relative to the device's own packet length, link header included.
type Stab struct {
	Overhead int  // bytes
	MPU      int  // bytes
	ATM      bool // cells of 53 bytes
	MTU      int  // bytes
	Size     int  // entries
}

// Gone stands for the target of a redirect whose device was deleted; the
// kernel then reports the interface index 0 and drops every packet. tc prints
// the same sign.
const Gone = "*"

// Filter is a classifier that hands every packet to another device.
type Filter struct {
	Link     string
	Parent   Handle // HandleIngressQdisc, or HandleClsactIngress under clsact
	Kind     string // "matchall" or "u32"
	Priority uint16 // 1 is asked first
	Protocol uint16 // ETH_P_*, 3 (ETH_P_ALL) for a redirect of ours
	Redirect string // the device that gets the packets (mirred egress redirect), or Gone; "" if it doesn't redirect
	Mirror   string // the device that gets copies (mirred egress mirror), or Gone; "" if none

	RestoreDSCP bool // before that, the packet gets the DSCP in its connection's mark (ctinfo)
}

// Where a connection's mark keeps a DSCP, and the bit that says that it does: the
// low byte, as other programs have it (tc-ctinfo(8) leaves it open).
const (
	MarkDSCP  = 0x3f
	MarkState = 0x80
)

// Device is the IFB's own name.
func (i *IFB) Device() string { return i.Link }

// Name is "ifb ifb4wan".
func (i *IFB) Name() string { return "ifb " + i.Link }

// Device is the netdev that the qdisc sits on.
func (q *Qdisc) Device() string { return q.Link }

// Name is "qdisc cake 7371: on wan".
func (q *Qdisc) Name() string { return fmt.Sprintf("qdisc %s %s on %s", q.Kind, q.Handle, q.Link) }

// Device is the netdev that the filter sits on.
func (f *Filter) Device() string { return f.Link }

// Name is "filter matchall prio 10 on wan, redirects to ifb4wan".
func (f *Filter) Name() string {
	return "filter " + f.place() + " on " + f.Link + f.effect()
}

func (f *Filter) place() string {
	text := fmt.Sprintf("%s prio %d", f.Kind, f.Priority)
	if f.Protocol != protocolAll {
		text += " protocol " + protocolWord(f.Protocol)
	}
	return text
}

func (f *Filter) effect() string {
	switch {
	case f.Redirect == Gone:
		return ", redirects to a device that is gone"
	case f.Redirect != "" && f.Redirect == f.Link:
		return ", redirects to itself: all that it receives is lost"
	case f.Redirect != "" && f.RestoreDSCP:
		return ", restores DSCP, redirects to " + f.Redirect
	case f.Redirect != "":
		return ", redirects to " + f.Redirect
	case f.Mirror != "":
		return ", mirrors to " + f.Mirror
	}
	return ""
}
