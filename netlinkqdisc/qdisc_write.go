package netlinkqdisc

import (
	"fmt"

	"github.com/florianl/go-tc"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// qdiscObject is a qdisc of the way in as go-tc takes it, for the device with an
// index.
func qdiscObject(q *plan.Qdisc, index uint32) (*tc.Object, error) {
	object := &tc.Object{
		Msg: tc.Msg{
			Ifindex: index,
			Handle:  uint32(q.Handle),
			Parent:  uint32(q.Parent),
		},
		Attribute: tc.Attribute{Kind: q.Kind},
	}
	if q.Kind != "ingress" && q.Kind != "clsact" {
		return nil, fmt.Errorf("%s can't be made yet; choose cake", q.Name())
	}
	return object, nil
}

// qdiscRequest makes a qdisc of those that hold packets, or replaces what is at
// its place, or changes it in place without NLM_F_CREATE. ok is false for other
// kinds.
func qdiscRequest(q *plan.Qdisc, index uint32, isNew bool) (r request, ok bool) {
	b := appendAttribute(header(index, q.Handle, q.Parent, 0), unix.TCA_KIND, append([]byte(q.Kind), 0))
	if q.Stab != nil {
		b = appendAttribute(b, unix.TCA_STAB, stabNest(q.Stab))
	}
	switch {
	case isCake(q.Kind) && q.Cake != nil: // both kinds take the same options
		b = appendAttribute(b, unix.TCA_OPTIONS, cakeOptions(q.Cake))
	case q.Kind == "htb" && q.HTB != nil:
		b = appendAttribute(b, unix.TCA_OPTIONS, htbOptions(q.HTB))
	case q.Kind == "fq_codel" && q.FQCodel != nil:
		b = appendAttribute(b, unix.TCA_OPTIONS, fqCodelOptions(q.FQCodel, isNew))
	case q.Kind == "fq" && q.FQ != nil:
		b = appendAttribute(b, unix.TCA_OPTIONS, fqOptions(q.FQ))
	case q.Kind == "mq": // has no options; the kernel gives its queues qdiscs of net.core.default_qdisc
	default:
		return request{}, false
	}
	flags := 0
	if isNew {
		flags = unix.NLM_F_CREATE | unix.NLM_F_REPLACE
	}
	return request{q.Name(), unix.RTM_NEWQDISC, flags, b}, true
}

// createQdisc makes a qdisc. At the root it takes the place of what is there,
// in one step, so that no packet goes unshaped in between; at the ingress it
// is an error if there is one.
func (k *Kernel) createQdisc(q *plan.Qdisc, index uint32) error {
	if r, ok := qdiscRequest(q, index, true); ok {
		return k.sendOne(r)
	}
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
// if the qdisc has gone since it was read. A change of HTB can only be one of
// its size table.
func (k *Kernel) changeQdisc(q *plan.Qdisc, index uint32) error {
	if q.HTB != nil || q.Kind == "mq" {
		return k.changeStab(q, index)
	}
	if r, ok := qdiscRequest(q, index, false); ok {
		return k.sendOne(r)
	}
	object, err := qdiscObject(q, index)
	if err != nil {
		return err
	}
	return k.change(func() error { return k.tc.Qdisc().Link(object) })
}

// changeStab gives a qdisc another size table, or none, and leaves its options
// alone.
func (k *Kernel) changeStab(q *plan.Qdisc, index uint32) error {
	request := appendAttribute(header(index, q.Handle, q.Parent, 0), unix.TCA_KIND, append([]byte(q.Kind), 0))
	if q.Stab != nil {
		request = appendAttribute(request, unix.TCA_STAB, stabNest(q.Stab))
	}
	return k.send(unix.RTM_NEWQDISC, 0, request)
}

// deleteQdisc deletes a qdisc of any kind, which go-tc can't: it wants to know
// the options of what it deletes.
func (k *Kernel) deleteQdisc(index uint32, handle, parent plan.Handle) error {
	return k.send(unix.RTM_DELQDISC, 0, header(index, handle, parent, 0))
}
