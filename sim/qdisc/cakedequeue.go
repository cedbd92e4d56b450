package qdisc

// Dequeue is Qdisc's.
func (q *Cake) Dequeue(now int64) (Packet, bool) {
	first := true
	for q.packets > 0 && (q.next <= now || q.failsafe <= now) {
		t := q.chooseTin(now)
		if t == nil {
			break
		}
		if p := q.serve(t, now, &first); p != nil {
			if q.longest.turns > 0 {
				q.longest.turns--
			}
			return *p, true
		}
	}
	return Packet{}, false
}

// serve gives the turn to the queues of a tin until one of them sends, or is
// found empty; then it returns nil, and a tin has to be chosen again.
func (q *Cake) serve(t *tin, now int64, first *bool) *Packet {
	for {
		i, list, ok := t.turn(*first)
		*first = false
		if !ok {
			return nil
		}
		f := &t.flows[i]
		if f.deficit <= 0 {
			q.endTurn(t, list, i)
			continue
		}
		p, again := q.fromQueue(t, i, now)
		if again {
			continue
		}
		if p == nil {
			q.rest(t, list, i, now)
			return nil
		}
		charged := q.advance(t, p, now, false)
		f.deficit -= charged
		t.deficit -= charged
		return p
	}
}

// endTurn puts a queue behind the bulk ones, with as many quanta as it takes
// until it may send, for the rounds in which it gets them. One that is
// sparse has sent too much for that, unless it is empty by now.
func (q *Cake) endTurn(t *tin, list *cakeList, i uint16) {
	f := &t.flows[i]
	if f.set == sparse {
		if f.head != 0 {
			t.becomeBulk(f, q.sides)
		} else {
			f.set = sparseWait
		}
	}
	ahead := q.ahead(t, q.refill(t, f))
	if list == nil {
		t.old.again(ahead)
		return
	}
	t.remove(list, i)
	t.old.push(i, ahead)
}

// fromQueue takes a packet that COBALT lets pass, nil if there is none. The
// last one in the queue passes always. With ingress a drop costs as much as a
// packet sent, so the turn may be another queue's now: again.
func (q *Cake) fromQueue(t *tin, i uint16, now int64) (p *Packet, again bool) {
	f := &t.flows[i]
	sharers := 0
	if q.options.Ingress {
		sharers = t.bulk
	}
	for f.head != 0 {
		p := q.buffer.pop(&f.queue)
		q.count(t, f, p, -1)
		if q.longest.turns > 0 {
			q.longest.down(int(t.place[i]))
		}
		drop, marked := f.drop(p, now, sharers, &t.cobaltParameters, &q.random)
		if !drop || f.head == 0 {
			if marked {
				q.signals.Marks++
			}
			return p, false
		}
		q.signals.Drops[Early]++
		if q.options.Ingress {
			charged := q.advance(t, p, now, true)
			f.deficit -= charged
			t.deficit -= charged
			return nil, true
		}
	}
	return nil, false
}

// rest takes an empty queue off its list, or puts it where COBALT's state
// comes to rest.
func (q *Cake) rest(t *tin, list *cakeList, i uint16, now int64) {
	f := &t.flows[i]
	f.empty(now, &t.cobaltParameters)
	if list == nil {
		t.old.pop()
	} else {
		t.remove(list, i)
	}
	t.leave(f, q.sides)
	if f.atRest(now) {
		f.set = unused
		return
	}
	t.append(&t.decay, i)
	f.set = decaying
}
