package netlinkqdisc

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// The same fq in tc's words and in ours.
var fqs = []struct {
	words string
	fq    func(*plan.FQ)
}{
	{"", asIs},
	{"limit 7 flow_limit 3 quantum 3000 initial_quantum 20000 buckets 64 orphan_mask 127 nopacing", func(f *plan.FQ) {
		f.Limit, f.FlowLimit, f.Quantum, f.InitialQuantum, f.Buckets, f.OrphanMask, f.Pacing = 7, 3, 3000, 20000, 64, 127, false
	}},
	{"maxrate 33mbit refill_delay 80ms low_rate_threshold 1mbit ce_threshold 4ms", func(f *plan.FQ) {
		f.MaxRate, f.RefillDelay, f.LowRateThreshold, f.CEThreshold = 33*linklayer.Mbit, 80*ms, linklayer.Mbit, 4*ms
	}},
	{"timer_slack 1500ns horizon 2500us horizon_cap ce_threshold 0", func(f *plan.FQ) {
		f.TimerSlack, f.Horizon, f.HorizonDrop, f.CEThreshold = 1500, 2500*us, false, 0
	}},
}

func fqRoot(change func(*plan.FQ)) *plan.Qdisc {
	return &wanServer(1, withFQ(change)).Egress.Qdisc
}

// What tc makes is read as it was meant; what we make is what tc makes.
func TestFQOracleKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		k := open(t)
		for _, c := range fqs {
			run(t, "tc qdisc replace dev wan root handle 7371: fq "+c.words)
			options, q, printed := rootOfWan(t, k)
			want := fqRoot(c.fq)
			if diff := cmp.Diff(*want, q); diff != "" {
				t.Errorf("%s: %s", c.words, diff)
			}
			run(t, "tc qdisc delete dev wan root")
			run(t, strings.TrimSpace(want.Words()))
			checkSame(t, k, "in our words: "+want.Words(), options, printed)
			run(t, "tc qdisc delete dev wan root")
			mustApply(t, k, plan.Step{Action: plan.Create, Object: want})
			checkSame(t, k, c.words, options, printed)
			run(t, "tc qdisc delete dev wan root")
		}
	})
}

// From every set of options to every other, in place, and bands and weights,
// for which this tc has no words, too.
func TestFQChangeKernel(t *testing.T) {
	bands := func(f *plan.FQ) { f.Bands, f.Weights = [16]uint8{2, 1, 0, 1}, [3]int{7 << 16, 2 << 16, 1 << 16} }
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		k := open(t)
		run(t, "tc qdisc add dev wan root handle 7371: fq")
		changes := []func(*plan.FQ){bands}
		for _, c := range fqs {
			changes = append(changes, c.fq)
		}
		for i, from := range changes {
			for j, to := range changes {
				mustApply(t, k, plan.Step{Action: plan.Change, Object: fqRoot(from)})
				mustApply(t, k, plan.Step{Action: plan.Change, Object: fqRoot(to)})
				if _, got, _ := rootOfWanOnly(t, k); !cmp.Equal(*fqRoot(to), got) {
					t.Errorf("from %d to %d: %s", i, j, cmp.Diff(*fqRoot(to), got))
				}
			}
		}
	})
}

// A new fq has the options that FQDefaults says, whatever the device's packets.
func TestFQDefaultsKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		k := open(t)
		for _, mtu := range []int{68, 576, 1500, 9000, 65535} {
			run(t, fmt.Sprintf("ip link set wan mtu %d", mtu))
			run(t, "tc qdisc add dev wan root fq")
			_, got, _ := rootOfWanOnly(t, k)
			want := plan.FQDefaults(mtu + 14)
			if diff := cmp.Diff(&want, got.FQ); diff != "" {
				t.Errorf("mtu %d: %s", mtu, diff)
			}
			run(t, "tc qdisc delete dev wan root")
		}
	})
}

// fq's own statistics are those that tc prints, and what the host says of TCP
// is what is under /proc/sys.
func TestFQStatsKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan+`
			ip address add 192.0.2.1/24 dev wan
			ip neigh add 192.0.2.2 lladdr 02:02:02:02:02:02 dev wan
			tc qdisc add dev wan root handle 7371: fq flow_limit 10 maxrate 8kbit
		`)
		socket, err := net.Dial("udp", "192.0.2.2:9")
		if err != nil {
			t.Fatal(err)
		}
		defer socket.Close()
		for range 50 {
			if _, err := socket.Write(make([]byte, 200)); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		k := open(t)
		found, _, root := rootOfWanOnly(t, k)
		printed := run(t, "tc -s qdisc show dev wan root")
		for _, _, again := rootOfWanOnly(t, k); *again.FQStats != *root.FQStats; _, _, again = rootOfWanOnly(t, k) {
			root, printed = again, run(t, "tc -s qdisc show dev wan root")
		}
		s := root.FQStats
		for _, words := range []string{
			fmt.Sprintf("flows %d (inactive %d throttled %d)", s.Flows, s.InactiveFlows, s.ThrottledFlows),
			fmt.Sprintf(" throttled %d", s.Throttled), fmt.Sprintf("flows_plimit %d", s.FlowLimitDrops),
		} {
			if !strings.Contains(printed, words) {
				t.Errorf("tc doesn't say %q:\n%s", words, printed)
			}
		}
		if s.FlowLimitDrops == 0 || s.Throttled == 0 || s.ThrottledFlows == 0 || s.FlowLimitDrops != root.Stats.Drops {
			t.Errorf("%+v\n%s", s, printed)
		}
		if want := readSysctl("net/ipv4/tcp_congestion_control"); found.CongestionControl != want || want == "" || found.DefaultQdisc != "pfifo_fast" {
			t.Errorf("tcp %q of %q, default qdisc %q", found.CongestionControl, want, found.DefaultQdisc)
		}
	})
}
