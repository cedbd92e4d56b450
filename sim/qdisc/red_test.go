package qdisc

import (
	"math"
	"testing"
)

// With a queue that stays, the gap between drops is uniform from 1 to 1/p − 1
// (count is 1 already for the packet after a drop), so 2p are dropped.
func TestREDProbability(t *testing.T) {
	for _, length := range []int{8, 10, 14} {
		q := NewRED(REDOptions{Limit: 1000, Min: 5, Max: 15, PacketTime: 1e6}, 1)
		q.average = int64(length) << redBits
		tried := 0
		for range 200_000 {
			for q.Len() < length {
				q.Enqueue(Packet{Size: 1500}, 0)
				tried++
			}
			q.Dequeue(0)
		}
		// A packet that comes finds one less.
		p := 0.1 * (float64(length) - 1 - 5) / 10
		got := float64(q.Signals().Drops[Early]) / float64(tried)
		if want := 2 * p; math.Abs(got-want) > 0.01*want {
			t.Errorf("%d packets: %.4f are dropped, want %.4f", length, got, want)
		}
	}
}

func TestREDLimits(t *testing.T) {
	q := NewRED(REDOptions{Limit: 50, Min: 5, Max: 15, PacketTime: 1e6}, 1)
	for range 60 {
		q.Enqueue(Packet{Size: 1500}, 0)
	}
	if q.Len() != 50 || q.Signals().Drops[Overflow] != 10 {
		t.Errorf("a burst: %d queued, %+v", q.Len(), q.Signals())
	}
	q.average = 15 << redBits
	q.Dequeue(0)
	q.Enqueue(Packet{Size: 1500}, 0)
	if q.Signals().Drops[Early] != 1 {
		t.Errorf("above Max: %+v", q.Signals())
	}
}

// While the queue is empty, the average decays as with a packet each ms.
func TestREDIdleDecay(t *testing.T) {
	q := NewRED(REDOptions{Limit: 50, Min: 5, Max: 15, PacketTime: 1e6}, 1)
	q.average = 10 << redBits
	q.Enqueue(Packet{Size: 1500}, 0)
	q.Dequeue(1e6)
	q.Enqueue(Packet{Size: 1500}, 501e6)
	want := 10 * math.Pow(1-0.002, 502) // and one for each packet
	if got := float64(q.average) / redOne; math.Abs(got-want) > 0.001*want {
		t.Errorf("an average of %.4f, want %.4f", got, want)
	}
}
