package plan

import "fmt"

// diffRoot compares the root qdisc of a device, which is nil if it is still to
// be made. A qdisc with handle 0 is one that the kernel put there by itself
// and puts there again when ours goes.
func diffRoot(want *Qdisc, device *Device) []Step {
	var found *QdiscState
	if device != nil {
		found = device.At(HandleRoot)
	}
	switch {
	case found == nil || found.Handle == 0:
		return []Step{{Action: Create, Object: want}}
	case found.Kind != want.Kind || found.Handle != want.Handle:
		return []Step{{Action: Replace, Object: want, Was: &found.Qdisc, Note: replaceNote(found, device)}}
	}
	differ := diffOptions(&found.Qdisc, want)
	if len(differ) == 0 {
		return nil
	}
	return []Step{{Action: Change, Object: want, Was: &found.Qdisc, Attributes: differ}}
}

// diffOptions compares two qdiscs of one kind. A change request without a size
// table removes the one that is there (qdisc_change in the kernel's
// net/sched/sch_api.c), so that too is changed in place.
func diffOptions(was, want *Qdisc) []Attribute {
	var differ []Attribute
	if wanted, have := want.options(), was.options(); len(have) == len(wanted) {
		differ = differing(have, wanted)
	} else { // what was there couldn't be read
		differ = differing(want.blank().options(), wanted)
	}
	if a, b := stabWords(was.Stab), stabWords(want.Stab); a != b {
		differ = append(differ, Attribute{"stab", a, b})
	}
	return differ
}

func stabWords(s *Stab) string {
	if s == nil {
		return "none"
	}
	return s.words()
}

// replaceNote says what is lost: "replaces htb 1: with 4 classes, which sqmctl
// did not install".
func replaceNote(found *QdiscState, device *Device) string {
	note := fmt.Sprintf("replaces %s %s", found.Kind, found.Handle)
	switch n := countClasses(found.Handle, device); n {
	case 0:
	case 1:
		note += " with 1 class"
	default:
		note += fmt.Sprintf(" with %d classes", n)
	}
	if found.Handle.Owned() {
		return note + ", which can't be changed in place"
	}
	return note + ", which sqmctl did not install"
}

func countClasses(qdisc Handle, device *Device) int {
	n := 0
	for _, c := range device.Classes {
		if c.Handle.Major() == qdisc.Major() {
			n++
		}
	}
	return n
}

// blank is a qdisc of the same kind with all its options zero.
func (q *Qdisc) blank() *Qdisc {
	b := &Qdisc{Kind: q.Kind}
	switch {
	case q.Cake != nil:
		b.Cake = &Cake{}
	case q.HTB != nil:
		b.HTB = &HTB{}
	case q.FQCodel != nil:
		b.FQCodel = &FQCodel{}
	case q.FQ != nil:
		b.FQ = &FQ{}
	}
	return b
}
