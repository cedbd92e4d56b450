package plan

import (
	"math/rand/v2"
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
)

// What tc has for bursts at rates (tc class show on Linux 6.12).
func TestBurstTicks(t *testing.T) {
	tests := []struct {
		bytes int
		rate  linklayer.Rate
		ticks uint32
	}{
		{1600, 5 * linklayer.Mbit, 40_000},
		{12_500, 100 * linklayer.Mbit, 15_625},
		{1, linklayer.Gbit, 1},
		{0, linklayer.Gbit, 0},
		{1600, 0, 0},
		{1 << 40, 8, 1<<32 - 1},
	}
	for _, test := range tests {
		if got := BurstTicks(test.bytes, test.rate); got != test.ticks {
			t.Errorf("%d bytes at %s: %d ticks, want %d", test.bytes, test.rate, got, test.ticks)
		}
	}
}

// The burst that a plan states survives the kernel's ticks.
func TestExactBurst(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		rate := linklayer.Rate(8000 + random.Int64N(1<<(13+random.IntN(24))))
		bytes := 1 + random.IntN(1<<16)
		exact := exactBurst(bytes, rate)
		if exact < bytes || exact > bytes+int(uint64(rate)/8*tickTime/1e9)+1 {
			t.Fatalf("%d bytes at %s become %d", bytes, rate, exact)
		}
		if again := exactBurst(exact, rate); again != exact {
			t.Fatalf("%d bytes at %s become %d, and those %d", bytes, rate, exact, again)
		}
	}
}
