package plan

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// jsonSamples are of what programs read; the files in testdata/json are what
// they were promised.
func jsonSamples(t testing.TB) map[string]any {
	found := stateOf(ethernetDevice("wan"))
	installed := applied(t)
	q := installed.Device("wan").At(HandleRoot)
	q.Stab = &Stab{Overhead: 18, MPU: 64, MTU: 2047, Size: 512}
	q.Stats = Stats{Bytes: 1, Packets: 2, Drops: 3, Overlimits: 4, Requeues: 5, Backlog: 6, Queued: 7, Marks: 8}
	q.CakeStats = &CakeStats{
		Capacity: 19 * mbit, MemoryLimit: 4 << 20, MemoryUsed: 9, AverageNetworkOffset: 14,
		MinNetworkLength: 28, MaxNetworkLength: 1500, MinAdjustedLength: 64, MaxAdjustedLength: 1518,
		Tins: []Tin{{
			Threshold: 19 * mbit, SentBytes: 1, SentPackets: 2, Drops: 3, DroppedBytes: 4, Marks: 5, MarkedBytes: 6,
			AcksDropped: 7, AcksDroppedBytes: 8, BacklogBytes: 9, BacklogPackets: 10,
			Target: 5 * time.Millisecond, Interval: 100 * time.Millisecond,
			PeakDelay: 11 * time.Microsecond, AverageDelay: 12 * time.Microsecond, BaseDelay: 13 * time.Microsecond,
			WayIndirectHits: 14, WayMisses: 15, WayCollisions: 16, SparseFlows: 17, BulkFlows: 18, UnresponsiveFlows: 19,
			MaxPacketLength: 20, Quantum: 21,
		}},
	}
	idle := QdiscState{Qdisc: Qdisc{Link: "wan", Kind: "cake", Parent: 0x10001}, CakeStats: &CakeStats{MinNetworkLength: 65535}}
	options := FQDefaults(1514)
	options.MaxRate, options.CEThreshold = 8*mbit, 3*time.Millisecond
	fq := QdiscState{
		Qdisc:   Qdisc{Link: "wan", Kind: "fq", Handle: HandleOwned, Parent: HandleRoot, FQ: &options},
		FQStats: &FQStats{Flows: 1, InactiveFlows: 2, ThrottledFlows: 3, Throttled: 4, FlowLimitDrops: 5, HorizonDrops: 6},
	}
	step := Step{
		Action: Change, Object: &Qdisc{Link: "wan", Kind: "cake", Handle: HandleOwned}, Note: "a note",
		Attributes: []Attribute{{"bandwidth", "19mbit", "20mbit"}},
	}
	return map[string]any{
		"link":        NewLinkJSON(wanLink(t, found)),
		"upload-only": NewLinkJSON(wanLink(t, found, uploadOnly)),
		"qdisc":       NewQdiscStateJSON(q),
		"idle-qdisc":  NewQdiscStateJSON(&idle),
		"step":        NewStepJSON(step),
		"server":      NewLinkJSON(compiled(t, serverOf("wan", "fq"), stateOf(queuesOf("wan", 2)))),
		"fq-qdisc":    NewQdiscStateJSON(&fq),
	}
}

func TestJSON(t *testing.T) {
	for name, value := range jsonSamples(t) {
		t.Run(name, func(t *testing.T) {
			got, err := json.MarshalIndent(value, "", "\t")
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", "json", name+".json")
			if *update {
				if err := os.WriteFile(file, append(got, '\n'), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
				t.Errorf("differs from %s (-file +got):\n%s", file, diff)
			}
		})
	}
}

// TestJSONKeysSayTheirUnit walks every number of the samples.
func TestJSONKeysSayTheirUnit(t *testing.T) {
	unit := regexp.MustCompile(`(_bit_per_s|_bytes|_us|_ns|_packets|_flows|_mask|_hits|_misses|_collisions|_queues)$|^(line|priority|overlimits|requeues|entries|buckets|priomap|flows|throttled|cakes)$`)
	numbers := 0
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, inner := range v {
				walk(k, inner)
			}
		case []any:
			for _, inner := range v {
				walk(key, inner)
			}
		case float64:
			numbers++
			if !unit.MatchString(key) {
				t.Errorf("%s: %v has no unit", key, v)
			}
		}
	}
	for name, value := range jsonSamples(t) {
		b, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(b, &v); err != nil {
			t.Fatal(err)
		}
		walk(name, v)
	}
	if numbers < 50 {
		t.Errorf("only %d numbers were looked at", numbers)
	}
}
