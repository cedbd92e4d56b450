package qdisc

// advance charges a packet to the clocks of its tin and of the whole, and
// returns what was charged. A packet that was dropped counts where drops come
// after the line, with ingress; the failsafe doesn't count it, so that drops
// can't stop everything (cake_advance_shaper).
func (q *Cake) advance(t *tin, p *Packet, now int64, dropped bool) int32 {
	size := q.charge.Size(p.Size)
	if q.rate == 0 {
		return int32(size)
	}
	share := t.pace.time(size)
	if t.next < now {
		t.next += share
	} else if t.next < now+share {
		t.next = now + share
	}
	time := q.pace.time(size)
	q.next += time
	if !dropped {
		q.failsafe += time + time>>1
	}
	return int32(size)
}

// catchUp brings the clocks of what is idle up to now, as there is no burst
// that could be saved up.
func (q *Cake) catchUp(t *tin, now int64) {
	if t.bytes > 0 {
		return
	}
	t.next = max(t.next, now)
	if q.packets == 0 && q.next < now {
		q.next, q.failsafe = now, now
	}
}

// chooseTin is the tin that goes next; nil if there is none.
func (q *Cake) chooseTin(now int64) *tin {
	switch {
	case len(q.tins) == 1:
		q.current = 0
	case q.rate == 0:
		return q.tinInTurn()
	default:
		q.current = q.tinByClock(now)
	}
	if t := &q.tins[q.current]; t.active() > 0 {
		return t
	}
	return nil
}

// tinByClock is the tin with the highest priority of those within their share
// of the rate, else the one that will be first.
func (q *Cake) tinByClock(now int64) (best int) {
	earliest := int64(Never)
	for i := range q.tins {
		t := &q.tins[i]
		if t.active() > 0 && (t.next <= now || t.next-now <= earliest) {
			earliest = t.next - now
			best = i
		}
	}
	return best
}

// tinInTurn is the tin that the turns have come to, for want of a rate.
func (q *Cake) tinInTurn() *tin {
	wrapped, empty := false, true
	for {
		t := &q.tins[q.current]
		if t.deficit >= 0 && t.active() > 0 {
			return t
		}
		if t.deficit <= 0 {
			t.deficit += t.weight
		}
		if t.active() > 0 {
			empty = false
		}
		if q.current++; q.current < len(q.tins) {
			continue
		}
		q.current = 0
		if wrapped && empty {
			return nil
		}
		wrapped = true
	}
}
