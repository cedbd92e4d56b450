package netlinkqdisc

import (
	"slices"

	"github.com/sqmctl/sqmctl/plan"
)

// mqAbove is the mq that has a queue as one of its own; nil if that isn't an
// mq's.
func (a *application) mqAbove(index uint32, parent plan.Handle) *message {
	if parent == plan.HandleRoot || parent == plan.HandleIngress {
		return nil
	}
	mq := a.find(index, plan.HandleRoot)
	if mq == nil || mq.kind != "mq" || mq.handle != qdiscOf(parent) {
		return nil
	}
	return mq
}

// createBelowMQ makes a qdisc in the place of the kernel's own below an mq, as
// after a queue was added to the device. No request makes that one again but
// that for a new mq, so the undo makes the mq again with all that was on it.
func (a *application) createBelowMQ(o *plan.Qdisc, mq *message) error {
	was, err := a.treeAt(mq)
	if err != nil {
		return err
	}
	if err := a.k.createQdisc(o, mq.index); err != nil {
		return err
	}
	a.undo.add(o.Name(), func() error {
		if err := a.k.deleteQdisc(mq.index, mq.handle, mq.parent); err != nil {
			return err
		}
		return a.k.again(was)
	})
	return nil
}

// treeAt is what take takes, and leaves it where it is.
func (a *application) treeAt(top *message) (*tree, error) {
	before := a.was.qdiscs
	t, err := a.take(top.index, top.parent)
	a.was.qdiscs = slices.Clone(before)
	return t, err
}
