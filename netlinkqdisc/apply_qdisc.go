package netlinkqdisc

import (
	"slices"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

func (a *application) qdisc(s *plan.Step, o *plan.Qdisc) error {
	index, err := a.device(o.Link)
	if err != nil {
		return err
	}
	switch s.Action {
	case plan.Create, plan.Replace:
		return a.createQdisc(o, index)
	case plan.Change:
		return a.changeQdisc(o, index)
	case plan.Delete:
		return a.deleteQdisc(o, index)
	}
	return errImpossible(s)
}

// createQdisc also replaces: the kernel does both in the same way. The undo of
// a mere create is a delete, after which the kernel puts its default back. But
// below an mq it puts nothing back, and that queue drops all packets (mq_graft
// in the kernel's net/sched/sch_mq.c).
func (a *application) createQdisc(o *plan.Qdisc, index uint32) error {
	if mq := a.mqAbove(index, o.Parent); mq != nil && a.find(index, o.Parent) == nil {
		return a.createBelowMQ(o, mq)
	}
	was, err := a.take(index, o.Parent)
	if err != nil {
		return err
	}
	if err := a.k.createQdisc(o, index); err != nil {
		return err
	}
	a.undo.add(o.Name(), func() error {
		if len(was.qdiscs) > 0 {
			return a.k.again(was)
		}
		return a.k.deleteQdisc(index, o.Handle, o.Parent)
	})
	return nil
}

func (a *application) changeQdisc(o *plan.Qdisc, index uint32) error {
	was := a.find(index, o.Parent)
	if was == nil {
		return unix.ENOENT
	}
	if err := a.k.changeQdisc(o, index); err != nil {
		return err
	}
	a.undo.add(o.Name(), func() error {
		return a.k.send(unix.RTM_NEWQDISC, unix.NLM_F_REPLACE, qdiscBack(was))
	})
	return nil
}

func (a *application) deleteQdisc(o *plan.Qdisc, index uint32) error {
	was, err := a.take(index, o.Parent)
	if err != nil {
		return err
	}
	if err := a.k.deleteQdisc(index, o.Handle, o.Parent); err != nil {
		return err
	}
	a.undo.add(o.Name(), func() error { return a.k.again(was) })
	return nil
}

// again makes trees again.
func (k *Kernel) again(trees ...*tree) error {
	for _, t := range trees {
		if _, err := k.sendAll(t.requests()); err != nil {
			return err
		}
	}
	return nil
}

// find is the qdisc at a parent; nil if there is none but the kernel's own,
// which has no handle.
func (a *application) find(index uint32, parent plan.Handle) *message {
	for i := range a.was.qdiscs {
		q := &a.was.qdiscs[i]
		if q.index == index && q.parent == parent && q.handle != 0 {
			return q
		}
	}
	return nil
}

// take moves the tree at a parent out of what is there. It is empty if the
// qdisc there is the kernel's own.
func (a *application) take(index uint32, parent plan.Handle) (*tree, error) {
	top := a.find(index, parent)
	if top == nil {
		return &tree{}, nil
	}
	t := &tree{qdiscs: []message{*top}}
	inside := map[plan.Handle]bool{top.handle: true}
	for grown := true; grown; {
		grown = false
		for _, q := range a.was.qdiscs {
			if q.index == index && q.handle != 0 && !inside[q.handle] && hangsOn(q.parent, inside) {
				inside[q.handle], grown = true, true
				t.qdiscs = append(t.qdiscs, q)
			}
		}
	}
	belongs := func(m message) bool { return m.index == index && inside[qdiscOf(m.handle)] }
	for _, c := range a.was.classes {
		if belongs(c) {
			t.classes = append(t.classes, c)
		}
	}
	if err := a.takeFilters(t, index); err != nil {
		return nil, err
	}
	a.was.qdiscs = slices.DeleteFunc(slices.Clone(a.was.qdiscs), belongs)
	return t, nil
}

// hangsOn says whether a parent is one of these qdiscs or a class of theirs. The
// major of the root and of the way in, ffff:, is not a qdisc's there.
func hangsOn(parent plan.Handle, qdiscs map[plan.Handle]bool) bool {
	return parent != plan.HandleRoot && parent != plan.HandleIngress && qdiscs[qdiscOf(parent)]
}

// takeFilters moves the filters of a tree out of what is there, and asks for
// those that a snapshot leaves out: all but the ones of the way in.
func (a *application) takeFilters(t *tree, index uint32) error {
	known := map[plan.Handle]bool{}
	for i, l := range a.was.filters {
		if _, ok := ingressParents[t.qdiscs[0].kind]; ok && l.index == index {
			known[l.parent] = true
			t.filters = append(t.filters, l)
			a.was.filters[i].messages = nil
		}
	}
	for _, parent := range filterParents(t) {
		if known[parent] {
			continue
		}
		l, err := a.k.filtersAt(a.was, index, parent)
		if err != nil {
			return err
		}
		t.filters = append(t.filters, l)
	}
	return nil
}

// filterParents is every place in a tree that can have filters.
func filterParents(t *tree) []plan.Handle {
	const clsactEgress = 0xFFFFFFF3 // TC_H_MIN_EGRESS
	var all []plan.Handle
	for _, q := range t.qdiscs {
		switch q.kind {
		case "clsact":
			all = append(all, plan.HandleClsactIngress, clsactEgress)
		default:
			all = append(all, q.handle)
		}
	}
	for _, c := range t.classes {
		if c.handle.Minor() != 0 {
			all = append(all, c.handle)
		}
	}
	return all
}
