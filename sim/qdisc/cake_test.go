package qdisc

import (
	"math"
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// There is no burst: from the first packet on, one goes each time that its
// charge takes. Idle time is not saved up.
func TestCakeShaper(t *testing.T) {
	q := NewCake(plan.Cake{Rate: 12 * linklayer.Mbit, Encapsulation: linklayer.Encapsulation{Overhead: 38, MPU: 84}}, 1)
	for _, start := range []int64{0, 7e9} {
		fill(q, 20, start)
		times := sendTimes(q, start, 20)
		const each = (1500 - 14 + 38) * 8_000 / 12
		for i, at := range times {
			if want := start + int64(i)*each; at < want-100 || at > want+100 {
				t.Errorf("packet %d goes at %d, want %d", i, at, want)
			}
		}
	}
}

// A tin has priority up to its share, and all tins together the whole rate.
func TestCakeTins(t *testing.T) {
	const be, bk, vi, vo = 0, 1, 2, 3
	tests := []struct {
		name  string
		busy  []int
		voice float64 // what it gets of the rate
	}{
		{"voice alone", []int{vo}, 1},
		{"voice and best effort", []int{vo, be}, 0.25},
		{"all four", []int{vo, be, bk, vi}, 0.25},
	}
	for _, test := range tests {
		q := NewCake(plan.Cake{Rate: 100 * linklayer.Mbit, Diffserv: plan.Diffserv4, Isolation: plan.Flows, RTT: 1e12}, 1)
		var waiting, sent [4]int
		now := int64(0)
		for range 20_000 {
			for _, n := range test.busy {
				for ; waiting[n] < 5; waiting[n]++ {
					q.Enqueue(Packet{Size: 1514, Flow: uint16(n), Tin: uint8(n)}, now)
				}
			}
			now = max(now, q.Ready())
			p, _ := q.Dequeue(now)
			waiting[p.Tin]--
			sent[p.Tin]++
		}
		if got := float64(sent[vo]) / 20_000; math.Abs(got-test.voice) > 0.02 {
			t.Errorf("%s: voice gets %.3f of the rate: %v", test.name, got, sent)
		}
	}
}

// With ingress, what is dropped has used the line already and is charged too:
// fewer packets go. After some seconds of a sender that heeds nothing, drops
// would be so many that the failsafe lets two thirds of the rate pass.
func TestCakeIngressChargesDrops(t *testing.T) {
	sent := func(ingress bool) (sent, dropped int) {
		q := NewCake(plan.Cake{Rate: 12 * linklayer.Mbit, Diffserv: plan.Besteffort, Isolation: plan.Flows, Ingress: ingress}, 1)
		now := int64(0)
		for n := 0; now < 2e9; n++ {
			now += 800_000 // 15 Mbit/s
			q.Enqueue(Packet{Size: 1514, Flow: 1}, now)
			for q.Ready() <= now {
				if _, ok := q.Dequeue(now); ok {
					sent++
				}
			}
		}
		return sent, int(q.Signals().Dropped())
	}
	const full = 2e9 / (1500 * 8000 / 12)
	if n, dropped := sent(false); math.Abs(float64(n)-full) > 5 || dropped < 30 {
		t.Errorf("without ingress %d packets go, want %.0f (%d dropped)", n, full, dropped)
	}
	if n, dropped := sent(true); math.Abs(float64(n+dropped)-full) > 5 || dropped < 30 {
		t.Errorf("with ingress %d packets go and %d are dropped, want %.0f together", n, dropped, full)
	}
}

// The longest queue pays when there is no room.
func TestCakeMemoryLimit(t *testing.T) {
	q := NewCake(plan.Cake{Rate: linklayer.Mbit, Diffserv: plan.Besteffort, Isolation: plan.Flows, MemoryLimit: 100_000}, 1)
	for i := range 200 {
		now := 1e9 + int64(i)
		q.Enqueue(Packet{Size: 1514, Flow: 1}, now)
		if i < 10 {
			q.Enqueue(Packet{Size: 1514, Flow: 2}, now)
		}
	}
	if q.memory > 100_000 || q.memory < 97_000 {
		t.Errorf("%d bytes of memory", q.memory)
	}
	i := q.queueOf(&q.tins[0], 2)
	if got := q.tins[0].flows[i].bytes; got != 15140 {
		t.Errorf("the short queue has %d bytes left", got)
	}
	if q.tins[0].flows[q.queueOf(&q.tins[0], 1)].blue == 0 {
		t.Error("BLUE took no notice")
	}
}
