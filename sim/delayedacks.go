package sim

import "github.com/sqmctl/sqmctl/sim/qdisc"

// delayedAcks are the moments at which receivers want to be looked at. Nearly
// all of them come in order, as all acknowledgements are delayed by as much,
// so a queue does where senders' timers need a heap. What an acknowledgement
// has overtaken stays in it until its moment and does no harm.
type delayedAcks struct {
	waiting    []delayedAck // a power of two of them
	head, tail uint32
}

type delayedAck struct {
	at   int64
	flow uint16
}

func (d *delayedAcks) slot(i uint32) *delayedAck { return &d.waiting[i&uint32(len(d.waiting)-1)] }

// next is the earliest moment; Never if there is none.
func (d *delayedAcks) next() int64 {
	if d.head == d.tail {
		return qdisc.Never
	}
	return d.slot(d.head).at
}

// pop takes the earliest one's transfer. There must be one.
func (d *delayedAcks) pop() uint16 {
	d.head++
	return d.slot(d.head - 1).flow
}

func (d *delayedAcks) add(at int64, flow uint16) {
	if int(d.tail-d.head) == len(d.waiting) {
		d.grow()
	}
	i := d.tail
	for ; i != d.head && d.slot(i-1).at > at; i-- {
		*d.slot(i) = *d.slot(i - 1)
	}
	*d.slot(i) = delayedAck{at, flow}
	d.tail++
}

func (d *delayedAcks) grow() {
	old := *d
	d.waiting = make([]delayedAck, max(64, 2*len(old.waiting)))
	for i := old.head; i != old.tail; i++ {
		*d.slot(i) = *old.slot(i)
	}
}
