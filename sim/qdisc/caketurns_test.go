package qdisc

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// Who has waited for enough goes first, and of two such the older one.
func TestTurnsOrder(t *testing.T) {
	var turns turns
	for i, ahead := range []uint64{5, 0, 3, 5, 0, 9} {
		turns.push(uint16(i), ahead)
	}
	var order []uint16
	for len(turns.waiting) > 0 {
		order = append(order, turns.first())
		if i := turns.first(); i == 2 && !slices.Contains(order[:len(order)-1], 2) {
			turns.again(4) // behind 0 and 3, who waited for 5
		} else {
			turns.pop()
		}
	}
	if diff := cmp.Diff([]uint16{1, 4, 2, 0, 3, 2, 5}, order); diff != "" {
		t.Error(diff)
	}
}

// A refill takes as many turns as giving one quantum after the other does, on
// average and in how much that scatters.
func TestRefillAsTurnByTurn(t *testing.T) {
	const packet, samples = 1538, 20_000
	for _, flows := range []int{1, 8, 60, 500} {
		q := NewCake(plan.Cake{Rate: linklayer.Mbit, Diffserv: plan.Besteffort, Isolation: plan.TripleIsolate}, 1)
		tin := &q.tins[0]
		tin.prepare()
		f := &tin.flows[0]
		tin.bulk = flows
		tin.hosts[0].flows[0] = uint16(flows)
		quantum := tin.quantumAt(flows)

		measure := func(refill func() int64) (mean, deviation float64) {
			var sum, squares float64
			f.deficit = 1
			for range samples {
				f.deficit -= packet
				rounds := float64(refill())
				sum += rounds
				squares += float64(rounds * rounds)
			}
			mean = sum / samples
			return mean, math.Sqrt(squares/samples - float64(mean*mean))
		}
		mean, deviation := measure(func() int64 { return q.refill(tin, f) })
		wantMean, wantDeviation := measure(func() (rounds int64) {
			for ; f.deficit <= 0; rounds++ {
				f.deficit += q.round(quantum)
			}
			return rounds
		})
		t.Logf("%d flows: %.2f ± %.3f turns, one by one %.2f ± %.3f", flows, mean, deviation, wantMean, wantDeviation)
		// 0.06 turns, as 60 flows round 5 bytes up or down in one turn of 800,
		// too seldom for a normal distribution.
		if math.Abs(mean-wantMean) > 0.001*wantMean || math.Abs(deviation-wantDeviation) > 0.03*wantDeviation+0.06 {
			t.Errorf("%d flows: a refill takes %.2f ± %.3f turns, one by one %.2f ± %.3f", flows, mean, deviation, wantMean, wantDeviation)
		}
	}
}
