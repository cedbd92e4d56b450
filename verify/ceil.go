package verify

import (
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// busiestCeil is the most that HTB's classes let through of what one leaf, with
// nearly all of the packets, sends: a class that may not borrow all of its
// parent's rate is where these wait. 0 if there is none.
func (d *direction) busiestCeil() linklayer.Rate {
	const nearlyAll = 0.9
	before, device := d.queued(&d.samples[0]), d.queued(d.last())
	var all, most uint64
	var busiest *plan.ClassState
	for _, c := range leafClasses(device) {
		first := classIn(before, c.Handle)
		if first == nil {
			continue
		}
		bytes := delta(first.Stats.Bytes, c.Stats.Bytes)
		all += bytes
		if bytes > most {
			most, busiest = bytes, c.ClassState
		}
	}
	if busiest == nil || float64(most) < nearlyAll*float64(all) {
		return 0
	}
	var ceil linklayer.Rate
	for c := busiest; c != nil; c = classIn(device, c.Parent) {
		ceil = lowerOf(ceil, c.Ceil)
	}
	return ceil
}

// lowerOf is the lower of two rates, of which 0 is none.
func lowerOf(a, b linklayer.Rate) linklayer.Rate {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
