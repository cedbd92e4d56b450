package plan

import (
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/config"
)

// memoryLimits are those of a profile on a machine with so much memory,
// download and upload of each link.
func memoryLimits(t *testing.T, p *config.Profile, machine uint64) (limits []uint32, plan Plan) {
	t.Helper()
	plan = Compile(p, State{Memory: machine})
	if err := plan.FirstProblem(); err != nil {
		t.Fatal(err)
	}
	for _, l := range plan.Links {
		limits = append(limits, uint32(l.Ingress.memory()), uint32(l.Egress.memory()))
	}
	return limits, plan
}

func TestCapMemory(t *testing.T) {
	const mib = 1 << 20
	given := func(l *config.Link) { l.Upload.MemoryLimit = byLine(3*mib, 9) }
	tests := []struct {
		name     string
		edits    []func(*config.Link)
		machine  uint64
		down, up uint32
	}{
		{"unknown", nil, 0, 32 * mib, 4 * mib},
		{"enough", nil, 1024 * mib, 32 * mib, 4 * mib},
		{"half", nil, 288 * mib, 16 * mib, 2 * mib},
		{"little", nil, 64 * mib, 4 * mib * 8 / 9, 4 * mib / 9},
		{"next to nothing", nil, 4 * mib, leastQueue, leastQueue},
		{"the profile's stays", []func(*config.Link){given}, 64 * mib, mib, 3 * mib},
		{"the profile's is too much", []func(*config.Link){given}, 16 * mib, leastQueue, 3 * mib},
		{"fq_codel", []func(*config.Link){withFQCodel}, 288 * mib, 16 * mib, 2 * mib},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := profileOf(t, "wan", "docsis", 1000*mbit, 20*mbit, tt.edits...)
			limits, plan := memoryLimits(t, p, tt.machine)
			if limits[0] != tt.down || limits[1] != tt.up {
				t.Errorf("download %d, upload %d, want %d and %d", limits[0], limits[1], tt.down, tt.up)
			}
			if sum := uint64(limits[0]) + uint64(limits[1]); plan.QueueMemory() != sum {
				t.Errorf("all queues: %d, want %d", plan.QueueMemory(), sum)
			}
			in := plan.Links[0].Ingress
			r := in.reason(memoryAttribute(in))
			if cut := strings.Contains(r.Why, "cut, for"); cut != (tt.down < 32*mib) || r.Value != sizeWord(tt.down) {
				t.Errorf("the reason is %+v", r)
			}
		})
	}
}

// Two links share what one would have, also when only one of them is applied.
func TestLinksShareMemory(t *testing.T) {
	p := profileOf(t, "wan", "docsis", 100*mbit, 100*mbit)
	second := p.Links[0]
	second.Interface = "wwan0"
	p.Links = append(p.Links, second)
	limits, _ := memoryLimits(t, p, 64<<20)
	var sum uint32
	for _, l := range limits {
		sum += l
	}
	if sum > 4<<20 || sum < 4<<20-8 || limits[0] != limits[2] || limits[1] != limits[3] {
		t.Errorf("%d, in all %d", limits, sum)
	}
}
