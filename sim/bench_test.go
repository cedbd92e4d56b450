package sim

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// ethernetWire is what Ethernet adds to an IP packet on the wire: header, check
// sequence, preamble and gap.
var ethernetWire = linklayer.Encapsulation{Overhead: 38}

// benchLine is some transfers and a call up a line whose modem holds 512 KiB, for
// as long as so many full packets take. A qdisc other than pfifo_fast shapes to
// 98 %.
func benchLine(q Qdisc, rate linklayer.Rate, flows, packets int) Scenario {
	s := Scenario{
		Delay: 12 * time.Millisecond, Seed: 1,
		Duration: rate.Time(1538) * time.Duration(packets),
	}
	s.Warmup = s.Duration / 6
	way := &s.Ways[linklayer.Egress]
	way.Line = Line{Rate: rate, Buffer: 512 << 10, Encapsulation: ethernetWire}
	way.Load = Load{Flows: flows, Call: true}
	shaped := rate.Less(0.02)
	switch way.Router.Qdisc = q; q {
	case PfifoFast:
	case Cake:
		way.Router.Cake = plan.Cake{
			Rate: shaped, Diffserv: plan.Besteffort, Isolation: plan.TripleIsolate, Encapsulation: ethernetWire,
		}
	default:
		way.Router.Shaper = shaped
	}
	return s
}

// The bounds in ns that a packet has to stay within on one core of a machine
// of 2025: without a shaper, and with.
var packetBounds = []struct {
	qdisc Qdisc
	ns    float64
}{{PfifoFast, 40}, {FqCoDel, 100}, {Cake, 130}}

// A minute of 20 Mbit/s with one transfer, which is what the bounds are for.
func BenchmarkRun(b *testing.B) {
	for _, bound := range packetBounds {
		b.Run(string(bound.qdisc), func(b *testing.B) {
			benchRun(b, benchLine(bound.qdisc, 20*linklayer.Mbit, 1, 97_529))
			b.ReportMetric(bound.ns, "ns/packet-bound")
		})
	}
}

// Cost against work: 100 000 full packets' time at every rate.
func BenchmarkGrid(b *testing.B) {
	for _, q := range packetBounds {
		for _, mbit := range []linklayer.Rate{1, 10, 100, 1000} {
			for _, flows := range []int{1, 8, 64, 512} {
				b.Run(fmt.Sprintf("%v/%dmbit/%dflows", q.qdisc, mbit, flows), func(b *testing.B) {
					benchRun(b, benchLine(q.qdisc, mbit*linklayer.Mbit, flows, 100_000))
				})
			}
		}
	}
}

// benchRun reports the median run's processor time per packet, where a packet
// is one of Result.Packets: data, acknowledgement or call, each counted once,
// when it is sent, and again if it is sent again, but not where it is dropped or
// arrives. Memory is all that a run allocates, so it needs less.
func benchRun(b *testing.B, s Scenario) {
	var costs []cost
	for b.Loop() {
		costs = append(costs, costOf(b, s))
	}
	c := medianCost(costs)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(c.perPacket(), "ns/packet")
	b.ReportMetric(float64(c.allocs)/float64(c.packets), "allocs/packet")
	b.ReportMetric(float64(c.bytes)/1024, "KiB/run")
	b.ReportMetric(float64(c.packets), "packets/run")
}

// cost is what a run took.
type cost struct {
	time          time.Duration // of the processor, so that other programs don't count
	allocs, bytes uint64
	packets       int64
}

func (c cost) perPacket() float64 { return float64(c.time.Nanoseconds()) / float64(c.packets) }

func costOf(t testing.TB, s Scenario) cost {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := threadTime(t)
	r, err := Run(s)
	took := threadTime(t) - began
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	return cost{took, after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc, r.Packets}
}

// threadTime is the time that the thread has had the processor for.
func threadTime(t testing.TB) time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		t.Fatal(err)
	}
	return time.Duration(now.Nano())
}

// medianCost is that of the run whose time is the median.
func medianCost(costs []cost) cost {
	slices.SortFunc(costs, func(a, b cost) int { return int(a.time - b.time) })
	return costs[len(costs)/2]
}
