package netlinkqdisc

import (
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

func (a *application) class(s *plan.Step, o *plan.Class) error {
	index, err := a.device(o.Link)
	if err != nil {
		return err
	}
	if s.Action != plan.Create && s.Action != plan.Change {
		return errImpossible(s)
	}
	was := a.findClass(index, o.Handle)
	if err := a.k.sendOne(classRequest(o, index)); err != nil {
		return err
	}
	a.undo.add(o.Name(), func() error {
		if s.Action == plan.Change && was != nil {
			return a.k.send(unix.RTM_NEWTCLASS, 0, classAgain(was))
		}
		return a.k.send(unix.RTM_DELTCLASS, 0, header(index, o.Handle, o.Parent, 0))
	})
	return nil
}

// findClass is nil for a class that isn't there.
func (a *application) findClass(index uint32, handle plan.Handle) *message {
	for i := range a.was.classes {
		if c := &a.was.classes[i]; c.index == index && c.handle == handle {
			return c
		}
	}
	return nil
}
