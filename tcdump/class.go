package tcdump

import (
	"slices"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// classful are the kinds whose classes people make, as netlink's reader has it:
// those of the others say nothing that the qdisc doesn't.
var classful = map[string]bool{
	"htb": true, "hfsc": true, "drr": true, "qfq": true, "cbq": true, "dsmark": true, "atm": true,
}

// classBlock is the classes of one output, of which no line told the device.
type classBlock struct {
	number  int
	classes []*plan.ClassState
	has     map[plan.Handle]bool
}

// readClass reads the first line of a class:
//
//	class htb 1:10 parent 1:1 leaf 110: prio 0 quantum 1514 rate 810Kbit ceil 810Kbit …
//
// tc leaves out the device, which it was asked for.
func (r *reader) readClass(w []string) bool {
	if len(w) < 3 {
		return false
	}
	handle, ok := parseHandle(w[2])
	if !ok {
		return false
	}
	block := r.block
	r.leave()
	r.block = block
	if !classful[w[1]] {
		r.foreign = true
		return true
	}
	c := &plan.ClassState{Kind: w[1], Handle: handle}
	device := r.listed("class").device
	rest := readClassPlace(c, &device, w[3:])
	if c.Kind == "htb" {
		for _, unknown := range readHTBClass(c, rest) {
			r.cannotRead(r.number, unknown+" (of class htb "+c.Handle.String()+")")
		}
	}
	r.objects++
	r.addClass(c, device)
	if isName(device) {
		r.named(device).rounded = true
	}
	return true
}

// readClassPlace reads where a class is, and returns the words of its options.
func readClassPlace(c *plan.ClassState, device *string, w []string) []string {
	for len(w) > 0 {
		if w[0] == "root" {
			c.Parent, w = plan.HandleRoot, w[1:]
			continue
		}
		if len(w) < 2 {
			return w
		}
		switch w[0] {
		case "dev":
			*device = w[1]
		case "parent":
			c.Parent, _ = parseHandle(w[1])
		case "leaf":
			c.Leaf, _ = parseHandle(w[1])
		default:
			return w
		}
		w = w[2:]
	}
	return nil
}

// readHTBClass reads the options of an HTB class. An inner class has no prio, and
// quantum and what stands behind a burst's slash are printed with -d only.
func readHTBClass(c *plan.ClassState, w []string) (unknown []string) {
	c.HTB = &plan.HTBClass{}
	for i := 0; i < len(w); i++ {
		if w[i] == "prio" && i+1 < len(w) && w[i+1] == "rate" {
			continue // some old versions print no number
		}
		value, ok := "", true
		if i+1 < len(w) {
			value = w[i+1]
		}
		switch w[i] {
		case "rate":
			c.HTB.Rate, ok = parseRate(value)
		case "ceil":
			c.HTB.Ceil, ok = parseRate(value)
		case "burst":
			ok = readBytes(&c.HTB.Burst, value)
		case "cburst":
			ok = readBytes(&c.HTB.CBurst, value)
		case "quantum":
			ok = readBytes(&c.HTB.Quantum, value)
		case "prio":
			ok = readNumber(&c.HTB.Priority, value)
		case "mpu", "overhead", "linklayer", "level":
		default:
			unknown = append(unknown, w[i])
			continue
		}
		if !ok {
			unknown = append(unknown, strings.TrimSpace(w[i]+" "+value))
		}
		i++
	}
	c.Rate, c.Ceil = c.HTB.Rate, c.HTB.Ceil
	return unknown
}

func readBytes(into *int, text string) bool {
	n, ok := parseSize(text)
	*into = int(min(n, 1<<31-1))
	return ok
}

// addClass makes a class the one that the next lines are about.
func (r *reader) addClass(c *plan.ClassState, device string) {
	if isName(device) {
		d := r.named(device)
		d.classed = true
		r.counted, r.sent = &d.putClass(c).Stats, new(bool)
		return
	}
	if r.block == nil || r.block.has[c.Handle] {
		r.block = &classBlock{number: r.number, has: map[plan.Handle]bool{}}
		r.classes = append(r.classes, r.block)
	}
	r.block.classes, r.block.has[c.Handle] = append(r.block.classes, c), true
	r.counted, r.sent = &c.Stats, new(bool)
}

func (d *device) putClass(c *plan.ClassState) *plan.ClassState {
	i, ok := d.classAt[c.Handle]
	if !ok {
		i = len(d.Classes)
		d.classAt[c.Handle] = i
		d.Classes = append(d.Classes, plan.ClassState{})
	}
	d.Classes[i] = *c
	return &d.Classes[i]
}

// settleClasses gives each block of classes to the only device that they fit.
func (r *reader) settleClasses() {
	for _, b := range r.classes {
		var fits []*device
		for _, d := range r.order {
			if !slices.ContainsFunc(b.classes, func(c *plan.ClassState) bool { return !d.fits(c) }) {
				fits = append(fits, d)
			}
		}
		if len(fits) != 1 {
			r.cannotRead(b.number, "classes, and nothing says of which device: paste the command line too")
			continue
		}
		fits[0].classed = true
		for _, c := range b.classes {
			fits[0].putClass(c)
		}
	}
}

// fits tells whether a class may be on a device: its qdisc is there, and the one
// below it.
func (d *device) fits(c *plan.ClassState) bool {
	own := slices.ContainsFunc(d.qdiscs, func(q *qdisc) bool { return q.Kind == c.Kind && q.Handle.Major() == c.Handle.Major() })
	leaf := c.Leaf == 0 || slices.ContainsFunc(d.qdiscs, func(q *qdisc) bool { return q.Handle == c.Leaf && q.Parent == c.Handle })
	return own && leaf
}
