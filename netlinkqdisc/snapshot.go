package netlinkqdisc

import (
	"time"

	"github.com/sqmctl/sqmctl/plan"
)

// snapshot is what the kernel said, still as messages: an undo needs those.
type snapshot struct {
	time    time.Time
	links   []link
	names   names
	qdiscs  []message
	classes []message
	filters []filterList // of the way in
	marks   []filterList // at an HTB of ours
	unread  []string
}

// filterList is the filters at one place: the kernel lists them place by
// place, and says for each the parent that was last used for the place instead
// of the one that was asked for.
type filterList struct {
	index    uint32
	parent   plan.Handle
	messages []message
	noted    bool // an undo knows what was here
}

// state decodes a snapshot.
func (s *snapshot) state() plan.State {
	found := plan.State{Time: s.time, Unreadable: s.unread}
	at := map[uint32]int{}
	for i := range s.links {
		at[s.links[i].index] = i
		found.Devices = append(found.Devices, s.links[i].device)
	}
	device := func(index uint32) *plan.Device {
		if i, ok := at[index]; ok {
			return &found.Devices[i]
		}
		return &plan.Device{} // it came or went during the dump
	}
	note := func(m *message, object string, err error) {
		if err != nil {
			found.Unreadable = append(found.Unreadable, m.unreadable(object, s.names.of(m.index), err))
		}
	}
	for i := range s.qdiscs {
		m := &s.qdiscs[i]
		q, err := readQdisc(m, s.names)
		note(m, "qdisc", err)
		d := device(m.index)
		d.Qdiscs = append(d.Qdiscs, q)
	}
	for i := range found.Devices {
		found.Devices[i].GatherQueues()
	}
	for i := range s.classes {
		m := &s.classes[i]
		c, err := readClass(m)
		note(m, "class", err)
		d := device(m.index)
		d.Classes = append(d.Classes, c)
	}
	for i := range s.filters {
		d := device(s.filters[i].index)
		d.Filters = append(d.Filters, s.filters[i].read(s.names, note)...)
	}
	for i := range s.marks {
		if m := s.marks[i].readMarks(s.names, note); m != nil {
			d := device(s.marks[i].index)
			d.Marks = append(d.Marks, *m)
		}
	}
	return found
}

// read decodes a list of filters. Of what is no filter it keeps the head of a
// priority that has none, because such a priority is taken all the same. The
// kernel lists a head right before its filters.
func (l *filterList) read(devices names, note func(*message, string, error)) []plan.FilterState {
	var all []plan.FilterState
	for i := range l.messages {
		m := &l.messages[i]
		f, isFilter, err := readFilter(m, devices)
		note(m, "filter", err)
		f.Link, f.Parent = devices.of(l.index), l.parent
		if n := len(all); isFilter && n > 0 && isHead(&all[n-1], &f) {
			all = all[:n-1]
		}
		if isFilter || m.handle == 0 {
			all = append(all, f)
		}
	}
	return all
}

func isHead(head, f *plan.FilterState) bool {
	return head.Handle == 0 && head.Chain == f.Chain && head.Priority == f.Priority
}
