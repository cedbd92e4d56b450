package netlinkqdisc

import (
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// fourQueues is wan with four transmit queues.
const fourQueues = `
	ip link del wan
	ip link add wan numtxqueues 4 type dummy
	ip link set wan up
`

// wanServer is a server's link; with more than one queue its root is an mq.
func wanServer(queues int, fill func(*plan.Qdisc)) plan.Link {
	root := plan.Qdisc{Link: "wan", Handle: plan.HandleOwned, Parent: plan.HandleRoot}
	shaper := &plan.Shaper{Direction: linklayer.Egress}
	if queues == 1 {
		fill(&root)
	} else {
		root.Kind = "mq"
		for i := range queues {
			leaf := plan.Qdisc{Link: "wan", Handle: plan.HandleQueues, Parent: plan.HandleOwned | plan.Handle(i+1)}
			fill(&leaf)
			shaper.Leaves = append(shaper.Leaves, &leaf)
		}
	}
	shaper.Qdisc = root
	return plan.Link{Interface: "wan", Server: true, Egress: shaper}
}

func withFQ(change func(*plan.FQ)) func(*plan.Qdisc) {
	return func(q *plan.Qdisc) {
		fq := plan.FQDefaults(1514)
		change(&fq)
		q.Kind, q.FQ = "fq", &fq
	}
}

func asIs(*plan.FQ) {}

func withFQCodel(q *plan.Qdisc) {
	q.Kind = "fq_codel"
	q.FQCodel = &plan.FQCodel{Limit: 10240, Flows: 1024, Quantum: 1514, Target: 5 * time.Millisecond,
		Interval: 100 * time.Millisecond, MemoryLimit: 32 << 20, ECN: true, DropBatch: 64}
}

func oneFQ(_, _ linklayer.Rate) plan.Link { return wanServer(1, withFQ(asIs)) }
func fourFQ(up, _ linklayer.Rate) plan.Link {
	return wanServer(4, withFQ(func(f *plan.FQ) { f.Limit = int(up / linklayer.Mbit) }))
}
func fourFQCodel(_, _ linklayer.Rate) plan.Link { return wanServer(4, withFQCodel) }

// What an apply for a server can find; see situations.
func init() {
	const mqByHand = fourQueues + `
		tc qdisc add dev wan root handle 7371: mq
		tc qdisc add dev wan parent 7371:1 handle 7380: fq
	`
	situations = append(situations, []situation{
		{name: "a server, fresh", link: oneFQ},
		{name: "from a line to a server", link: oneFQ, applied: true, before: wanLink},
		{name: "from a tree to a server", link: oneFQ, applied: true, before: wanTree},
		{name: "from a server to a line", link: wanLink, applied: true, before: oneFQ},
		{name: "a server, altered", link: oneFQ, applied: true, later: `
			tc qdisc change dev wan root fq limit 7 maxrate 5mbit nopacing ce_threshold 3ms horizon 2s horizon_cap
		`},
		{name: "four queues, fresh", setup: fourQueues, link: fourFQ},
		{name: "four queues, changed", setup: fourQueues, link: fourFQ, applied: true, more: linklayer.Mbit},
		{name: "four queues, fq to fq_codel", setup: fourQueues, link: fourFQCodel, applied: true, before: fourFQ},
		{name: "four queues, from a line", setup: fourQueues, link: fourFQ, applied: true, before: uploadOnly},
		{name: "four queues, to a line", setup: fourQueues, link: uploadOnly, applied: true, before: fourFQ},
		{name: "four queues, interrupted", setup: mqByHand, link: fourFQ},
		{name: "four queues, altered", setup: fourQueues, link: fourFQ, applied: true, later: `
			tc qdisc replace dev wan parent 7371:2 handle 9: sfq
			tc qdisc replace dev wan parent 7371:3 handle 8: fq limit 5
			tc qdisc change dev wan parent 7371:4 fq quantum 5000
		`},
		{name: "four queues of another program", link: fourFQ, setup: fourQueues + `
			tc qdisc add dev wan root handle 5: mq
			tc qdisc add dev wan parent 5:1 handle 7380: fq
			tc qdisc add dev wan parent 5:2 handle 52: cake bandwidth 1mbit
		`},
	}...)
}

func uploadOnly(up, down linklayer.Rate) plan.Link {
	link := wanLink(up, down)
	link.Ingress = nil
	return link
}

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

// The queues' qdiscs are read with their mq, whatever else there is, and a
// device tells how many there are.
func TestServerQueuesKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan+fourQueues+"ip link set wan txqueuelen 4321\n")
		k := open(t)
		d := device(t, read(t, k), "wan")
		if d.TxQueues != 4 || d.TxQueuesInUse != 4 || d.TxQueueLen != 4321 {
			t.Errorf("%d queues, %d in use, length %d", d.TxQueues, d.TxQueuesInUse, d.TxQueueLen)
		}
		mustApplyLink(t, k, fourFQ(up, down))
		d = device(t, read(t, k), "wan")
		for i := plan.Handle(1); i <= 4; i++ {
			q := d.At(plan.HandleOwned | i)
			if q == nil || q.Kind != "fq" || q.Handle != plan.HandleQueues+(i-1)<<16 || q.FQStats == nil {
				t.Errorf("queue %d has %+v", i, q)
			}
		}
		sendPackets(t, "wan", 50)
		if sent := device(t, read(t, k), "wan").At(plan.HandleRoot).Stats.Packets; sent < 50 {
			t.Errorf("mq counts %d packets", sent)
		}
	})
}

// Many queues: far more than there are handles for roots.
func TestServerOf64QueuesKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan+strings.Replace(fourQueues, "numtxqueues 4", "numtxqueues 64", 1))
		before := dump(t)
		k := open(t)
		link := wanServer(64, withFQ(asIs))
		out := mustApplyLink(t, k, link)
		if len(out.Steps) != 65 || out.Requests != 65 {
			t.Errorf("%d steps, %d requests", len(out.Steps), out.Requests)
		}
		if again := mustApplyLink(t, k, link); again.Requests != 0 {
			t.Errorf("a second apply did %v", again.Steps)
		}
		if err := out.Undo.Run(); err != nil {
			t.Error(err)
		}
		checkDump(t, "after the undo", before)
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
		if want := readSysctl("net/ipv4/tcp_congestion_control"); found.TCP != want || want == "" || found.NewQdisc != "pfifo_fast" {
			t.Errorf("tcp %q of %q, default qdisc %q", found.TCP, want, found.NewQdisc)
		}
	})
}

// Whatever qdisc the kernel gives new queues, even one of the kind wanted, the
// queues become as planned, and remove puts the kernel's back.
func TestServerWithDefaultQdiscKernel(t *testing.T) {
	for _, kind := range []string{"fq", "fq_codel"} {
		for _, link := range []plan.Link{fourFQ(up, down), fourFQCodel(up, down)} {
			t.Run(kind+" to "+link.Egress.Leaves[0].Kind, func(t *testing.T) {
				kernellab.Run(t, func(t *testing.T) {
					if err := os.WriteFile("/proc/sys/net/core/default_qdisc", []byte(kind), 0o644); err != nil {
						t.Fatal(err)
					}
					script(t, wanAndLan+fourQueues)
					before := dump(t)
					k := open(t)
					if got := read(t, k).NewQdisc; got != kind {
						t.Errorf("new devices get %q", got)
					}
					failEach(t, k, func() (Outcome, error) { return k.ApplyLink(link, false) })
					mustApplyLink(t, k, link)
					if _, err := k.RemoveLink("wan"); err != nil {
						t.Fatal(err)
					}
					checkDump(t, "after remove", before)
				})
			})
		}
	}
}
