package netlinkqdisc

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// The same qdisc in tc's words and in ours.
var cakes = []struct {
	words string
	cake  plan.Cake
}{
	{"unlimited", plan.Cake{Isolation: plan.TripleIsolate, SplitGSO: true, RTT: 100 * ms, Target: 5 * ms, Raw: true}},
	{"bandwidth 19mbit diffserv4 dual-srchost nat ack-filter overhead 30 ptm", plan.Cake{
		Rate: 19 * linklayer.Mbit, Diffserv: plan.Diffserv4, Isolation: plan.DualSrchost, NAT: true, AckFilter: plan.AckFilterOn,
		SplitGSO: true, RTT: 100 * ms, Target: 5 * ms, Encapsulation: linklayer.Encapsulation{Overhead: 30, Framing: linklayer.PTM}}},
	{"bandwidth 95mbit besteffort dual-dsthost nat wash ingress overhead 22 mpu 64 memlimit 5mb", plan.Cake{
		Rate: 95 * linklayer.Mbit, Diffserv: plan.Besteffort, Isolation: plan.DualDsthost, NAT: true, Wash: true, Ingress: true,
		SplitGSO: true, RTT: 100 * ms, Target: 5 * ms, MemoryLimit: 5 << 20, Encapsulation: linklayer.Encapsulation{Overhead: 22, MPU: 64}}},
	{"bandwidth 831kbit flows overhead 10 atm rtt 250ms no-split-gso ack-filter-aggressive", plan.Cake{
		Rate: 831 * linklayer.Kbit, Isolation: plan.Flows, AckFilter: plan.AckFilterAggressive, RTT: 250 * ms, Target: 12500 * us,
		Encapsulation: linklayer.Encapsulation{Overhead: 10, Framing: linklayer.ATM}}},
	{"bandwidth 40gbit diffserv8 hosts rtt 1ms overhead 256 mpu 256 fwmark 0xff00", plan.Cake{
		Rate: 40 * linklayer.Gbit, Diffserv: plan.Diffserv8, Isolation: plan.Hosts, SplitGSO: true, RTT: ms, Target: 50 * us,
		FwMark: 0xFF00, Encapsulation: linklayer.Encapsulation{Overhead: 256, MPU: 256}}},
	{"bandwidth 100mbit autorate-ingress precedence flowblind overhead -64 interplanetary", plan.Cake{
		Rate: 100 * linklayer.Mbit, Autorate: true, Diffserv: plan.Precedence, SplitGSO: true, RTT: 1000 * time.Second, Target: 50 * time.Second,
		Encapsulation: linklayer.Encapsulation{Overhead: -64}}},
	{"bandwidth 8bit srchost overhead 0", plan.Cake{Rate: 8, Isolation: plan.Srchost, SplitGSO: true, RTT: 100 * ms, Target: 5 * ms}},
	{"bandwidth 1mbit dsthost raw mpu 84 atm", plan.Cake{Rate: linklayer.Mbit, Isolation: plan.Dsthost, SplitGSO: true, RTT: 100 * ms, Target: 5 * ms,
		Raw: true, Encapsulation: linklayer.Encapsulation{MPU: 84, Framing: linklayer.ATM}}},
}

const (
	ms = time.Millisecond
	us = time.Microsecond
)

// rootOfWan is the root qdisc of wan: its options as bytes, decoded, and as tc
// prints it.
func rootOfWan(t *testing.T, k *Kernel) (options []byte, q plan.Qdisc, printed string) {
	t.Helper()
	s, err := k.snapshot()
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.qdiscs {
		m := &s.qdiscs[i]
		if s.names.of(m.index) == "wan" && m.parent == plan.HandleRoot {
			options = m.attribute[unix.TCA_OPTIONS]
		}
	}
	found := s.state()
	return options, device(t, found, "wan").At(plan.HandleRoot).Qdisc, run(t, "tc -d -j qdisc show dev wan root")
}

// What tc makes is read as it was meant; what we make is what tc makes.
func TestCakeOracleKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		k := open(t)
		for _, c := range cakes {
			run(t, "tc qdisc replace dev wan root handle 7371: cake "+c.words)
			options, q, printed := rootOfWan(t, k)
			want := plan.Qdisc{Link: "wan", Kind: "cake", Handle: plan.HandleOwned, Parent: plan.HandleRoot, Cake: &c.cake}
			if diff := cmp.Diff(want, q); diff != "" {
				t.Errorf("%s: %s", c.words, diff)
			}
			run(t, "tc qdisc delete dev wan root")
			mustApply(t, k, plan.Step{Action: plan.Create, Object: &want})
			checkSame(t, k, c.words, options, printed)
			run(t, "tc qdisc delete dev wan root")
		}
	})
}

// From every set of options to every other, in place: nothing of the one
// before stays.
func TestCakeChangeOracleKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		k := open(t)
		run(t, "tc qdisc add dev wan root handle 7371: cake")
		for _, c := range cakes {
			q := plan.Qdisc{Link: "wan", Kind: "cake", Handle: plan.HandleOwned, Parent: plan.HandleRoot, Cake: &c.cake}
			for _, other := range cakes {
				before := q
				before.Cake = &other.cake
				mustApply(t, k, plan.Step{Action: plan.Change, Object: &before})
				mustApply(t, k, plan.Step{Action: plan.Change, Object: &q})
				if _, got, _ := rootOfWanOnly(t, k); !cmp.Equal(q, got) {
					t.Errorf("from %s to %s: %s", other.words, c.words, cmp.Diff(q, got))
				}
			}
		}
	})
}

// rootOfWanOnly is rootOfWan without tc.
func rootOfWanOnly(t *testing.T, k *Kernel) (plan.State, plan.Qdisc, *plan.QdiscState) {
	t.Helper()
	found := read(t, k)
	root := device(t, found, "wan").At(plan.HandleRoot)
	return found, root.Qdisc, root
}

func mustApply(t *testing.T, k *Kernel, steps ...plan.Step) *Undo {
	t.Helper()
	undo, err := k.Apply(steps)
	if err != nil {
		t.Fatal(err)
	}
	return undo
}

func checkSame(t *testing.T, k *Kernel, words string, options []byte, printed string) {
	t.Helper()
	ours, _, print := rootOfWan(t, k)
	if diff := cmp.Diff(options, ours); diff != "" {
		t.Errorf("%s: bytes of the options: %s", words, diff)
	}
	if diff := cmp.Diff(decodeJSON(t, printed), decodeJSON(t, print)); diff != "" {
		t.Errorf("%s: as tc prints it: %s", words, diff)
	}
}

func decodeJSON(t *testing.T, text string) (value []map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// What tc prints of CAKE's statistics is what we read.
func TestCakeStatsOracleKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan+`
			tc qdisc add dev wan root handle 7371: cake bandwidth 2mbit diffserv4 overhead 18 memlimit 20kb
		`)
		sendPackets(t, "wan", 300)
		k := open(t)
		_, _, root := rootOfWanOnly(t, k)
		var printed []struct {
			Bytes, Packets, Drops, Overlimits, Requeues, Backlog, Qlen uint64
			MemoryUsed                                                 uint64 `json:"memory_used"`
			MemoryLimit                                                uint64 `json:"memory_limit"`
			Capacity                                                   uint64 `json:"capacity_estimate"`
			MinNet                                                     int    `json:"min_network_size"`
			MaxNet                                                     int    `json:"max_network_size"`
			MinAdj                                                     int    `json:"min_adj_size"`
			MaxAdj                                                     int    `json:"max_adj_size"`
			Offset                                                     int    `json:"avg_hdr_offset"`
			Tins                                                       []tcTin
		}
		if err := json.Unmarshal([]byte(run(t, "tc -s -j qdisc show dev wan root")), &printed); err != nil {
			t.Fatal(err)
		}
		p, c := printed[0], root.CakeStats
		want := plan.Stats{Bytes: p.Bytes, Packets: p.Packets, Drops: p.Drops, Overlimits: p.Overlimits,
			Requeues: p.Requeues, Backlog: p.Backlog, Queued: p.Qlen}
		if diff := cmp.Diff(want, root.Stats); diff != "" || p.Drops == 0 || p.Overlimits == 0 {
			t.Errorf("counters: %s; tc: %+v", diff, p)
		}
		wantCake := &plan.CakeStats{Capacity: linklayer.FromBytesPerSecond(p.Capacity), MemoryLimit: p.MemoryLimit, MemoryUsed: p.MemoryUsed,
			AverageNetworkOffset: p.Offset, MinNetworkLength: p.MinNet, MaxNetworkLength: p.MaxNet,
			MinAdjustedLength: p.MinAdj, MaxAdjustedLength: p.MaxAdj}
		for _, tin := range p.Tins {
			wantCake.Tins = append(wantCake.Tins, tin.value())
		}
		if diff := cmp.Diff(wantCake, c, ignoreTinBytes); diff != "" {
			t.Error(diff)
		}
	})
}

// tcTin is a tin as tc's JSON has it, which leaves out some of the bytes.
type tcTin struct {
	Threshold   uint64 `json:"threshold_rate"`
	SentBytes   uint64 `json:"sent_bytes"`
	SentPackets uint64 `json:"sent_packets"`
	Backlog     uint64 `json:"backlog_bytes"`
	Target      int64  `json:"target_us"`
	Interval    int64  `json:"interval_us"`
	Peak        int64  `json:"peak_delay_us"`
	Average     int64  `json:"avg_delay_us"`
	Base        int64  `json:"base_delay_us"`
	Drops       uint64 `json:"drops"`
	Marks       uint64 `json:"ecn_mark"`
	Acks        uint64 `json:"ack_drops"`
	Hits        uint64 `json:"way_indirect_hits"`
	Misses      uint64 `json:"way_misses"`
	Collisions  uint64 `json:"way_collisions"`
	Sparse      int    `json:"sparse_flows"`
	Bulk        int    `json:"bulk_flows"`
	Unresp      int    `json:"unresponsive_flows"`
	MaxLength   int    `json:"max_pkt_len"`
	Quantum     int    `json:"flow_quantum"`
}

func (p tcTin) value() plan.Tin {
	return plan.Tin{
		Threshold: linklayer.FromBytesPerSecond(p.Threshold), SentBytes: p.SentBytes, SentPackets: p.SentPackets,
		Drops: p.Drops, Marks: p.Marks, AcksDropped: p.Acks, BacklogBytes: p.Backlog,
		Target: time.Duration(p.Target) * us, Interval: time.Duration(p.Interval) * us,
		PeakDelay: time.Duration(p.Peak) * us, AverageDelay: time.Duration(p.Average) * us, BaseDelay: time.Duration(p.Base) * us,
		WayIndirectHits: p.Hits, WayMisses: p.Misses, WayCollisions: p.Collisions,
		SparseFlows: p.Sparse, BulkFlows: p.Bulk, UnresponsiveFlows: p.Unresp,
		MaxPacketLength: p.MaxLength, Quantum: p.Quantum,
	}
}

// ignoreTinBytes is what tc doesn't print.
var ignoreTinBytes = cmpopts.IgnoreFields(plan.Tin{}, "DroppedBytes", "MarkedBytes", "AcksDroppedBytes", "BacklogPackets")
