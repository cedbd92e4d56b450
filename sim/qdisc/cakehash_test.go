package qdisc

import (
	"math"
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// alone is the part of so many flows that have a queue of CAKE for themselves,
// in percent.
func alone(flows, seeds int) float64 {
	sum := 0
	q := NewCake(plan.Cake{Diffserv: plan.Besteffort, Isolation: plan.Flows}, 1)
	t := &q.tins[0]
	for seed := range seeds {
		q.seed = mix(uint32(seed))
		t.prepare()
		*t.tinTables = tinTables{}
		var count [cakeQueues]int
		for flow := range uint16(flows) {
			k := q.queueOf(t, flow)
			t.flows[k].set = bulk
			count[k]++
		}
		for _, n := range count {
			if n == 1 {
				sum++
			}
		}
	}
	return 100 * float64(sum) / float64(flows*seeds)
}

// expectedAlone is the same by calculation: flows fall into 128 sets of 8
// queues. A set's first 8 flows get a queue each, the others share any of them.
func expectedAlone(flows int) float64 {
	const sets = cakeQueues / cakeWays
	sum, log := 0.0, float64(flows)*math.Log1p(-1.0/sets)
	for n := 1; n <= flows; n++ {
		log += math.Log(float64(flows-n+1)/float64(n)) - math.Log(sets-1)
		lonely := float64(n)
		if n > cakeWays {
			lonely = cakeWays * math.Pow(1-1.0/cakeWays, float64(n-cakeWays))
		}
		sum += math.Exp(log) * lonely
	}
	return 100 * sum * sets / float64(flows)
}

// With a set of one, this is RFC 8290's 90.78 % for 100 flows; with sets of 8
// practically all flows are alone, and of 1000 flows 76 %.
func TestCakeCollisions(t *testing.T) {
	if got := alone(100, 2000); got < 99.95 || got < expectedAlone(100)-0.05 {
		t.Errorf("%.3f %% of 100 flows are alone, want %.3f", got, expectedAlone(100))
	}
	for _, flows := range []int{600, 1000} {
		if got, want := alone(flows, 12_000), expectedAlone(flows); math.Abs(got-want) > 0.05 {
			t.Errorf("%.3f %% of %d flows are alone, want %.3f", got, flows, want)
		}
	}
}

// shares are the packets that each flow sends while all have some waiting.
func turnShares(o plan.Cake, hosts func(uint16) (uint16, uint16), flows int) []int {
	o.Rate, o.Diffserv = 100*linklayer.Mbit, plan.Besteffort
	o.RTT = 1e12 // COBALT stays out of it
	q := NewCake(o, 1)
	q.Hosts = hosts
	counts := make([]int, flows)
	waiting := make([]int, flows)
	now := int64(0)
	for range 20_000 {
		for flow := range flows {
			for ; waiting[flow] < 5; waiting[flow]++ {
				q.Enqueue(Packet{Size: 1514, Flow: uint16(flow)}, now)
			}
		}
		now = max(now, q.Ready())
		if p, ok := q.Dequeue(now); ok {
			counts[p.Flow]++
			waiting[p.Flow]--
		}
	}
	return counts
}

// Host 0 has 4 flows, host 1 has one. They send to one and the same host.
func TestCakeIsolation(t *testing.T) {
	hosts := func(flow uint16) (uint16, uint16) { return flow / 4, 9 }
	tests := []struct {
		isolation plan.Isolation
		want      float64 // the part of host 1
	}{
		{plan.Flows, 1.0 / 5},
		{plan.DualSrchost, 1.0 / 2},
		{plan.DualDsthost, 1.0 / 5},
		{plan.TripleIsolate, 1.0 / 5}, // the load of the destination is the greater one
		{plan.Srchost, 1.0 / 2},
		{plan.Dsthost, 1.0 / 5},
	}
	for _, test := range tests {
		counts := turnShares(plan.Cake{Isolation: test.isolation}, hosts, 5)
		if got := float64(counts[4]) / 20_000; math.Abs(got-test.want) > 0.01 {
			t.Errorf("isolation %d: host 1 gets %.3f, want %.3f: %v", test.isolation, got, test.want, counts)
		}
	}
}
