package qdisc

import (
	"math"
	"testing"
)

// RFC 8290, 5.3.1 and 6.2: of 100 flows over 1024 queues, 90.78 % are alone in
// theirs; 99.57 % share with one other at most, 99.99 % with two.
func TestFQCodelCollisions(t *testing.T) {
	const flows, queues, seeds = 100, 1024, 40_000
	var others [flows]int // flows that share with so many
	for seed := range uint64(seeds) {
		var count [queues]uint8
		for flow := range uint16(flows) {
			count[spread(flowHash(flow, mix(uint32(seed))), queues)]++
		}
		for _, n := range count {
			if n > 0 {
				others[n-1] += int(n)
			}
		}
	}
	sum := 0.0
	for n, want := range []float64{90.78, 99.57, 99.99} {
		sum += 100 * float64(others[n]) / (flows * seeds)
		if math.Abs(sum-want) > 0.05 {
			t.Errorf("%.3f %% of flows share with %d at most, want %.2f", sum, n, want)
		}
	}
}

// Flows with packets in the queue share the rate; a flow that begins goes
// first, once.
func TestFQCodelTurns(t *testing.T) {
	q := NewFQCodel(FQCodelOptions{}, 1)
	for i := range 30 {
		q.Enqueue(Packet{Size: 1514, Flow: uint16(i % 3), Seq: uint32(i)}, 0)
	}
	var counts [4]int
	for i := range 12 {
		p, _ := q.Dequeue(1000)
		counts[p.Flow]++
		if i == 5 {
			q.Enqueue(Packet{Size: 214, Flow: 3, Kind: Sparse}, 1000)
			if p, _ := q.Dequeue(1000); p.Flow != 3 {
				t.Errorf("flow %d goes before the new one", p.Flow)
			}
		}
	}
	if counts[0] != 4 || counts[1] != 4 || counts[2] != 4 {
		t.Errorf("12 turns: %v", counts)
	}
}

// The longest queue loses half of its bytes, not more than 64 packets.
func TestFQCodelOverflow(t *testing.T) {
	tests := []struct{ limit, thin, fat, wantFat int }{
		{100, 20, 81, 40},
		{300, 20, 281, 217},
	}
	for _, test := range tests {
		q := NewFQCodel(FQCodelOptions{Limit: test.limit}, 1)
		for range test.thin {
			q.Enqueue(Packet{Size: 1514, Flow: 1}, 0)
		}
		for range test.fat {
			q.Enqueue(Packet{Size: 1514, Flow: 2}, 0)
		}
		if q.Len() != test.thin+test.wantFat {
			t.Errorf("limit %d: %d packets left, want %d", test.limit, q.Len(), test.thin+test.wantFat)
		}
		if n := int(q.Signals().Drops[Overflow]); q.flows[q.queueOf(2)].count != uint32(n) || n != test.fat-test.wantFat {
			t.Errorf("limit %d: %d drops, and CoDel counts %d", test.limit, n, q.flows[q.queueOf(2)].count)
		}
	}
}
