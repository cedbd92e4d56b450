package netlinkqdisc

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestReadCakeStatsOfAKernel(t *testing.T) {
	got, err := readCakeStats(capturedMessage(t, "qdisc ifb4wan cake 3: parent root"))
	if err != nil {
		t.Fatal(err)
	}
	want := &plan.CakeStats{
		MemoryLimit:       15503360,
		MinNetworkLength:  65535,
		MinAdjustedLength: 65535,
		Tins:              []plan.Tin{{Target: 5 * time.Millisecond, Interval: 100 * time.Millisecond, Quantum: 1514}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadCakeStatsWithTraffic(t *testing.T) {
	got, err := readCakeStats(capturedMessage(t, "qdisc wan cake 7371: parent root"))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Tins) != 4 {
		t.Fatalf("%d tins of diffserv4", len(got.Tins))
	}
	if got.MaxNetworkLength != 200 || got.MaxAdjustedLength != 200 || got.Capacity != 19*linklayer.Mbit {
		t.Errorf("%+v", got)
	}
	best := got.Tins[1]
	if best.SentPackets < 50 || best.SentBytes < 50*214 || best.MaxPacketLength != 214 ||
		best.Threshold != 19*linklayer.Mbit || best.PeakDelay == 0 || best.Quantum != 579 {
		t.Errorf("best effort: %+v", best)
	}
	if bulk := got.Tins[0]; bulk.SentPackets != 0 || bulk.Target <= best.Target {
		t.Errorf("bulk: %+v", bulk)
	}
}

// tinAttributes gives every attribute of a tin its own type as its value, so
// that an exchange of two shows.
func tinAttributes() []byte {
	wide := map[int]bool{tinSentBytes64: true, tinDroppedBytes64: true, tinAcksDroppedBytes64: true, tinMarkedBytes64: true, tinThreshold64: true}
	var b []byte
	for kind := tinSentPackets; kind <= tinMax; kind++ {
		value := b32(uint32(kind))
		if wide[kind] {
			value = b64(uint64(kind))
		}
		b = appendAttribute(b, kind, value)
	}
	return appendAttribute(b, 77, b32(1))
}

func everyTinField() plan.Tin {
	us := time.Microsecond
	return plan.Tin{
		SentPackets: 2, SentBytes: 3, Drops: 4, DroppedBytes: 5, AcksDropped: 6, AcksDroppedBytes: 7,
		Marks: 8, MarkedBytes: 9, BacklogPackets: 10, BacklogBytes: 11, Threshold: 12 * 8,
		Target: 13 * us, Interval: 14 * us, WayIndirectHits: 15, WayMisses: 16, WayCollisions: 17,
		PeakDelay: 18 * us, AverageDelay: 19 * us, BaseDelay: 20 * us,
		SparseFlows: 21, BulkFlows: 22, UnresponsiveFlows: 23, MaxPacketLength: 24, Quantum: 25,
	}
}

func TestReadCakeStatsOfCakeMQ(t *testing.T) {
	app := nest(
		cakeStatsCapacity64, b64(1000), cakeStatsMemoryLimit, b32(3), cakeStatsMemoryUsed, b32(4),
		cakeStatsAvgNetoff, b32(5), cakeStatsMinNetlen, b32(6), cakeStatsMaxNetlen, b32(7),
		cakeStatsMinAdjlen, b32(8), cakeStatsMaxAdjlen, b32(9),
		cakeStatsTins, nest(1, tinAttributes(), 2, nest()), cakeStatsActiveQueues, b32(4), 50, b64(1),
	)
	m := tcMessage("cake_mq", 0x10000, plan.HandleRoot,
		unix.TCA_OPTIONS, nest(cakeRate64, b64(1_000_000)), unix.TCA_STATS2, nest(statsApp, app))
	got, err := readQdisc(m, names{7: "wan"})
	if err != nil {
		t.Fatal(err)
	}
	want := plan.QdiscState{
		Qdisc: plan.Qdisc{Link: "wan", Kind: "cake_mq", Handle: 0x10000, Parent: plan.HandleRoot, Cake: &plan.Cake{Rate: 8 * linklayer.Mbit}},
		Stats: plan.Stats{Marks: 8},
		CakeStats: &plan.CakeStats{
			Capacity: 8000, MemoryLimit: 3, MemoryUsed: 4, AverageNetworkOffset: 5,
			MinNetworkLength: 6, MaxNetworkLength: 7, MinAdjustedLength: 8, MaxAdjustedLength: 9,
			ActiveQueues: 4, Tins: []plan.Tin{everyTinField(), {}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadCakeStatsWithout(t *testing.T) {
	got, err := readCakeStats(tcMessage("cake", 0x10000, plan.HandleRoot, unix.TCA_STATS2, nest(statsBasic, b64(1))))
	if got != nil || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
