package qdisc

// Ring is a first-in first-out queue of packets that grows as it must and
// reuses its memory. The zero value is empty.
type Ring struct {
	packets    []Packet // a power of two of them
	head, tail uint32   // count on; the index is the lower bits
	bytes      int
}

// Len is the number of packets.
func (r *Ring) Len() int { return int(r.tail - r.head) }

// Bytes is the sum of their frames' sizes.
func (r *Ring) Bytes() int { return r.bytes }

// Push appends a packet.
func (r *Ring) Push(p Packet) {
	if int(r.tail-r.head) == len(r.packets) {
		r.grow()
	}
	r.packets[r.tail&uint32(len(r.packets)-1)] = p
	r.tail++
	r.bytes += int(p.Size)
}

func (r *Ring) grow() {
	larger := make([]Packet, max(16, 2*len(r.packets)))
	n := r.tail - r.head
	for i := range n {
		larger[i] = *r.at(i)
	}
	r.packets, r.head, r.tail = larger, 0, n
}

// at is the i-th packet from the head.
func (r *Ring) at(i uint32) *Packet {
	return &r.packets[(r.head+i)&uint32(len(r.packets)-1)]
}

// Head is the oldest packet. There must be one.
func (r *Ring) Head() *Packet { return r.at(0) }

// Pop takes the oldest packet. There must be one.
func (r *Ring) Pop() (p Packet) {
	r.Take(&p)
	return p
}

// Take is Pop into a packet.
func (r *Ring) Take(p *Packet) {
	*p = r.packets[r.head&uint32(len(r.packets)-1)]
	r.head++
	r.bytes -= int(p.Size)
}

// Last is the newest packet. There must be one.
func (r *Ring) Last() *Packet { return r.at(r.tail - r.head - 1) }

// PushAt puts a copy of a packet, with that moment for Enqueued, in its place
// by moment, which is nearly always the end.
func (r *Ring) PushAt(p *Packet, at int64) {
	if int(r.tail-r.head) == len(r.packets) {
		r.grow()
	}
	i := r.tail
	r.tail++
	r.bytes += int(p.Size)
	mask := uint32(len(r.packets) - 1)
	for ; i != r.head && r.packets[(i-1)&mask].Enqueued > at; i-- {
		r.packets[i&mask] = r.packets[(i-1)&mask]
	}
	slot := &r.packets[i&mask]
	*slot = *p
	slot.Enqueued = at
}
