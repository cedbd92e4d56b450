package qdisc

// cakeQueues is the number of queues in a tin.
const cakeQueues = 1024

// What a queue of CAKE counts as.
const (
	unused     = iota
	sparse     // has just come, and goes first
	sparseWait // counts as sparse, but waits for its turn among the bulk ones
	bulk
	decaying // empty, and its COBALT isn't at rest yet
)

// cakeFlow is a queue of CAKE.
type cakeFlow struct {
	queue
	cobalt
	deficit             int32 // charged bytes
	bytes               uint32
	previous, next      uint16 // in its list
	source, destination uint16 // places of its hosts
	set                 uint8
}

// tin is one of CAKE's priority tins. What is large is made when the first
// packet comes.
type tin struct {
	tinSettings
	*tinTables
	fresh, decay cakeList
	old          turns
	sparse, bulk int   // flows that count as such
	next         int64 // ns: until when its priority is used up
	deficit      int32 // charged bytes
	bytes        int
}

type tinTables struct {
	flows [cakeQueues]cakeFlow
	tags  [cakeQueues]uint32 // the hash that a queue is reserved for
	hosts [2]hostTable       // sources, destinations
	place [cakeQueues]uint16 // in the heap of the longest queues
}

// cakeList is a list of queues, linked by previous and next.
type cakeList struct {
	first, last uint16
	length      int
}

func (t *tin) append(l *cakeList, i uint16) {
	if l.length == 0 {
		l.first = i
	} else {
		t.flows[l.last].next = i
		t.flows[i].previous = l.last
	}
	l.last = i
	l.length++
}

func (t *tin) remove(l *cakeList, i uint16) {
	f := &t.flows[i]
	if l.first == i {
		l.first = f.next
	} else {
		t.flows[f.previous].next = f.next
	}
	if l.last == i {
		l.last = f.previous
	} else {
		t.flows[f.next].previous = f.previous
	}
	l.length--
}

// active is the number of queues that have packets, or had just now.
func (t *tin) active() int { return t.sparse + t.bulk }

// turn is whose turn it is, and the list that it is first in: in the beginning
// one decaying queue, then the sparse queues, then the bulk ones, whose list is
// nil. It is false if there is no queue.
func (t *tin) turn(first bool) (i uint16, list *cakeList, ok bool) {
	switch {
	case first && t.decay.length > 0:
		return t.decay.first, &t.decay, true
	case t.fresh.length > 0:
		return t.fresh.first, &t.fresh, true
	case len(t.old.waiting) > 0:
		return t.old.first(), nil, true
	case t.decay.length > 0:
		return t.decay.first, &t.decay, true
	}
	return 0, nil, false
}

// leave takes a queue out of the count of its set.
func (t *tin) leave(f *cakeFlow, hosts hostSides) {
	switch f.set {
	case sparse, sparseWait:
		t.sparse--
	case bulk:
		t.bulk--
		t.countHosts(f, hosts, -1)
	}
}

// becomeBulk makes a queue one of the bulk ones.
func (t *tin) becomeBulk(f *cakeFlow, hosts hostSides) {
	t.leave(f, hosts)
	f.set = bulk
	t.bulk++
	t.countHosts(f, hosts, 1)
}
