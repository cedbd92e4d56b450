package qdisc

// longest is a heap of CAKE's queues with the longest at the top. It is kept
// only while packets are being dropped for want of memory.
type longest struct {
	tins    []tin
	entries []uint16 // tin × 1024 + queue
	turns   int      // packets until it is given up; 0: there is none
}

// flow is the queue at a place of the heap.
func (h *longest) flow(at int) *cakeFlow {
	e := h.entries[at]
	return &h.tins[e/cakeQueues].flows[e%cakeQueues]
}

// build makes the heap if there is none.
func (h *longest) build() {
	const kept = 65535
	if h.turns == 0 {
		h.fill()
		for i := len(h.entries) / 2; i >= 0; i-- {
			h.down(i)
		}
	}
	h.turns = kept
}

func (h *longest) fill() {
	if h.entries != nil {
		return
	}
	h.entries = make([]uint16, len(h.tins)*cakeQueues)
	for i := range h.entries {
		t, queue := i%len(h.tins), i/len(h.tins)
		h.tins[t].prepare()
		h.tins[t].place[queue] = uint16(i)
		h.entries[i] = uint16(t*cakeQueues + queue)
	}
}

func (h *longest) swap(i, j int) {
	a, b := h.entries[i], h.entries[j]
	h.entries[i], h.entries[j] = b, a
	h.tins[a/cakeQueues].place[a%cakeQueues] = uint16(j)
	h.tins[b/cakeQueues].place[b%cakeQueues] = uint16(i)
}

// down puts right a queue that became shorter.
func (h *longest) down(i int) {
	for {
		most := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h.entries); child++ {
			if h.flow(child).bytes > h.flow(most).bytes {
				most = child
			}
		}
		if most == i {
			return
		}
		h.swap(i, most)
		i = most
	}
}

// up puts right a queue that became longer.
func (h *longest) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if h.flow(i).bytes <= h.flow(parent).bytes {
			return
		}
		h.swap(i, parent)
		i = parent
	}
}
