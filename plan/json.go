package plan

import (
	"strings"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

// The JSON types are what plan --json and status --json print. They are a
// promise to programs: keys are only ever added, a key says its unit, rates
// are bit/s, sizes bytes and times µs, and 0 stands for none or unknown.

// LinkJSON is a link as planned. A direction that is left alone is null.
type LinkJSON struct {
	Interface string      `json:"interface"`
	Title     string      `json:"title"`
	Kind      string      `json:"device_kind"` // for people: "a PPP device"
	Role      string      `json:"role"`        // "line" or "server"
	Problem   string      `json:"problem"`     // why it can't be planned; empty if it can
	Upload    *ShaperJSON `json:"upload"`
	Download  *ShaperJSON `json:"download"`
	Unshaped  []string    `json:"unshaped"` // the directions that are left alone for the profile's reason
	Reason    string      `json:"reason"`   // that; empty without one
	Commands  []string    `json:"commands"` // the words of ip and tc, in order
}

// ShaperJSON is one direction as planned.
type ShaperJSON struct {
	Invoice  uint64       `json:"invoice_bit_per_s"`
	Qdisc    QdiscJSON    `json:"qdisc"`
	Class    *ClassJSON   `json:"class,omitempty"`  // of HTB, with the whole rate
	Leaf     *QdiscJSON   `json:"leaf,omitempty"`   // the qdisc below it, or below its default tier
	Tiers    []TierJSON   `json:"tiers,omitempty"`  // that share the class, the default first
	Queues   []QdiscJSON  `json:"queues,omitempty"` // the qdiscs below an mq, by transmit queue
	Cakes    int          `json:"cakes,omitempty"`  // of cake_mq, one for each transmit queue
	IFB      *IFBJSON     `json:"ifb,omitempty"`
	Redirect *FilterJSON  `json:"redirect,omitempty"`
	Reasons  []ReasonJSON `json:"reasons"`
}

// IFBJSON is an IFB.
type IFBJSON struct {
	Name   string `json:"name"`
	Alias  string `json:"alias"`
	Up     bool   `json:"up"`
	Queues int    `json:"tx_queues"`
}

// FilterJSON is a filter on the way in.
type FilterJSON struct {
	Device   string `json:"device"`
	Kind     string `json:"kind"`
	Parent   string `json:"parent"`
	Priority uint16 `json:"priority"`
	Protocol string `json:"protocol"` // tc's word
	Redirect string `json:"redirect,omitempty"`
	Mirror   string `json:"mirror,omitempty"`
	Restore  bool   `json:"restore_dscp,omitempty"`
}

// ReasonJSON is why an attribute has its value.
type ReasonJSON struct {
	Attribute string `json:"attribute"`
	Value     string `json:"value"` // tc's word
	Why       string `json:"why"`
	Line      int    `json:"line,omitempty"` // of the profile; left out for a default
}

// QdiscJSON is a qdisc, planned or found.
type QdiscJSON struct {
	Device string    `json:"device"`
	Kind   string    `json:"kind"`
	Handle string    `json:"handle"` // "7371:"; "0:" is the kernel's default qdisc
	Parent string    `json:"parent"`
	Owned  bool      `json:"owned"` // a root qdisc that sqmctl installs
	Cake   *CakeJSON `json:"cake,omitempty"`
	HTB    *HTBJSON  `json:"htb,omitempty"`
	Stab   *StabJSON `json:"stab,omitempty"`

	FQCodel *FQCodelJSON `json:"fq_codel,omitempty"`
	FQ      *FQJSON      `json:"fq,omitempty"`
}

// CakeJSON is every option of a CAKE qdisc; words are tc's.
type CakeJSON struct {
	Rate        uint64 `json:"rate_bit_per_s"` // 0: unlimited
	Autorate    bool   `json:"autorate_ingress"`
	Diffserv    string `json:"diffserv"`
	Isolation   string `json:"flowmode"`
	NAT         bool   `json:"nat"`
	Wash        bool   `json:"wash"`
	Ingress     bool   `json:"ingress"`
	AckFilter   string `json:"ack_filter"`
	SplitGSO    bool   `json:"split_gso"`
	RTT         int64  `json:"rtt_us"`
	Target      int64  `json:"target_us"`
	Raw         bool   `json:"raw"`
	Framing     string `json:"framing"` // "plain", "atm" or "ptm"
	Overhead    int    `json:"overhead_bytes"`
	MPU         int    `json:"mpu_bytes"`
	MemoryLimit uint32 `json:"memory_limit_bytes"` // 0: the kernel works it out
	FwMark      uint32 `json:"fwmark_mask"`
}

// StabJSON is a size table.
type StabJSON struct {
	Overhead int  `json:"overhead_bytes"`
	MPU      int  `json:"mpu_bytes"`
	ATM      bool `json:"atm"`
	MTU      int  `json:"mtu_bytes"`
	Size     int  `json:"entries"`
}

// StepJSON is one thing that apply or remove would do, or did.
type StepJSON struct {
	Action     string          `json:"action"` // "create", "change", "replace" or "delete"
	Object     string          `json:"object"` // for people
	Device     string          `json:"device"`
	Attributes []AttributeJSON `json:"attributes,omitempty"`
	Note       string          `json:"note,omitempty"`
}

// AttributeJSON is one value that differs, in tc's words.
type AttributeJSON struct {
	Name string `json:"name"`
	Was  string `json:"was"`
	Want string `json:"want"`
}

// NewLinkJSON turns a link into what is printed.
func NewLinkJSON(link Link) LinkJSON {
	j := LinkJSON{
		Interface: link.Interface,
		Title:     link.Title,
		Kind:      link.On,
		Role:      roleWord(link.Server),
		Unshaped:  []string{},
		Upload:    newShaperJSON(link.Egress),
		Download:  newShaperJSON(link.Ingress),
		Commands:  strings.Split(strings.TrimSuffix(Format(link), "\n"), "\n"),
	}
	if link.Problem != nil {
		j.Problem, j.Commands = link.Problem.Error(), []string{}
	}
	for d, why := range link.Unshaped {
		if why != "" {
			j.Unshaped, j.Reason = append(j.Unshaped, linklayer.Direction(d).String()), why
		}
	}
	return j
}

func roleWord(server bool) string {
	if server {
		return config.RoleServer
	}
	return config.RoleLine
}

func newShaperJSON(s *Shaper) *ShaperJSON {
	if s == nil {
		return nil
	}
	j := &ShaperJSON{Invoice: uint64(s.Invoice), Qdisc: NewQdiscJSON(&s.Qdisc), Cakes: s.Cakes, Reasons: []ReasonJSON{}}
	if len(s.Classes) > 0 {
		leaf := NewQdiscJSON(s.Leaves[0])
		j.Class, j.Leaf = newClassJSON(s.Classes[0]), &leaf
	}
	for _, t := range s.Tiers() {
		j.Tiers = append(j.Tiers, TierJSON{t.Name, newClassJSON(t.Class), NewQdiscJSON(t.Leaf), append([]uint32{}, t.DSCP...)})
	}
	for _, q := range s.Queues() {
		j.Queues = append(j.Queues, NewQdiscJSON(q))
	}
	if s.IFB != nil {
		j.IFB = &IFBJSON{Name: s.IFB.Link, Alias: s.IFB.Alias, Up: s.IFB.Up, Queues: max(1, s.IFB.Queues)}
	}
	if s.Redirect != nil {
		f := NewFilterJSON(s.Redirect)
		j.Redirect = &f
	}
	for _, r := range s.Reasons {
		j.Reasons = append(j.Reasons, ReasonJSON(r))
	}
	return j
}

// NewFilterJSON turns a filter into what is printed.
func NewFilterJSON(f *Filter) FilterJSON {
	return FilterJSON{
		Device: f.Link, Kind: f.Kind, Parent: f.Parent.String(), Priority: f.Priority,
		Protocol: protocolWord(f.Protocol), Redirect: f.Redirect, Mirror: f.Mirror,
	}
}

// NewQdiscJSON turns a qdisc into what is printed.
func NewQdiscJSON(q *Qdisc) QdiscJSON {
	j := QdiscJSON{
		Device: q.Link, Kind: q.Kind, Handle: q.Handle.String(), Parent: q.Parent.String(),
		Owned: q.Parent == HandleRoot && q.Handle.Owned(),
	}
	if q.Cake != nil {
		j.Cake = newCakeJSON(q.Cake)
	}
	if q.HTB != nil {
		htb := HTBJSON(*q.HTB)
		j.HTB = &htb
	}
	if q.FQCodel != nil {
		j.FQCodel = newFQCodelJSON(q.FQCodel)
	}
	if q.FQ != nil {
		j.FQ = newFQJSON(q.FQ)
	}
	if q.Stab != nil {
		stab := StabJSON(*q.Stab)
		j.Stab = &stab
	}
	return j
}

func newCakeJSON(c *Cake) *CakeJSON {
	return &CakeJSON{
		Rate: uint64(c.Rate), Autorate: c.Autorate,
		Diffserv: c.Diffserv.String(), Isolation: c.Isolation.String(),
		NAT: c.NAT, Wash: c.Wash, Ingress: c.Ingress,
		AckFilter: c.AckFilter.String(), SplitGSO: c.SplitGSO,
		RTT: c.RTT.Microseconds(), Target: c.Target.Microseconds(),
		Raw: c.Raw, Framing: c.Encapsulation.Framing.String(),
		Overhead: c.Encapsulation.Overhead, MPU: c.Encapsulation.MPU,
		MemoryLimit: c.MemoryLimit, FwMark: c.FwMark,
	}
}

// NewStepJSON turns a step into what is printed.
func NewStepJSON(s Step) StepJSON {
	j := StepJSON{Action: s.Action.String(), Object: s.Object.Name(), Device: s.Object.Device(), Note: s.Note}
	for _, a := range s.Attributes {
		j.Attributes = append(j.Attributes, AttributeJSON(a))
	}
	return j
}
