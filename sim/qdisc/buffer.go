package qdisc

// buffer is the memory of the packets of many queues: one slice, which grows
// as it must and whose places are used again, the last freed first. So the
// packets of a short queue stay in the cache, however many flows take turns.
type buffer struct {
	slots []slot
	free  uint32 // the first free slot; 0 is none, as is slot 0
}

type slot struct {
	Packet
	next uint32 // in its queue, or of the free ones; 0 ends
}

// queue is a first-in first-out queue in a buffer. The zero value is empty.
type queue struct{ head, tail uint32 }

// push appends a packet to a queue.
func (b *buffer) push(q *queue, p *Packet) {
	i := b.free
	if i == 0 {
		i = b.grow()
	}
	s := &b.slots[i]
	b.free = s.next
	s.Packet = *p
	s.next = 0
	if q.head == 0 {
		q.head = i
	} else {
		b.slots[q.tail].next = i
	}
	q.tail = i
}

// grow doubles the memory and returns the first new slot.
func (b *buffer) grow() uint32 {
	had := max(1, len(b.slots))
	slots := make([]slot, max(64, 2*had))
	copy(slots, b.slots)
	for i := had; i < len(slots)-1; i++ {
		slots[i].next = uint32(i + 1)
	}
	b.slots, b.free = slots, uint32(had)
	return uint32(had)
}

// pop takes the oldest packet, which stays where it is returned until the next
// push. The queue must hold one.
func (b *buffer) pop(q *queue) *Packet {
	i := q.head
	s := &b.slots[i]
	q.head = s.next
	s.next, b.free = b.free, i
	return &s.Packet
}

// remove takes out the packet behind another one (0: behind none, the head).
func (b *buffer) remove(q *queue, previous uint32) *Packet {
	if previous == 0 {
		return b.pop(q)
	}
	i := b.slots[previous].next
	s := &b.slots[i]
	b.slots[previous].next = s.next
	if q.tail == i {
		q.tail = previous
	}
	s.next, b.free = b.free, i
	return &s.Packet
}

// memory is what the kernel counts for a packet (skb->truesize): the headers'
// buffer and, for segments of TCP, the payload in pages beside it. A datagram
// is all in one buffer, which the allocator rounds up.
func memory(p *Packet) int {
	const headers, frame = 960, 66
	if p.Kind == Data {
		return headers + max(0, int(p.Size)-frame)
	}
	return headers
}
