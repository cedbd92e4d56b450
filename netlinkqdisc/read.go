package netlinkqdisc

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// Read reads every device with its qdiscs, the classes that people made, and
// the filters of the way in. What can't be decoded is named in Unreadable and
// stops nothing.
//
// It shows what tc qdisc show does: the qdiscs that the kernel puts below a
// class by itself (TCQ_F_INVISIBLE) are left out. They come and go with their
// class, have no handle to change them by, and would be in the way when a tree
// is made again; their packets are counted in the class.
func (k *Kernel) Read() (plan.State, error) {
	found, err := k.ReadCounters()
	if err != nil {
		return found, err
	}
	for i := range found.Devices {
		d := &found.Devices[i]
		d.Speed = readSpeed(d.Name)
		countQueues(d)
	}
	found.Memory, found.OnlineProcessors = readMemory(), readOnlineProcessors()
	found.CongestionControl, found.DefaultQdisc = readSysctl("net/ipv4/tcp_congestion_control"), readSysctl("net/core/default_qdisc")
	markPPPoE(&found)
	return found, nil
}

// ReadCounters is Read without what only files tell: the machine's memory and its
// sysctls, speeds, queues in use. It is for looking again and again.
func (k *Kernel) ReadCounters() (plan.State, error) {
	s, err := k.snapshot()
	if err != nil {
		return plan.State{}, fmt.Errorf("read the kernel's devices and qdiscs: %w", err)
	}
	return s.state(), nil
}

// snapshot asks for all devices and all qdiscs, then for classes and filters
// only where there can be some.
func (k *Kernel) snapshot() (*snapshot, error) {
	s := &snapshot{time: time.Now()}
	answers, err := k.dump(unix.RTM_GETLINK, make([]byte, linkHeader))
	if err != nil {
		return nil, err
	}
	s.addLinks(answers)
	if s.qdiscs, err = k.dumpMessages(unix.RTM_GETQDISC, header(0, 0, 0, 0), s); err != nil {
		return nil, err
	}
	for i := range s.qdiscs {
		q := &s.qdiscs[i]
		if err := k.addClasses(s, q); err != nil {
			return nil, err
		}
		if err := k.addFilters(s, q); err != nil {
			return nil, err
		}
		if err := k.addMarks(s, q); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (k *Kernel) addClasses(s *snapshot, q *message) error {
	if !classful[q.kind] || q.handle == 0 {
		return nil
	}
	found, err := k.dumpMessages(unix.RTM_GETTCLASS, header(q.index, 0, q.handle, 0), s)
	s.classes = append(s.classes, found...)
	return err
}

// ingressParents is where the filters of the way in are, by the kind of the
// qdisc at the ingress.
var ingressParents = map[string]plan.Handle{
	"ingress": plan.HandleIngressQdisc,
	"clsact":  plan.HandleClsactIngress,
}

func (k *Kernel) addFilters(s *snapshot, q *message) error {
	parent, ok := ingressParents[q.kind]
	if !ok {
		return nil
	}
	list, err := k.filtersAt(s, q.index, parent)
	s.filters = append(s.filters, list)
	return err
}

// addMarks asks for what picks a class, where it can be ours.
func (k *Kernel) addMarks(s *snapshot, q *message) error {
	if q.kind != "htb" || q.parent != plan.HandleRoot || !q.handle.Owned() {
		return nil
	}
	list, err := k.filtersAt(s, q.index, q.handle)
	s.marks = append(s.marks, list)
	return err
}

func (k *Kernel) filtersAt(s *snapshot, index uint32, parent plan.Handle) (filterList, error) {
	found, err := k.dumpMessages(unix.RTM_GETTFILTER, header(index, 0, parent, 0), s)
	return filterList{index: index, parent: parent, messages: found}, err
}

// dumpMessages dumps qdiscs, classes or filters. A device that goes during the
// dump takes its objects along; the kernel then lists none.
func (k *Kernel) dumpMessages(kind int, payload []byte, s *snapshot) ([]message, error) {
	answers, err := k.dump(kind, payload)
	if err != nil {
		return nil, err
	}
	all := make([]message, 0, len(answers))
	for _, b := range answers {
		m, err := parseMessage(b)
		if err != nil {
			s.unread = append(s.unread, m.unreadable("object", s.names.of(m.index), err))
		}
		if err != errShort {
			all = append(all, m)
		}
	}
	return all, nil
}

func (s *snapshot) addLinks(answers [][]byte) {
	for _, b := range answers {
		l, err := readLink(b)
		if err != nil {
			s.unread = append(s.unread, fmt.Sprintf("device %d %s can't be read: %v", l.index, l.device.Name, err))
		}
		if err != errShort {
			s.links = append(s.links, l)
		}
	}
	s.names = nameLinks(s.links)
}
