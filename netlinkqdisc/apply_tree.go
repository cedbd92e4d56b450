package netlinkqdisc

import (
	"errors"

	"github.com/sqmctl/sqmctl/plan"
)

// treeSteps is how many steps, from the first on, make a new HTB or mq and all
// that hangs on it; 1 for any other step.
func treeSteps(steps []plan.Step) int {
	root, ok := steps[0].Object.(*plan.Qdisc)
	if !ok || root.HTB == nil && root.Kind != "mq" || steps[0].Action != plan.Create && steps[0].Action != plan.Replace {
		return 1
	}
	n := 1
	for n < len(steps) && steps[n].Action == plan.Create && isBelow(steps[n].Object, root) {
		n++
	}
	return n
}

func isBelow(o plan.Object, root *plan.Qdisc) bool {
	switch o := o.(type) {
	case *plan.Class:
		return o.Link == root.Link
	case *plan.Marks:
		return o.Link == root.Link
	case *plan.Qdisc:
		return o.Link == root.Link && qdiscOf(o.Parent) == root.Handle
	}
	return false
}

// tree makes an HTB, its classes, their qdiscs and filters together, or an mq and
// the qdiscs of its queues. All of it goes with the root, so to undo it is to undo
// that.
func (a *application) tree(steps []plan.Step) (failed int, err error) {
	root := steps[0].Object.(*plan.Qdisc)
	index, err := a.device(root.Link)
	if err != nil {
		return 0, err
	}
	was, err := a.take(index, root.Parent)
	if err != nil {
		return 0, err
	}
	var all []request
	var of []int // the step of each request
	for i := range steps {
		for _, r := range belowRequests(steps[i].Object, index) {
			all, of = append(all, r), append(of, i)
		}
	}
	done, err := a.k.sendAll(all)
	if done > 0 {
		a.undo.add(root.Name(), func() error {
			if len(was.qdiscs) > 0 {
				return a.k.again(was)
			}
			return a.k.deleteQdisc(index, root.Handle, root.Parent)
		})
	}
	if part := (*partError)(nil); errors.As(err, &part) {
		return of[done], part.cause
	}
	return 0, err
}

func belowRequests(o plan.Object, index uint32) []request {
	switch o := o.(type) {
	case *plan.Class:
		return []request{classRequest(o, index)}
	case *plan.Marks:
		return marksRequests(o, index)
	case *plan.Qdisc:
		if r, ok := qdiscRequest(o, index, true); ok {
			return []request{r}
		}
	}
	return nil // it would show when all is read back
}
