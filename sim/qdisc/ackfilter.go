package qdisc

import "github.com/sqmctl/sqmctl/plan"

// filterAcks drops one acknowledgement that the newest one of the queue makes
// redundant, and returns its bytes; 0 if there is none (cake_ack_filter).
func (q *Cake) filterAcks(t *tin, f *cakeFlow, now int64) int {
	previous, found := q.redundantAck(f)
	if !found {
		return 0
	}
	p := q.buffer.remove(&f.queue, previous)
	q.count(t, f, p, -1)
	q.signals.Drops[Filtered]++
	if q.options.Ingress {
		q.advance(t, p, now, true)
	}
	return int(p.Size)
}

// redundantAck finds the oldest acknowledgement that may go, and returns the
// place of the packet before it. There have to be two of them, so that one is
// left beside the newest; the aggressive filter is content with one, if it is
// next to the newest and tells the same about marks.
func (q *Cake) redundantAck(f *cakeFlow) (previous uint32, found bool) {
	slots := q.buffer.slots
	newest := &slots[f.tail].Packet
	var candidate, before, prior uint32
	count := 0
	for i := f.head; i != f.tail; prior, i = i, slots[i].next {
		p := &slots[i].Packet
		if p.Kind != Ack || p.Flow != newest.Flow {
			continue
		}
		if candidate != 0 && p.Echo != slots[candidate].Echo {
			candidate = 0 // it is the last to say so
			count--
		}
		if !supersedes(newest, p) {
			continue
		}
		if candidate == 0 {
			candidate, before = i, prior
		}
		if count++; count > 1 {
			return before, true
		}
	}
	adjacent := candidate != 0 && slots[candidate].next == f.tail
	aggressive := q.options.AckFilter == plan.AckFilterAggressive
	return before, aggressive && adjacent && slots[candidate].Echo == newest.Echo
}

// supersedes is whether an acknowledgement tells all that an older one does,
// and more. One that repeats what was acknowledged already (DSACK, RFC 2883)
// is never superseded.
func supersedes(newer, older *Packet) bool {
	if older.Seq > newer.Seq {
		return false
	}
	o, n := sackBlocks(older), sackBlocks(newer)
	for _, b := range o {
		if b.empty() {
			continue
		}
		if b.from < older.Seq || !n[0].covers(b) && !n[1].covers(b) {
			return false
		}
	}
	return older.Seq < newer.Seq || n[0].size()+n[1].size() > o[0].size()+o[1].size()
}

// block is a block of segments, the end excluded.
type block struct{ from, to uint32 }

func sackBlocks(p *Packet) [2]block {
	return [2]block{{p.Lo, p.Hi}, {p.Lo2, p.Lo2 + uint32(p.Len2)}}
}

func (b block) empty() bool         { return b.from >= b.to }
func (b block) covers(o block) bool { return b.from <= o.from && b.to >= o.to }
func (b block) size() uint32        { return b.to - min(b.from, b.to) }
