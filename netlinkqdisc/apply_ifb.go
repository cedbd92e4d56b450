package netlinkqdisc

import (
	"fmt"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

func (a *application) ifb(s *plan.Step, o *plan.IFB) error {
	switch s.Action {
	case plan.Create:
		return a.createIFB(o)
	case plan.Change:
		return a.changeIFB(o, s.Was)
	case plan.Delete:
		return a.deleteIFB(o)
	}
	return errImpossible(s)
}

func (a *application) createIFB(o *plan.IFB) error {
	if err := a.k.createIFB(o); err != nil {
		return err
	}
	a.undo.add(o.Name(), func() error { return a.k.deleteLink(o.Link) })
	index, err := a.k.linkIndex(o.Link)
	if err != nil {
		return err
	}
	a.index[o.Link] = index
	return a.k.setLink(index, o)
}

func (a *application) changeIFB(o *plan.IFB, was plan.Object) error {
	index, err := a.device(o.Link)
	if err != nil {
		return err
	}
	l := a.link(index)
	if l == nil {
		return unix.ENODEV
	}
	before, ok := was.(*plan.IFB)
	if !ok {
		return fmt.Errorf("%s: what it was before is not known", o.Name())
	}
	virgin := !a.hasRoot(index)
	if err := a.k.setLink(index, o); err != nil {
		return err
	}
	a.undo.add(o.Name(), func() error {
		if !virgin {
			return a.k.setLink(index, before)
		}
		// A device gets its first qdisc when it first comes up, and nothing but
		// a new device is without one.
		if err := a.k.deleteLink(o.Link); err != nil {
			return err
		}
		return a.k.restoreIFB(l)
	})
	return nil
}

// link is a device as it was; nil if it wasn't there.
func (a *application) link(index uint32) *link {
	for i := range a.was.links {
		if a.was.links[i].index == index {
			return &a.was.links[i]
		}
	}
	return nil
}

// hasRoot says whether a device has a root qdisc, if only the kernel's default.
func (a *application) hasRoot(index uint32) bool {
	return slices.ContainsFunc(a.was.qdiscs, func(m message) bool {
		return m.index == index && m.parent == plan.HandleRoot
	})
}

func (a *application) deleteIFB(o *plan.IFB) error {
	index, err := a.device(o.Link)
	if err != nil {
		return err
	}
	l := a.link(index)
	if l == nil {
		return unix.ENODEV
	}
	trees := make([]*tree, 2)
	for n, parent := range []plan.Handle{plan.HandleRoot, plan.HandleIngress} {
		if trees[n], err = a.take(index, parent); err != nil {
			return err
		}
	}
	if err := a.k.deleteLink(o.Link); err != nil {
		return err
	}
	a.undo.add(o.Name(), func() error {
		if err := a.k.restoreIFB(l); err != nil {
			return err
		}
		return a.k.again(trees...)
	})
	return nil
}
