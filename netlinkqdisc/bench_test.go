package netlinkqdisc

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// TestApplyBenchmark measures, in a kernel and in real time, what an apply of
// one link costs: the first one, one that changes a rate, one that finds
// nothing to do. An apply may take 20 round trips.
func TestApplyBenchmark(t *testing.T) {
	kernellab.RunRealTime(t, func(t *testing.T) {
		if err := flag.Set("test.benchtime", "50x"); err != nil {
			t.Fatal(err)
		}
		script(t, wanAndLan)
		k := open(t)
		fresh := wanLink(up, down)
		remove := func() {
			if _, err := k.RemoveLink("wan"); err != nil {
				t.Fatal(err)
			}
		}
		rate := up
		benchmark(t, "fresh", func(b *testing.B) Outcome {
			b.StopTimer()
			remove()
			b.StartTimer()
			return mustApplyLink(t, k, fresh)
		})
		benchmark(t, "rate", func(*testing.B) Outcome {
			rate += linklayer.Kbit
			return mustApplyLink(t, k, wanLink(rate, down))
		})
		benchmark(t, "nothing to do", func(*testing.B) Outcome {
			return mustApplyLink(t, k, wanLink(rate, down))
		})
	})
}

// A router of a provider with a thousand devices: doctor reads
// them twice, whatever it does in between.
func TestReadThousandBenchmark(t *testing.T) {
	kernellab.RunRealTime(t, func(t *testing.T) {
		const pairs, shaped = 500, 100 // a CAKE takes half a MB
		var lines strings.Builder
		for i := range pairs {
			fmt.Fprintf(&lines, "ip link add wan%d type veth peer name lan%d\n", i, i)
		}
		for i := range shaped {
			fmt.Fprintf(&lines, "tc qdisc add dev wan%d root cake bandwidth 20mbit\n", i)
		}
		script(t, lines.String())
		k := open(t)
		start := time.Now()
		found, err := k.ReadHost()
		took := time.Since(start)
		if err != nil || len(found.Devices) < 2*pairs {
			t.Fatalf("%d devices, %v", len(found.Devices), err)
		}
		start = time.Now()
		if _, err := k.ReadCounters(); err != nil {
			t.Fatal(err)
		}
		t.Logf("BenchmarkRead/again, counters only: %s", time.Since(start))
		t.Logf("BenchmarkRead/%d devices: %s", len(found.Devices), took)
	})
}

func benchmark(t *testing.T, name string, apply func(*testing.B) Outcome) {
	t.Helper()
	var out Outcome
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			out = apply(b)
		}
		b.ReportMetric(float64(out.RoundTrips), "roundtrips/op")
		b.ReportMetric(float64(out.Requests), "requests/op")
	})
	t.Logf("BenchmarkApply/%s %v %v", name, result, result.MemString())
	if out.RoundTrips > 20 {
		t.Errorf("%s: %d round trips", name, out.RoundTrips)
	}
}
