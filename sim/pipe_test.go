package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// Packets leave a pipe by their moments, in whatever order they came, and also
// after it was empty.
func TestPipeSorts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	p := newPipe()
	var want []int64
	now := int64(0)
	for step := range 20_000 {
		if random.IntN(2) == 0 || len(want) > 100 {
			at := now + random.Int64N(1000)
			p.push(&qdisc.Packet{Size: 66}, at)
			want = append(want, at)
			slices.SortFunc(want, cmp.Compare[int64])
		}
		if len(want) == 0 {
			if p.next != qdisc.Never || p.length() != 0 {
				t.Fatalf("step %d: an empty pipe has %d packets at %d", step, p.length(), p.next)
			}
			continue
		}
		if p.next != want[0] || p.length() != len(want) {
			t.Fatalf("step %d: %d packets, the first at %d; want %d, at %d", step, p.length(), p.next, len(want), want[0])
		}
		if random.IntN(2) == 0 {
			var got qdisc.Packet
			p.pop(&got)
			if now = got.Enqueued; now != want[0] {
				t.Fatalf("step %d: a packet at %d, want %d", step, now, want[0])
			}
			want = want[1:]
		}
	}
}
