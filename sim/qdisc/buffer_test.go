package qdisc

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A buffer does to a few queues what slices would.
func TestBuffer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var b buffer
	var queues [5]queue
	var want [5][]uint32
	for n := range uint32(20_000) {
		k := r.IntN(len(queues))
		q := &queues[k]
		switch op := r.IntN(9); {
		case op < 5 || len(want[k]) == 0:
			b.push(q, &Packet{Seq: n})
			want[k] = append(want[k], n)
		case op < 8:
			if got := b.pop(q).Seq; got != want[k][0] {
				t.Fatalf("pop gives %d, want %d", got, want[k][0])
			}
			want[k] = want[k][1:]
		default:
			at := r.IntN(len(want[k]))
			previous := uint32(0)
			for range at {
				previous = b.after(q, previous)
			}
			if got := b.remove(q, previous).Seq; got != want[k][at] {
				t.Fatalf("remove gives %d, want %d", got, want[k][at])
			}
			want[k] = slices.Delete(want[k], at, at+1)
		}
	}
	for k := range queues {
		for _, n := range want[k] {
			if got := b.pop(&queues[k]).Seq; got != n {
				t.Fatalf("at the end, pop gives %d, want %d", got, n)
			}
		}
		if queues[k].head != 0 {
			t.Errorf("queue %d isn't empty", k)
		}
	}
	if len(b.slots) > 16384 {
		t.Errorf("%d slots, so they are not used again", len(b.slots))
	}
}

// after is the packet behind another one, or the head behind none.
func (b *buffer) after(q *queue, previous uint32) uint32 {
	if previous == 0 {
		return q.head
	}
	return b.slots[previous].next
}
