package qdisc

import "testing"

// A sender that sends 10 % too much loses about as much, and the delay comes to
// the target.
func TestPIEReachesItsTarget(t *testing.T) {
	q := NewPIE(1000, PIETarget, false, 1)
	now, next := int64(0), int64(0)
	var sum, n int64
	for i := 0; now < 120e9; i++ {
		now += 900_000
		q.Enqueue(Packet{Size: 1514}, now)
		for ; next <= now; next += 1_000_000 {
			if p, ok := q.Dequeue(next); ok && now > 60e9 {
				sum += next - p.Enqueued
				n++
			}
		}
	}
	if mean := sum / n; mean < 12e6 || mean > 18e6 {
		t.Errorf("a mean delay of %d ns, want 15 ms", mean)
	}
}

// A burst within 150 ms of an idle start passes unharmed.
func TestPIEAllowsBursts(t *testing.T) {
	q := NewPIE(1000, PIETarget, false, 1)
	for now := int64(10e9); now < 10.14e9; now += 1e6 {
		q.Enqueue(Packet{Size: 1514}, now)
		q.Enqueue(Packet{Size: 1514}, now)
		q.Dequeue(now)
	}
	if q.Signals().Dropped() != 0 {
		t.Errorf("%+v", q.Signals())
	}
}
