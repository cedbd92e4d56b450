package netlinkqdisc

import (
	"fmt"

	"github.com/florianl/go-tc"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// qdiscObject is a qdisc as go-tc takes it, for the device with an index.
func qdiscObject(q *plan.Qdisc, index uint32) (*tc.Object, error) {
	object := &tc.Object{
		Msg: tc.Msg{
			Ifindex: index,
			Handle:  uint32(q.Handle),
			Parent:  uint32(q.Parent),
		},
		Attribute: tc.Attribute{Kind: q.Kind},
	}
	switch {
	case q.Stab != nil:
		return nil, fmt.Errorf("a size table for %s can't be made yet; leave it out", q.Name())
	case q.Kind == "cake" && q.Cake != nil:
		object.Cake = cakeOptions(q.Cake)
	case q.Kind != "ingress" && q.Kind != "clsact":
		return nil, fmt.Errorf("%s can't be made yet; choose cake", q.Name())
	}
	return object, nil
}

// createQdisc makes a qdisc. At the root it takes the place of what is there,
// in one step, so that no packet goes unshaped in between; at the ingress it
// is an error if there is one.
func (k *Kernel) createQdisc(q *plan.Qdisc, index uint32) error {
	object, err := qdiscObject(q, index)
	if err != nil {
		return err
	}
	return k.change(func() error {
		if q.Parent == plan.HandleIngress {
			return k.tc.Qdisc().Add(object)
		}
		return k.tc.Qdisc().Replace(object)
	})
}

// changeQdisc changes a qdisc in place. Without NLM_F_CREATE, so that it fails
// if the qdisc has gone since it was read.
func (k *Kernel) changeQdisc(q *plan.Qdisc, index uint32) error {
	object, err := qdiscObject(q, index)
	if err != nil {
		return err
	}
	return k.change(func() error { return k.tc.Qdisc().Link(object) })
}

// deleteQdisc deletes a qdisc of any kind, which go-tc can't: it wants to know
// the options of what it deletes.
func (k *Kernel) deleteQdisc(index uint32, handle, parent plan.Handle) error {
	return k.send(unix.RTM_DELQDISC, 0, header(index, handle, parent, 0))
}
