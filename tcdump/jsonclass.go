package tcdump

import "github.com/sqmctl/sqmctl/plan"

// readClassObject reads a class of tc -j. Older versions, such as 6.1, print with
// -j what they print without it.
func (r *reader) readClassObject(o object) bool {
	handle, ok := parseHandle(o.text("handle"))
	if !ok {
		return false
	}
	kind := o.text("class")
	if !classful[kind] {
		return true
	}
	c := &plan.ClassState{Kind: kind, Handle: handle}
	c.Parent, _ = parseHandle(o.text("parent"))
	c.Leaf, _ = parseHandle(o.text("leaf"))
	if o.truth("root") {
		c.Parent = plan.HandleRoot
	}
	if kind == "htb" {
		c.HTB = htbClassOf(o)
		c.Rate, c.Ceil = c.HTB.Rate, c.HTB.Ceil
	}
	if counts := o.inner("stats"); counts != nil {
		c.Stats = statsOf(counts)
	} else {
		c.Stats = statsOf(o)
	}
	device := r.listed("class").device
	if name := o.text("dev"); name != "" {
		device = name
	}
	r.objects++
	r.addClass(c, device)
	return true
}

// htbClassOf reads the options of an HTB class, which are between its other keys,
// or below "options".
func htbClassOf(o object) *plan.HTBClass {
	if inner := o.inner("options"); inner != nil {
		o = inner
	}
	return &plan.HTBClass{
		Rate: rateOf(o, "rate"), Ceil: rateOf(o, "ceil"), Burst: o.int("burst"), CBurst: o.int("cburst"),
		Quantum: o.int("quantum"), Priority: o.int("prio"),
	}
}
