package netlinkqdisc

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// Apply does the steps in their order. If one fails, everything done is taken
// back and the error, an *Error, names the step: all is then as it was before,
// down to handles and indices. If that fails too, the error holds an
// *UndoError. Otherwise the Undo takes the steps back later.
//
// It reads the kernel first: what a step replaces or deletes has to be known
// in full to be made again.
func (k *Kernel) Apply(steps []plan.Step) (*Undo, error) {
	s, err := k.snapshot()
	if err != nil {
		return nil, fmt.Errorf("read the kernel's devices and qdiscs: %w", err)
	}
	a := newApplication(k, s)
	if err := a.all(steps); err != nil {
		return nil, a.undo.failed(err)
	}
	return a.undo, nil
}

// application is one run of Apply.
type application struct {
	k     *Kernel
	was   *snapshot         // what is there, as long as it isn't ours
	index map[string]uint32 // of devices
	undo  *Undo
	u32   bool // a redirect had to be a u32
}

func newApplication(k *Kernel, s *snapshot) *application {
	a := &application{k: k, was: s, index: map[string]uint32{}, undo: &Undo{}}
	for index, name := range s.names {
		a.index[name] = index
	}
	return a
}

func (a *application) all(steps []plan.Step) error {
	for i := 0; i < len(steps); {
		if n := treeSteps(steps[i:]); n > 1 {
			if failed, err := a.tree(steps[i : i+n]); err != nil {
				return failure(&steps[i+failed], err)
			}
			i += n
			continue
		}
		if err := a.step(&steps[i]); err != nil {
			return failure(&steps[i], err)
		}
		i++
	}
	return nil
}

func (a *application) step(s *plan.Step) error {
	switch o := s.Object.(type) {
	case *plan.IFB:
		return a.ifb(s, o)
	case *plan.Qdisc:
		return a.qdisc(s, o)
	case *plan.Class:
		return a.class(s, o)
	case *plan.Marks:
		return a.marks(s, o)
	case *plan.Filter:
		return a.filter(s, o)
	}
	return errImpossible(s)
}

// errImpossible is a step that no kernel offers and plan never asks for.
func errImpossible(s *plan.Step) error {
	return fmt.Errorf("there is no way to %s a %T", s.Action, s.Object)
}

// device is the index of a device, or ENODEV.
func (a *application) device(name string) (uint32, error) {
	index, ok := a.index[name]
	if !ok {
		return 0, unix.ENODEV
	}
	return index, nil
}
