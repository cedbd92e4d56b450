package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/linklayer"
)

// relationLine is the panel's line of 20 Mbit/s and 512 KiB.
func relationLine(shaperPercent linklayer.Rate, q Qdisc, flows int) Scenario {
	const rate = 20 * linklayer.Mbit
	return panelLine(rate, 512<<10, rate/100*shaperPercent, q, flows)
}

// A queue forms at the slowest hop and nowhere else: a qdisc without a rate
// below the line's changes nothing at all.
func TestQdiscWithoutShaperChangesNothing(t *testing.T) {
	want := upload(t, relationLine(0, None, 1))
	for _, q := range Qdiscs {
		s := relationLine(0, q, 1)
		s.Ways[linklayer.Egress].Router.ECN = true
		got := upload(t, s)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-none +it):\n%s", q, diff)
		}
	}
}

// Between 105 % and 98 % the queue moves from the modem to the router, where
// fq_codel keeps the call out of it. The line charges 1538 bytes where the
// shaper charges 1514, so at 100 % some of it is still in the modem.
func TestThresholdIsASwitch(t *testing.T) {
	off := inMs(upload(t, relationLine(0, PfifoFast, 1)).Call.Median)
	var last float64
	for i, step := range []struct {
		percent   linklayer.Rate
		low, high float64 // as a part of the median without a shaper
		where     Bottleneck
	}{
		{110, 0.95, 1.05, ModemQueue},
		{105, 0.95, 1.05, ModemQueue},
		{100, 0.1, 0.95, ModemQueue},
		{98, 0, 0.07, RouterQueue},
		{95, 0, 0.07, RouterQueue},
	} {
		w := upload(t, relationLine(step.percent, FqCoDel, 1))
		median := inMs(w.Call.Median)
		if median < step.low*off || median > step.high*off {
			t.Errorf("shaper at %d %%: median %.2f ms, without a shaper %.2f ms", step.percent, median, off)
		}
		if got := w.Where(20 * linklayer.Mbit); got != step.where {
			t.Errorf("shaper at %d %%: the queue is in the %v", step.percent, got)
		}
		if i > 0 && median > 1.02*last {
			t.Errorf("shaper at %d %%: median %.2f ms, one step above %.2f ms", step.percent, median, last)
		}
		last = median
	}
}

// A shaper brings the queue to the router, and there a FIFO of 1000 packets is
// worse than the modem's.
func TestFIFOBehindShaperIsWorse(t *testing.T) {
	off, shaped := upload(t, relationLine(0, Pfifo, 1)), upload(t, relationLine(95, Pfifo, 1))
	if shaped.Call.Median*2 < off.Call.Median*5 || shaped.Call.P95*2 < off.Call.P95*5 {
		t.Errorf("median and 95th percentile %v and %v, without a shaper %v and %v: should be 2.5 times as much",
			shaped.Call.Median, shaped.Call.P95, off.Call.Median, off.Call.P95)
	}
}

func TestEightUploads(t *testing.T) {
	fifo := upload(t, relationLine(0, PfifoFast, 8)).Call
	codel, fq := upload(t, relationLine(95, CoDel, 8)).Call, upload(t, relationLine(95, FqCoDel, 8)).Call
	if fq.Median > codel.Median || fq.P95 > codel.P95 {
		t.Errorf("fq_codel %v and %v, codel %v and %v", fq.Median, fq.P95, codel.Median, codel.P95)
	}
	if codel.Median*7 >= fifo.Median || codel.P95*7 >= fifo.P95 {
		t.Errorf("codel %v and %v is not seven times better than the modem's FIFO with %v and %v",
			codel.Median, codel.P95, fifo.Median, fifo.P95)
	}
}

// On a line that wobbles by 15 %, every step down of the shaper takes delay
// away and costs throughput.
func TestShaperOnWobblingLine(t *testing.T) {
	const steps = 7
	var before WayResult
	for i := range linklayer.Rate(steps) {
		s := relationLine(110-5*i, FqCoDel, 1)
		s.Ways[linklayer.Egress].Line.Vary = Vary{Shape: Sine, Amplitude: 0.15, Period: 10e9}
		w := upload(t, s)
		// Below the slowest line there is nothing more to gain.
		const even = 200_000 // ns
		if i > 0 && (w.Call.P95 > before.Call.P95+even || w.Frames > before.Frames) {
			t.Errorf("shaper at %d %%: 95th percentile %v and %.3f Mbit/s, one step above %v and %.3f Mbit/s", 110-5*i,
				w.Call.P95, w.Frames/1e6, before.Call.P95, before.Frames/1e6)
		}
		before = w
	}
}

// More buffer means more delay and no less throughput; a faster line empties
// the same buffer sooner.
func TestSweepsAreMonotone(t *testing.T) {
	var before WayResult
	for i, kib := range []int{16, 32, 64, 128, 256, 512, 1024} {
		s := relationLine(0, PfifoFast, 1)
		s.Ways[linklayer.Egress].Line.Buffer = kib << 10
		w := upload(t, s)
		if i > 0 && (w.Call.Median <= before.Call.Median || w.Call.P95 <= before.Call.P95 || w.Frames < 0.999*before.Frames) {
			t.Errorf("%d KiB: %v, %v and %.3f Mbit/s, with half of it %v, %v and %.3f Mbit/s", kib,
				w.Call.Median, w.Call.P95, w.Frames/1e6, before.Call.Median, before.Call.P95, before.Frames/1e6)
		}
		before = w
	}
	for i, mbit := range []linklayer.Rate{2, 5, 10, 20, 50, 100, 250, 1000} {
		w := upload(t, panelLine(mbit*linklayer.Mbit, 512<<10, 0, PfifoFast, 1))
		if i > 0 && (w.Call.Median >= before.Call.Median || w.Frames <= before.Frames) {
			t.Errorf("%d Mbit/s: %v and %.3f Mbit/s, a step below %v and %.3f Mbit/s", mbit,
				w.Call.Median, w.Frames/1e6, before.Call.Median, before.Frames/1e6)
		}
		before = w
	}
}

// A small buffer costs throughput. The published model has 72 % of the line
// for the smallest, which is its tick; that it is the last and by how far
// holds here too.
func TestSmallBuffersCostThroughput(t *testing.T) {
	var before float64
	for i, kib := range []int{128, 64, 32, 16} {
		share := upload(t, panelLine(100*linklayer.Mbit, kib<<10, 0, PfifoFast, 1)).Frames / 100e6
		if i > 0 && share >= before || kib == 16 && (share >= before-0.02 || share <= 0.70) {
			t.Errorf("%d KiB: %.2f %% of the line, with twice that %.2f %%", kib, 100*share, 100*before)
		}
		before = share
	}
}
