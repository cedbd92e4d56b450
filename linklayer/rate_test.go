package linklayer

import (
	"math"
	"testing"
	"time"
)

func TestRateString(t *testing.T) {
	tests := []struct {
		rate Rate
		want string
	}{
		{0, "unlimited"},
		{1, "1 bit/s"},
		{999, "999 bit/s"},
		{1_000, "1 kbit/s"},
		{1_001, "1.001 kbit/s"},
		{9_500_000, "9.5 Mbit/s"},
		{100 * Mbit, "100 Mbit/s"},
		{104_857_600, "104857.6 kbit/s"},
		{1_234_567 * Kbit, "1234.567 Mbit/s"},
		{1_234_567_891, "1234567.891 kbit/s"},
		{2_500 * Mbit, "2.5 Gbit/s"},
		{10 * Gbit, "10 Gbit/s"},
		{math.MaxUint64, "18446744073709551.615 kbit/s"},
	}
	for _, tt := range tests {
		if got := tt.rate.String(); got != tt.want {
			t.Errorf("%d is %q, want %q", uint64(tt.rate), got, tt.want)
		}
	}
}

func TestRateLess(t *testing.T) {
	tests := []struct {
		rate    Rate
		percent float64
		want    Rate
	}{
		{100 * Mbit, 10, 90 * Mbit},
		{100 * Mbit, 5, 95 * Mbit},
		{40 * Mbit, 5, 38 * Mbit},
		{9_500 * Kbit, 5, 9_025 * Kbit},
		{50 * Mbit, 12.5, 43_750 * Kbit},
		{1_150 * Kbit, 7, 1_069 * Kbit}, // 1 069 500 bit/s, rounded down
		{100 * Mbit, 0, 100 * Mbit},
		{100_000_999, 0, 100 * Mbit},
		{100 * Mbit, 90, 10 * Mbit},
		{10 * Gbit, 0.1, 9_990 * Mbit},
		{999, 10, 899},
		{100 * Mbit, 100, 0},
		{100 * Mbit, 250, 0},
		{100 * Mbit, -5, 100 * Mbit},
		{100 * Mbit, math.NaN(), 100 * Mbit},
		{math.MaxUint64, 0, 18_446_744_073_709_551_000},
		{18 * Gbit * Gbit, 10, 16_200_000_000 * Gbit},
	}
	for _, tt := range tests {
		if got := tt.rate.Less(tt.percent / 100); got != tt.want {
			t.Errorf("%s less %g %% is %s, want %s", tt.rate, tt.percent, got, tt.want)
		}
	}
}

// Every whole percentage of every whole Mbit/s comes out to the bit.
func TestRateLessIsExact(t *testing.T) {
	for mbit := Rate(1); mbit <= 1000; mbit++ {
		for percent := range Rate(91) {
			want := mbit * Mbit / 100 * (100 - percent)
			if got := (mbit * Mbit).Less(float64(percent) / 100); got != want {
				t.Fatalf("%d Mbit/s less %d %% is %d, want %d", mbit, percent, got, want)
			}
		}
	}
}

func TestRateTime(t *testing.T) {
	tests := []struct {
		rate Rate
		size int
		want time.Duration
	}{
		{0, 1500, 0},
		{Mbit, 0, 0},
		{Mbit, -1, 0},
		{8 * Mbit, 1500, 1500 * time.Microsecond},
		{20 * Mbit, 1514, 605_600},
		{3, 1, 2_666_666_667}, // 8/3 s, rounded up
		{10 * Gbit, 64, 52},   // 51.2 ns
		{8, math.MaxInt32, math.MaxInt32 * time.Second},
		{1, math.MaxInt, math.MaxInt64},
	}
	for _, tt := range tests {
		if got := tt.rate.Time(tt.size); got != tt.want {
			t.Errorf("%d bytes at %s take %d ns, want %d", tt.size, tt.rate, got, tt.want)
		}
	}
}

func TestRateBytesPerSecond(t *testing.T) {
	if got := FromBytesPerSecond(12_500_000); got != 100*Mbit {
		t.Errorf("12.5 MB/s is %s", got)
	}
	if got := (100*Mbit + 7).BytesPerSecond(); got != 12_500_000 {
		t.Errorf("100 Mbit/s and 7 bit/s are %d B/s", got)
	}
	if got := FromBytesPerSecond(math.MaxUint64); got != math.MaxUint64 {
		t.Errorf("the kernel's no limit is %d", got)
	}
}
