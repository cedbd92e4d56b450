package sim

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// A line holds what has come and not left yet, however many leave at once, and
// refuses what doesn't fit beside that.
func TestLineHoldsWhatHasNotLeft(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	l := newLine(Line{Rate: 10 * linklayer.Mbit, Buffer: 100_000})
	type held struct {
		at   int64
		size int
	}
	var holds []held
	refused := 0
	for now := int64(0); now < 1e10; now += random.Int64N(1e6) {
		if random.IntN(1000) == 0 {
			now += random.Int64N(200e6)
		}
		bytes := 0
		for len(holds) > 0 && holds[0].at <= now {
			holds = holds[1:]
		}
		for _, h := range holds {
			bytes += h.size
		}
		pkt := &qdisc.Packet{Size: uint16(64 + random.IntN(1450))}
		size := l.charge.Size(pkt.Size)
		leaves, ok := l.pass(pkt, now)
		if want := bytes+size <= 100_000; ok != want {
			t.Fatalf("at %d: %d bytes are let in beside %d: %v", now, size, bytes, ok)
		}
		if !ok {
			refused++
			continue
		}
		holds = append(holds, held{leaves, size})
		if l.backlog != bytes+size {
			t.Fatalf("at %d: it holds %d bytes, want %d", now, l.backlog, bytes+size)
		}
	}
	if refused == 0 {
		t.Error("it was never full")
	}
}

// On a processor of 64 bits no two transfers share a cache line.
func TestTransfersFillCacheLines(t *testing.T) {
	if size := unsafe.Sizeof(bulk{}); unsafe.Sizeof(uintptr(0)) == 8 && size%64 != 0 {
		t.Errorf("a transfer takes %d bytes, which is no multiple of 64", size)
	}
}
