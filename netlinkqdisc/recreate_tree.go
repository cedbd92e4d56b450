package netlinkqdisc

import (
	"slices"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// tree is a qdisc and all that hangs on it.
type tree struct {
	qdiscs  []message // the one at the top first
	classes []message
	filters []filterList
}

// requests make the tree again: qdiscs and classes, each after what it hangs
// on, then filters, which may name classes.
func (t *tree) requests() []request {
	var all []request
	for _, m := range t.inOrder() {
		if m.isClass {
			all = append(all, request{m.object("class"), unix.RTM_NEWTCLASS, unix.NLM_F_CREATE | unix.NLM_F_EXCL, classAgain(m.message)})
		} else {
			all = append(all, request{m.object("qdisc"), unix.RTM_NEWQDISC, unix.NLM_F_CREATE | unix.NLM_F_REPLACE, qdiscAgain(m.message)})
		}
	}
	for i := range t.filters {
		all = append(all, filtersAgain(byPriority(t.filters[i].messages))...)
	}
	return all
}

// node is a qdisc or a class.
type node struct {
	*message
	isClass bool
}

// inOrder sorts qdiscs and classes from the top down. What hangs on nothing
// that is there comes last, and fails where it can be seen.
func (t *tree) inOrder() []node {
	var waiting []node
	for i := range t.qdiscs {
		waiting = append(waiting, node{&t.qdiscs[i], false})
	}
	for i := range t.classes {
		if t.classes[i].handle.Minor() != 0 { // HFSC's own comes with it
			waiting = append(waiting, node{&t.classes[i], true})
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	sorted := []node{waiting[0]}
	waiting = waiting[1:]
	for len(waiting) > 0 {
		ready := func(n node) bool { return t.canHang(n, sorted) }
		i := max(slices.IndexFunc(waiting, ready), 0)
		sorted = append(sorted, waiting[i])
		waiting = slices.Delete(waiting, i, i+1)
	}
	return sorted
}

// canHang says whether what a qdisc or class hangs on is there. The kernel
// says of a class at the top of a qdisc that it hangs on the root. A class that
// isn't in the tree comes with its qdisc, as a band of prio.
func (t *tree) canHang(n node, there []node) bool {
	parent := n.parent
	if n.isClass && parent == plan.HandleRoot {
		parent = qdiscOf(n.handle)
	}
	made := func(m message) bool { return m.handle == parent }
	if !slices.ContainsFunc(t.classes, made) {
		parent = qdiscOf(parent)
	}
	return slices.ContainsFunc(there, func(o node) bool { return o.handle == parent })
}

func qdiscOf(h plan.Handle) plan.Handle { return h &^ 0xFFFF }
