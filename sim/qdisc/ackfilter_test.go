package qdisc

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestAckFilter(t *testing.T) {
	ack := func(seq uint32) Packet { return Packet{Kind: Ack, Size: 66, Flow: 1, Seq: seq} }
	echo := func(p Packet) Packet { p.Echo = true; return p }
	sack := func(p Packet, lo, hi uint32) Packet { p.Lo, p.Hi = lo, hi; return p }
	sack2 := func(p Packet, lo uint32, length uint16) Packet { p.Lo2, p.Len2 = lo, length; return p }
	other := ack(5)
	other.Flow = 2
	tests := []struct {
		name           string
		acks           []Packet
		on, aggressive []int // what is left, counted from 0
	}{
		{"two", []Packet{ack(1), ack(2)}, []int{0, 1}, []int{1}},
		{"three", []Packet{ack(1), ack(2), ack(3)}, []int{1, 2}, []int{2}},
		{"six", []Packet{ack(1), ack(2), ack(3), ack(4), ack(5), ack(6)}, []int{4, 5}, []int{5}},
		{"duplicates signal loss", []Packet{ack(3), ack(3), ack(3), ack(3)}, []int{0, 1, 2, 3}, []int{0, 1, 2, 3}},
		{"duplicates, then progress", []Packet{ack(3), ack(3), ack(3), ack(4)}, []int{1, 2, 3}, []int{1, 2, 3}},
		{"more SACK blocks", []Packet{sack(ack(3), 5, 6), sack(ack(3), 5, 7), sack(ack(3), 5, 8)}, []int{1, 2}, []int{2}},
		{"another SACK block", []Packet{sack(ack(3), 5, 6), sack(ack(3), 9, 12), sack(ack(3), 9, 13)}, []int{0, 1, 2}, []int{0, 2}},
		{"the block is second now", []Packet{sack(ack(3), 5, 6), sack2(sack(ack(3), 8, 9), 5, 1), sack2(sack(ack(3), 8, 10), 5, 1)}, []int{1, 2}, []int{2}},
		{"blocks were filled", []Packet{sack(ack(3), 5, 6), sack(ack(3), 5, 7), ack(7)}, []int{0, 1, 2}, []int{1, 2}},
		{"DSACK", []Packet{sack(ack(9), 5, 6), sack(ack(9), 5, 6), ack(10)}, []int{0, 1, 2}, []int{0, 1, 2}},
		{"ECE stays known", []Packet{echo(ack(1)), ack(2), ack(3), ack(4)}, []int{0, 2, 3}, []int{0, 3}},
		{"ECE all along", []Packet{echo(ack(1)), echo(ack(2)), echo(ack(3))}, []int{1, 2}, []int{2}},
	}
	for _, test := range tests {
		for mode, want := range map[plan.AckFilter][]int{plan.AckFilterOff: nil, plan.AckFilterOn: test.on, plan.AckFilterAggressive: test.aggressive} {
			q := NewCake(plan.Cake{Rate: linklayer.Mbit, AckFilter: mode, Isolation: plan.Flowblind}, 1)
			q.Enqueue(other, 0)
			for i, p := range test.acks {
				p.Size = uint16(66 + i) // tells them apart
				q.Enqueue(p, 0)
			}
			left := leftover(q)
			if mode == plan.AckFilterOff && len(left) != len(test.acks) || want != nil && !cmp.Equal(left, want) {
				t.Errorf("%s, mode %d: %v are left, want %v", test.name, mode, left, want)
			}
		}
	}
}

// leftover is what comes of flow 1, by the sizes.
func leftover(q *Cake) (all []int) {
	for q.Len() > 0 {
		if p, ok := q.Dequeue(q.Ready()); ok && p.Flow == 1 {
			all = append(all, int(p.Size)-66)
		}
	}
	return all
}
