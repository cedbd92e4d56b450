package plan

import "github.com/sqmctl/sqmctl/linklayer"

// Plan is what the kernel should hold, link by link.
type Plan struct {
	Links []Link
}

// Link is what one line should look like. A nil direction is left alone.
type Link struct {
	Interface string
	Title     string // the access technology, for people
	On        string // what the device is, for people: "a PPP device"
	Server    bool   // there is no line: Egress has no rate, and Ingress is nil
	Egress    *Shaper
	Ingress   *Shaper
	Unshaped  [2]string     // by Direction: why it is left alone on purpose; "" if it isn't
	Problem   *ProblemError // why it can't be planned, with both directions nil; nil if it can
}

// Shaper is one direction: a qdisc, and for the way in the redirect to it. A
// server's has no rate.
type Shaper struct {
	Direction linklayer.Direction
	Invoice   linklayer.Rate // what the provider sells; the line gives about this
	Qdisc     Qdisc
	Classes   []*Class // of HTB, the one with the whole rate first; none for CAKE
	Leaves    []*Qdisc // below the last classes, that of the default class first; or below an mq, by queue
	Cakes     int      // of cake_mq, one for each transmit queue; 0 for any other, and if the device isn't there yet
	Marks     *Marks   // what picks the class; nil if there is one only
	IFB       *IFB     // ingress only
	Redirect  *Filter  // ingress only
	Reasons   []Reason
}

// Reason says why one attribute has its value.
type Reason struct {
	Attribute string // tc's word: "bandwidth", "nat"
	Value     string // in tc's spelling, as in Words
	Why       string // one sentence
	Line      int    // of the profile; 0 when it is a default
}

// Shapers are the directions that are shaped, egress first.
func (l *Link) Shapers() []*Shaper {
	var all []*Shaper
	for _, s := range []*Shaper{l.Egress, l.Ingress} {
		if s != nil {
			all = append(all, s)
		}
	}
	return all
}
