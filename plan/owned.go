package plan

import (
	"cmp"
	"slices"
)

// Owned lists the devices on which sqmctl installed something: a root qdisc,
// a redirect, or an IFB for their download, even if the device itself has gone.
// Those come last: a device that was renamed still sends what it receives to
// the IFB of its old name, and loses it once that is gone.
func Owned(found State) []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for i := range found.Devices {
		d := &found.Devices[i]
		if shaped := owner(d); shaped != "" {
			add(shaped)
		} else if len(teardownRoot(d)) > 0 || len(teardownFilters(d, &found)) > 0 {
			add(d.Name)
		}
	}
	slices.Sort(names)
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(absence(a, &found), absence(b, &found))
	})
	return names
}

// absence is 1 for a device that isn't there, else 0.
func absence(name string, found *State) int {
	if found.Device(name) == nil {
		return 1
	}
	return 0
}
