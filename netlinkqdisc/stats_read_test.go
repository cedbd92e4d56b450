package netlinkqdisc

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// structOf is 32-bit numbers in a row.
func structOf(fields ...uint32) []byte {
	var b []byte
	for _, f := range fields {
		b = append(b, b32(f)...)
	}
	return b
}

func TestReadStats(t *testing.T) {
	basic := slices.Concat(b64(1<<40), b32(7), b32(0))
	queue := structOf(1, 1500, 3, 4, 5)
	old := slices.Concat(b64(123), structOf(9, 8, 7, 0, 0, 6, 5))
	tests := []struct {
		name       string
		attributes []any
		want       plan.Stats
	}{
		{"none", nil, plan.Stats{}},
		{"old struct", []any{unix.TCA_STATS, old},
			plan.Stats{Bytes: 123, Packets: 9, Drops: 8, Overlimits: 7, Queued: 6, Backlog: 5}},
		{"nest before struct", []any{unix.TCA_STATS, old, unix.TCA_STATS2, nest(statsBasic, basic, statsQueue, queue)},
			plan.Stats{Bytes: 1 << 40, Packets: 7, Queued: 1, Backlog: 1500, Drops: 3, Requeues: 4, Overlimits: 5}},
		{"packets beyond 32 bits", []any{unix.TCA_STATS2, nest(statsBasic, basic, statsPkt64, b64(1<<32+7))},
			plan.Stats{Bytes: 1 << 40, Packets: 1<<32 + 7}},
		{"unknown attributes", []any{unix.TCA_STATS2, nest(30, b64(1), statsQueue, queue), 90, b32(1)},
			plan.Stats{Queued: 1, Backlog: 1500, Drops: 3, Requeues: 4, Overlimits: 5}},
		{"shorter struct", []any{unix.TCA_STATS2, nest(statsBasic, basic[:8], statsQueue, queue[:8])},
			plan.Stats{Bytes: 1 << 40, Queued: 1, Backlog: 1500}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := readStats(tcMessage("pfifo", 0x10000, plan.HandleRoot, test.attributes...))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A library that lays a struct over the nest sees 563 TB here.
func TestReadStatsOfAKernel(t *testing.T) {
	got, err := readStats(capturedMessage(t, "qdisc many mq 2: parent root"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plan.Stats{Bytes: 70, Packets: 1}, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadStatsCutOff(t *testing.T) {
	nested := nest(statsBasic, b64(5))
	_, err := readStats(tcMessage("pfifo", 0x10000, plan.HandleRoot, unix.TCA_STATS2, nested[:7]))
	if !errors.Is(err, errAttributes) {
		t.Errorf("error %v", err)
	}
}

func TestReadMarks(t *testing.T) {
	many := structOf(0, 101, 102, 103, 104, 105, 106, 107, 108, 109)
	tests := []struct {
		kind   string
		xstats []byte
		want   uint64
	}{
		{"fq_codel", many, 103},
		{"fq_codel", structOf(1, 101, 102, 103), 0},
		{"fq_codel", many[:8], 0},
		{"codel", many, 106},
		{"red", many, 103},
		{"pie", many, 109},
		{"fq_pie", many, 104},
		{"htb", many, 0},
		{"fq_codel", nil, 0},
	}
	for _, test := range tests {
		got, err := readStats(tcMessage(test.kind, 0x10000, plan.HandleRoot, unix.TCA_XSTATS, test.xstats))
		if err != nil || got.Marks != test.want {
			t.Errorf("%s: %d marks, want %d (%v)", test.kind, got.Marks, test.want, err)
		}
	}
}
