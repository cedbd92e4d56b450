package netlinkqdisc

import (
	"errors"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

func (a *application) filter(s *plan.Step, o *plan.Filter) error {
	index, err := a.device(o.Link)
	if err != nil {
		return err
	}
	switch s.Action {
	case plan.Create:
		return a.createFilter(o, index)
	case plan.Delete:
		return a.deleteFilter(o, index)
	}
	return errImpossible(s)
}

// createFilter makes a redirect, as a u32 that matches everything where the
// kernel has no matchall.
func (a *application) createFilter(o *plan.Filter, index uint32) error {
	target, err := a.device(o.Redirect)
	if err != nil {
		return err
	}
	made := *o
	if list := a.filtersOf(o, index); list != nil && len(list.messages) > 0 && list.messages[0].index == index {
		made.Parent = list.messages[0].parent // the last one used is what all are listed under
	}
	err = a.k.createFilter(&made, index, target)
	var errno unix.Errno
	if made.Kind == "matchall" && errors.As(err, &errno) && noClassifier(errno, kernelText(err)) {
		made.Kind, a.u32 = "u32", true
		err = a.k.createFilter(&made, index, target)
	}
	if err != nil {
		return err
	}
	a.undo.add(o.Name(), func() error { return a.k.deleteFilters(index, made.Parent, filterInfo(&made)) })
	return nil
}

// deleteFilter deletes all filters of a priority, as plan wants it: they come
// and go together. The first one that is deleted at a place notes what all the
// place had, because u32 has to be made again as a whole.
func (a *application) deleteFilter(o *plan.Filter, index uint32) error {
	list := a.filtersOf(o, index)
	if list == nil {
		return unix.ENOENT
	}
	var gone, stay []message
	for _, m := range list.messages {
		if m.info == filterInfo(o) && unsigned(m.attribute[unix.TCA_CHAIN]) == 0 {
			gone = append(gone, m)
		} else {
			stay = append(stay, m)
		}
	}
	if len(gone) == 0 {
		return unix.ENOENT
	}
	if err := a.k.deleteFilters(gone[0].index, gone[0].parent, gone[0].info); err != nil {
		return err
	}
	had := list.messages
	list.messages = stay
	if list.noted {
		return nil
	}
	list.noted = true
	a.undo.add("filters on "+o.Link, func() error { return a.k.restoreFilters(index, o.Parent, had) })
	return nil
}

// filtersOf is the list of the place where a filter belongs; nil if there is
// no such place, as when its qdisc has just been made.
func (a *application) filtersOf(o *plan.Filter, index uint32) *filterList {
	for i := range a.was.filters {
		l := &a.was.filters[i]
		if l.index == index && l.parent == o.Parent {
			return l
		}
	}
	return nil
}
