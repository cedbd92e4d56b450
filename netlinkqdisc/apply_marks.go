package netlinkqdisc

import (
	"errors"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// marks makes the filters that pick a class, in the place of all that are there.
func (a *application) marks(s *plan.Step, o *plan.Marks) error {
	index, err := a.device(o.Link)
	if err != nil {
		return err
	}
	switch s.Action {
	case plan.Create:
	case plan.Replace:
		if err := a.clearMarks(o, index); err != nil {
			return err
		}
	default:
		return errImpossible(s)
	}
	done, err := a.k.sendAll(marksRequests(o, index))
	if done > 0 {
		a.undo.add(o.Name(), func() error { return a.k.deleteFilters(index, o.Parent, marksInfo(o)) })
	}
	if part := (*partError)(nil); errors.As(err, &part) { // the step's error names them already
		return part.cause
	}
	return err
}

// clearMarks deletes every filter at an HTB of ours.
func (a *application) clearMarks(o *plan.Marks, index uint32) error {
	for i := range a.was.marks {
		l := &a.was.marks[i]
		if l.index != index || l.parent != o.Parent {
			continue
		}
		had := l.messages
		if err := a.k.send(unix.RTM_DELTFILTER, 0, header(index, 0, o.Parent, 0)); err != nil {
			return err
		}
		a.undo.add(o.Name(), func() error { return a.k.restoreFilters(index, o.Parent, had) })
		return nil
	}
	return unix.ENOENT
}
