package plan

// Object is a thing that sqmctl makes in the kernel: an *IFB, *Qdisc or
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
	Link  string // its own name, at most 15 bytes
	Alias string // marks the owner: OwnerAlias
	Up    bool
}

// Qdisc is a queue discipline. Exactly the options of its kind are set.
type Qdisc struct {
	Link   string
	Kind   string // "cake", "ingress", "clsact", "fq_codel", …
	Handle Handle // 0 lets the kernel pick one; the kernel's default qdisc has 0
	Parent Handle
	Cake   *Cake // for kind cake and cake_mq; nil otherwise
	Stab   *Stab // size table; nil: none
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

// Filter is a classifier that hands every packet to another device.
type Filter struct {
	Link     string
	Parent   Handle // HandleIngressQdisc, or HandleClsactIngress under clsact
	Kind     string // "matchall" or "u32"
	Priority uint16 // 1 is asked first
	Protocol uint16 // ETH_P_*, 3 (ETH_P_ALL) for a redirect of ours
	Redirect string // the device that gets the packets (mirred egress redirect); "" if it doesn't redirect
	Mirror   string // the device that gets copies (mirred egress mirror); "" if none
}
