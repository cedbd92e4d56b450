package plan

import "slices"

// Owned lists the devices on which sqmctl installed something: a root qdisc,
// a redirect, or an IFB for their download, even if the device itself has gone.
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
	return names
}
