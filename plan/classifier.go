package plan

import (
	"cmp"
	"slices"
)

// classifier is the filters of the way in that share a priority, which is what
// the kernel calls an instance of a classifier: they are of one kind and
// protocol, and a request without a filter's handle deletes them together.
type classifier struct {
	Filter // the first
	rules  []FilterState
}

// classifiers are those that packets meet, in the order in which they are
// asked. Other chains than 0 are reached only through one of these.
func (d *Device) classifiers() []classifier {
	var all []classifier
	for _, f := range d.Filters {
		if f.Chain != 0 || !f.isRule() {
			continue
		}
		i := slices.IndexFunc(all, func(c classifier) bool { return c.Priority == f.Priority })
		if i < 0 {
			all = append(all, classifier{Filter: f.Filter})
			i = len(all) - 1
		}
		all[i].rules = append(all[i].rules, f)
	}
	slices.SortStableFunc(all, func(a, b classifier) int { return cmp.Compare(a.Priority, b.Priority) })
	return all
}

// isRule tells a filter from what the kernel lists along with it: the
// classifier itself, with handle 0, and the hash tables of u32, whose handles
// have no node number.
func (f *FilterState) isRule() bool {
	if f.Redirect != "" || f.Mirror != "" {
		return true
	}
	return f.Handle != 0 && (f.Kind != "u32" || f.Handle&0xFFFFF != 0)
}

// takesAll tells whether a filter takes every packet and is of a kind that
// sqmctl uses.
func (f *FilterState) takesAll() bool {
	return f.Protocol == protocolAll && (f.Kind == "matchall" || f.Kind == "u32") && !f.Selective
}

// isOurs tells whether a filter is one that sqmctl made: it leads to an IFB
// with our mark, or it is our redirect whose IFB somebody deleted.
func (f *FilterState) isOurs(found *State) bool {
	if f.Redirect == Gone {
		return f.takesAll() && f.Priority == redirectPriority
	}
	return f.Redirect != "" && owner(found.Device(f.Redirect)) != ""
}

// RedirectTarget is the device that gets what d receives: the target of the
// first filter that hands every packet on, or if none does, every packet of a
// protocol. It is Gone if that device was deleted, and "" if there is none.
func (d *Device) RedirectTarget() string {
	var found *FilterState
	for i := range d.Filters {
		f := &d.Filters[i]
		if f.Redirect == "" || f.Selective || f.Chain != 0 {
			continue
		}
		if found == nil || f.before(found) {
			found = f
		}
	}
	if found == nil {
		return ""
	}
	return found.Redirect
}

// before tells whether a redirect decides more than another one.
func (f *FilterState) before(other *FilterState) bool {
	if all := f.Protocol == protocolAll; all != (other.Protocol == protocolAll) {
		return all
	}
	return f.Priority < other.Priority
}

// foreign are the filters of a classifier that are not ours.
func (c *classifier) foreign(found *State) []FilterState {
	var all []FilterState
	for _, f := range c.rules {
		if !f.isOurs(found) {
			all = append(all, f)
		}
	}
	return all
}

// redirectAs is the first classifier that hands everything to the device that is
// wanted, and does nothing else to it than that; nil if there is none.
func (d *Device) redirectAs(want *Filter) *classifier {
	all := d.classifiers()
	for i := range all {
		other := func(f FilterState) bool {
			return f.Redirect != want.Redirect || f.RestoreDSCP != want.RestoreDSCP || !f.takesAll()
		}
		if !slices.ContainsFunc(all[i].rules, other) {
			return &all[i]
		}
	}
	return nil
}
