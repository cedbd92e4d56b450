package qdisc

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
)

// sendTimes are the moments at which a qdisc gives n packets to a line that
// takes them at once.
func sendTimes(q Qdisc, from int64, n int) []int64 {
	var times []int64
	for now := from; len(times) < n; {
		if _, ok := q.Dequeue(now); ok {
			times = append(times, now)
			continue
		}
		if q.Ready() == Never {
			return times
		}
		now = max(now+1, q.Ready())
	}
	return times
}

func fill(q Qdisc, n int, now int64) {
	for i := range n {
		q.Enqueue(Packet{Size: 1500, Seq: uint32(i)}, now)
	}
}

// At 12 Mbit/s a packet of 1500 bytes takes 1 ms. A full bucket of 3000 bytes
// lets three go at once: the third with the bucket at 0, which makes it −1 ms.
func TestHTBBurst(t *testing.T) {
	q := NewHTB(NewFIFO(1000), 12*linklayer.Mbit, 3000, FrameCharge())
	fill(q, 10, 5e6)
	times := sendTimes(q, 5e6, 10)
	for i, ms := range []int64{0, 0, 0, 1, 2, 3, 4, 5, 6, 7} {
		if want := 5e6 + ms*1e6; times[i] < want-100 || times[i] > want {
			t.Errorf("packet %d goes at %d, want %d", i, times[i], want)
		}
	}
}

// Over a long time the rate is exact, and idle time isn't saved up beyond the
// burst.
func TestHTBRate(t *testing.T) {
	q := NewHTB(NewFIFO(100_000), 7*linklayer.Mbit, 1600, WireCharge(linklayer.Encapsulation{Overhead: 38, MPU: 84}))
	fill(q, 10_000, 3e9)
	times := sendTimes(q, 3e9, 10_000)
	const charged = 1500 - 14 + 38
	want := (9_999*charged - 1600) * 8 * 1000 / 7
	if got := times[9_999] - 3e9; got < int64(want)-charged*1200 || got > int64(want)+100_000 {
		t.Errorf("10000 packets take %d ns, want %d", got, want)
	}
}

func TestHTBSetRate(t *testing.T) {
	q := NewHTB(NewFIFO(1000), 12*linklayer.Mbit, 1500, FrameCharge())
	fill(q, 20, 0)
	before := sendTimes(q, 0, 5)
	q.SetRate(1200*linklayer.Kbit, before[4])
	after := sendTimes(q, before[4], 3)
	if gap := after[2] - after[1]; gap < 9_999_000 || gap > 10_001_000 {
		t.Errorf("after the change packets are %d ns apart, want 10 ms", gap)
	}
	q.SetRate(0, after[2])
	if free := sendTimes(q, after[2], 10); free[9] != free[1] {
		t.Errorf("without a rate, packets go at %v", free)
	}
}
