package tcdump

import (
	"slices"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// finish puts together what was read.
func (r *reader) finish() Dump {
	r.settleFilters()
	r.settleClasses()
	r.settleParents()
	r.nameTargets()
	r.nameShaped()
	open, classes := r.askedFor()
	dump := Dump{Unread: r.unread, More: r.more}
	for _, d := range r.order {
		d.guess()
		d.settle()
		d.Unknown = plan.DeviceUnknown{
			Link:     !d.linked,
			Counters: !d.counted,
			Filters:  len(d.Filters) == 0 && !open[d.Name],
			Classes:  d.hasClassful() && !d.classed && !classes[d.Name],
			Marks:    slices.ContainsFunc(d.qdiscs, func(q *qdisc) bool { return q.Kind == "htb" && q.Parent == plan.HandleRoot && q.Handle.Owned() }),
			Rounded:  d.rounded,
		}
		dump.State.Devices = append(dump.State.Devices, d.Device)
	}
	r.host.tell(&dump.State)
	return dump
}

// settle makes the device's qdiscs and filters what a state has.
func (d *device) settle() {
	wayIn := plan.HandleIngressQdisc
	for _, q := range d.qdiscs {
		if q.Parent == plan.HandleIngress && q.Kind == "clsact" {
			wayIn = plan.HandleClsactIngress
		}
		if q.HTB != nil && q.bare != "" {
			q.settleDefault(d)
		}
		if q.CakeStats != nil {
			q.Stats.Marks = 0
			for i := range q.CakeStats.Tins {
				q.Stats.Marks += q.CakeStats.Tins[i].Marks
			}
		}
		q.Unknown.Stats = !q.counted
		q.Unknown.Stab = q.Stab == nil && !q.shown.details
		d.Qdiscs = append(d.Qdiscs, q.QdiscState)
	}
	for _, f := range d.filters {
		if f.isRule() {
			f.Link, f.Parent = d.Name, wayIn
			d.Filters = append(d.Filters, f.FilterState)
		}
	}
}

func (d *device) hasClassful() bool {
	return slices.ContainsFunc(d.qdiscs, func(q *qdisc) bool { return classful[q.Kind] })
}

// nameTargets adds the devices that filters send packets to: they are there, or tc
// would have no name for them.
func (r *reader) nameTargets() {
	for _, d := range slices.Clone(r.order) {
		for _, f := range d.filters {
			for _, target := range []string{f.Redirect, f.Mirror} {
				if isName(target) && target != plan.Gone && len(r.order) < mostDevices {
					r.named(target)
				}
			}
		}
	}
}

// nameShaped adds the device that an IFB is named after, where the IFB is all
// that was shown of it: "ifb4wan" belongs to wan.
func (r *reader) nameShaped() {
	for _, d := range slices.Clone(r.order) {
		name, ok := strings.CutPrefix(d.Name, "ifb4")
		if !ok || !isName(name) || len(d.qdiscs) == 0 || len(r.order) >= mostDevices {
			continue
		}
		cut := len(d.Name) == mostName
		shown := func(other *device) bool {
			return other.Name == name || cut && strings.HasPrefix(other.Name, name) || slices.ContainsFunc(other.filters, func(f *filter) bool { return f.Redirect == d.Name })
		}
		if !slices.ContainsFunc(r.order, shown) {
			r.named(name)
		}
	}
}

// askedFor are the devices of which the command lines asked for the filters of
// the way in, and for the classes: where nothing came, there is nothing. The way
// in of clsact answers to its own parent only.
func (r *reader) askedFor() (filters, classes map[string]bool) {
	filters, classes = map[string]bool{}, map[string]bool{}
	for _, l := range r.asked {
		d := r.devices[l.device]
		switch {
		case d == nil:
		case l.object == "class":
			classes[l.device] = true
		case l.object == "filter" && l.parent == plan.HandleClsactIngress:
			filters[l.device] = true
		case l.object == "filter" && l.parent == plan.HandleIngressQdisc:
			filters[l.device] = filters[l.device] || !d.hasClsact()
		}
	}
	return filters, classes
}

func (d *device) hasClsact() bool {
	return slices.ContainsFunc(d.qdiscs, func(q *qdisc) bool { return q.Parent == plan.HandleIngress && q.Kind == "clsact" })
}
