package plan

import (
	"fmt"
	"slices"

	"github.com/sqmctl/sqmctl/linklayer"
)

// simulate does steps to a copy of a state as the kernel would, refusing what
// the kernel refuses.
func simulate(found State, steps []Step) (State, error) {
	s := clone(found)
	for _, step := range steps {
		if err := s.do(step); err != nil {
			return s, fmt.Errorf("%s: %w", step, err)
		}
	}
	return s, nil
}

func clone(found State) State {
	s := State{Devices: slices.Clone(found.Devices)}
	for i := range s.Devices {
		d := &s.Devices[i]
		d.Qdiscs, d.Classes, d.Filters = slices.Clone(d.Qdiscs), slices.Clone(d.Classes), slices.Clone(d.Filters)
	}
	return s
}

func (s *State) do(step Step) error {
	switch o := step.Object.(type) {
	case *IFB:
		return s.doIFB(step.Action, o)
	case *Qdisc:
		d := s.Device(o.Link)
		if d == nil {
			return fmt.Errorf("no such device")
		}
		if o.Parent == HandleIngress {
			return d.doIngress(step.Action, o)
		}
		return d.doRoot(step.Action, o)
	case *Filter:
		d := s.Device(o.Link)
		if d == nil {
			return fmt.Errorf("no such device")
		}
		return d.doFilter(step.Action, o, s)
	}
	return fmt.Errorf("what is a %T?", step.Object)
}

func (s *State) doIFB(a Action, o *IFB) error {
	d := s.Device(o.Link)
	switch {
	case a == Create && d == nil:
		if len(o.Link) > maxNameLength {
			return fmt.Errorf("the name is too long")
		}
		s.Devices = append(s.Devices, Device{
			Name: o.Link, Kind: "ifb", Type: 1, MTU: 1500, Alias: o.Alias, Up: o.Up, TxQueues: max(1, o.Queues),
			Qdiscs: []QdiscState{defaultQdisc(o.Link)},
		})
	case a == Change && d != nil:
		d.Alias, d.Up = o.Alias, o.Up
	case a == Delete && d != nil:
		s.Devices = slices.DeleteFunc(s.Devices, func(d Device) bool { return d.Name == o.Link })
		for i := range s.Devices {
			for j := range s.Devices[i].Filters {
				if f := &s.Devices[i].Filters[j]; f.Redirect == o.Link {
					f.Redirect = Gone
				}
			}
		}
	default:
		return fmt.Errorf("is there: %t", d != nil)
	}
	return nil
}

func (d *Device) doIngress(a Action, o *Qdisc) error {
	there := d.At(HandleIngress)
	switch {
	case a == Create && there == nil:
		d.Qdiscs = append(d.Qdiscs, QdiscState{Qdisc: *o})
	case a == Delete && there != nil:
		d.Qdiscs = slices.DeleteFunc(d.Qdiscs, func(q QdiscState) bool { return q.Parent == HandleIngress })
		d.Filters = nil
	default:
		return fmt.Errorf("is there: %t", there != nil)
	}
	return nil
}

func (d *Device) doRoot(a Action, o *Qdisc) error {
	there := d.At(HandleRoot)
	if a == Delete {
		if there == nil || there.Handle == 0 {
			return fmt.Errorf("there is only the default qdisc")
		}
		d.Qdiscs = slices.DeleteFunc(d.Qdiscs, func(q QdiscState) bool { return q.Parent != HandleIngress })
		d.Qdiscs, d.Classes = append(d.Qdiscs, defaultQdisc(d.Name)), nil
		return nil
	}
	if o.Kind == "cake_mq" && d.TxQueues == 1 {
		return fmt.Errorf("operation not supported")
	}
	same := there != nil && there.Handle == o.Handle
	switch {
	case (a == Change) != same:
		return fmt.Errorf("the handle %s is that of the root: %t", o.Handle, same)
	case same && there.Kind != o.Kind:
		return fmt.Errorf("invalid qdisc name")
	case !same && d.hasHandle(o.Handle):
		return fmt.Errorf("the kernel would move the qdisc %s", o.Handle)
	case (a == Replace) != (there != nil && there.Handle != 0 && !same):
		return fmt.Errorf("a foreign root is there: %t", a != Replace)
	}
	if !same {
		d.Qdiscs = slices.DeleteFunc(d.Qdiscs, func(q QdiscState) bool { return q.Parent != HandleIngress })
		d.Classes = nil
		d.Qdiscs = append(d.Qdiscs, QdiscState{})
		there = &d.Qdiscs[len(d.Qdiscs)-1]
	}
	there.Qdisc = asKept(*o)
	return nil
}

// asKept is what the kernel hands back.
func asKept(q Qdisc) Qdisc {
	if q.Cake != nil {
		c := *q.Cake
		c.Rate = linklayer.FromBytesPerSecond(c.Rate.BytesPerSecond())
		q.Cake = &c
	}
	return q
}

func (d *Device) doFilter(a Action, o *Filter, s *State) error {
	there := slices.IndexFunc(d.Filters, func(f FilterState) bool { return f.Chain == 0 && f.Priority == o.Priority })
	switch {
	case a == Delete && there >= 0:
		d.Filters = slices.DeleteFunc(d.Filters, func(f FilterState) bool { return f.Chain == 0 && f.Priority == o.Priority })
		return nil
	case a != Create || there >= 0:
		return fmt.Errorf("the priority is taken: %t", there >= 0)
	}
	ingress := d.At(HandleIngress)
	parents := map[string]Handle{"ingress": HandleIngressQdisc, "clsact": HandleClsactIngress}
	if ingress == nil || parents[ingress.Kind] != o.Parent {
		return fmt.Errorf("no such parent")
	}
	if target := s.Device(o.Redirect); target == nil || !target.Up {
		return fmt.Errorf("packets would be lost: %s isn't up", o.Redirect)
	}
	d.Filters = append(d.Filters, FilterState{Filter: *o, Handle: 1})
	return nil
}
