package plan

// What a kernel shows is all there is. What somebody pasted may lack much, and
// lacking is not absent: no filter was printed, or there is none. The types here
// say which parts were not shown; their zero values are a kernel's.

// DeviceUnknown is what was not shown of a device.
type DeviceUnknown struct {
	Link     bool // all but its name; it is taken to be up
	Counters bool
	Filters  bool // of the way in
	Classes  bool
	Marks    bool // at an HTB of ours
	Rounded  bool // its qdiscs and classes have the figures that tc prints as text: times have three digits, rates four or more; bursts are cut off, an inner class has no quantum and no prio
}

// QdiscUnknown is what was not shown of a qdisc.
type QdiscUnknown struct {
	Options bool // its kind is known, the rest not
	Stab    bool // whether it has a size table
	Stats   bool
}
