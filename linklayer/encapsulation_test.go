package linklayer

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"
)

// The file is the kernel's own answer; see its head for how it was made.
func TestWireSizeIsTheKernels(t *testing.T) {
	f, err := os.Open("testdata/cake_calc_overhead.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment, r.FieldsPerRecord = '#', 5
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	framings := map[string]Framing{"plain": Plain, "atm": ATM, "ptm": PTM}
	seen := map[Framing]int{}
	for _, row := range rows {
		n := numbers(t, row[0], row[1], row[3], row[4])
		framing, ok := framings[row[2]]
		if !ok {
			t.Fatalf("framing %q", row[2])
		}
		e := Encapsulation{Overhead: n[0], MPU: n[1], Framing: framing}
		if got := e.WireSize(n[2]); got != n[3] {
			t.Errorf("%+v.WireSize(%d) = %d, the kernel says %d", e, n[2], got, n[3])
		}
		seen[framing]++
	}
	for _, f := range framings {
		if seen[f] < 100 {
			t.Errorf("%d rows with framing %s, want 100 or more", seen[f], f)
		}
	}
}

func numbers(t *testing.T, fields ...string) []int {
	t.Helper()
	n := make([]int, len(fields))
	for i, s := range fields {
		var err error
		if n[i], err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// Sizes that people have published from CAKE's own statistics.
func TestWireSizePublished(t *testing.T) {
	tests := []struct {
		words    string
		ip, wire int
	}{
		{"ethernet", 28, 84}, // tc-cake(8)
		{"ethernet", 1500, 1538},
		{"docsis", 28, 64},
		{"docsis", 1500, 1518},
		{"ptm overhead 44", 36, 82},
		{"ptm overhead 44", 1492, 1560},
		{"atm overhead -4", 76, 106},
		{"atm overhead -4", 300, 371},
		{"atm overhead -4", 40, 53}, // short packets are what a wrong sign costs
		{"atm overhead -4", 1478, 31 * 53},
		{"pppoa-vcmux", 40, 106},
		{"pppoa-vcmux", 76, 106},
		{"pppoa-vcmux", 300, 371},
		{"pppoa-vcmux", 1478, 31 * 53},
	}
	for _, tt := range tests {
		e, err := ParseKeywords(tt.words)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.WireSize(tt.ip); got != tt.wire {
			t.Errorf("%s: %d bytes become %d, want %d", tt.words, tt.ip, got, tt.wire)
		}
	}
}
