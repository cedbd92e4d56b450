package qdisc

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/netlinkqdisc"
	"github.com/sqmctl/sqmctl/plan"
)

func TestMain(m *testing.M) { kernellab.Main(m) }

// derived is what CAKE works out from its options.
type derived struct {
	MemoryLimit uint64
	Tins        []derivedTin
}

type derivedTin struct {
	Threshold        linklayer.Rate
	Target, Interval time.Duration // whole µs
	Quantum          int
}

// kernelRates are in kbit/s.
var kernelRates = []int{64, 100, 256, 512, 831, 1000, 1500, 2000, 3000, 5000, 8000, 10000, 18437, 20000, 50000, 85000, 100000, 250000, 940000, 1000000}

// cakeCase is a CAKE in tc's words and as an option struct.
type cakeCase struct {
	words string
	cake  plan.Cake
}

func cakeCases() []cakeCase {
	modes := []string{"diffserv3", "diffserv4", "diffserv8", "besteffort", "precedence"}
	times := []struct {
		words       string
		rtt, target time.Duration
		memory      uint32
	}{
		{"rtt 100ms", 100 * time.Millisecond, 5 * time.Millisecond, 0},
		{"rtt 30ms", 30 * time.Millisecond, 1500 * time.Microsecond, 0},
		{"rtt 1s memlimit 20Mb", time.Second, 50 * time.Millisecond, 20 << 20},
	}
	all := []cakeCase{{"unlimited", plan.Cake{Diffserv: plan.Diffserv4}}}
	all[0].words += " diffserv4"
	for i, kbit := range kernelRates {
		for m, mode := range modes {
			t := times[(i+m)%len(times)]
			all = append(all, cakeCase{
				fmt.Sprintf("bandwidth %dkbit %s %s", kbit, mode, t.words),
				plan.Cake{Rate: linklayer.Rate(kbit) * linklayer.Kbit, Diffserv: plan.Diffserv(m), RTT: t.rtt, Target: t.target, MemoryLimit: t.memory},
			})
		}
	}
	return all
}

// What CAKE works out for its tins is what a kernel reports, at 20 rates in
// each of the five ways to divide them.
func TestCakeSettingsKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		router, _ := kernellab.NewVeth(t)
		for _, c := range cakeCases() {
			router.Batch("tc", "qdisc replace dev wan root handle 1: cake "+c.words+"\n")
			var got derived
			router.In(func() { got = kernelDerived(t, "wan") })
			if diff := cmp.Diff(got, ownDerived(&c.cake)); diff != "" {
				t.Errorf("%s (- kernel, + own):\n%s", c.words, diff)
			}
			router.Batch("tc", "qdisc del dev wan root\n")
		}
	})
}

func kernelDerived(t *testing.T, device string) derived {
	t.Helper()
	stats := kernelCake(t, device)
	d := derived{MemoryLimit: stats.MemoryLimit}
	for _, tin := range stats.Tins {
		d.Tins = append(d.Tins, derivedTin{tin.Threshold, tin.Target, tin.Interval, tin.Quantum})
	}
	return d
}

// kernelCake is what the CAKE at the root of a device reports.
func kernelCake(t *testing.T, device string) *plan.CakeStats {
	t.Helper()
	k, err := netlinkqdisc.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	state, err := k.Read()
	if err != nil {
		t.Fatal(err)
	}
	root := state.Device(device).At(plan.HandleRoot)
	if root == nil || root.CakeStats == nil {
		t.Fatalf("no CAKE on %s: %s", device, strings.Join(state.Unreadable, ", "))
	}
	return root.CakeStats
}

// ownDerived is what a simulated CAKE works out, in the order of a kernel's
// report: bulk before best effort where there are few tins.
func ownDerived(o *plan.Cake) derived {
	q := NewCake(*o, 1)
	d := derived{MemoryLimit: uint64(q.memoryLimit)}
	for i := range q.tins {
		if n := len(q.tins); (n == 3 || n == 4) && i < 2 {
			i = 1 - i
		}
		s := &q.tins[i].tinSettings
		d.Tins = append(d.Tins, derivedTin{
			linklayer.FromBytesPerSecond(s.rate),
			time.Duration(s.target).Truncate(time.Microsecond),
			time.Duration(s.interval).Truncate(time.Microsecond),
			int(s.quantum),
		})
	}
	return d
}
