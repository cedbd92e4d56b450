package main

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
)

func TestParseBuffer(t *testing.T) {
	for _, tt := range []struct {
		text           string
		bytes, packets int
	}{
		{"512KiB", 512 << 10, 0}, {"512 KiB", 512 << 10, 0}, {"64kB", 64_000, 0}, {"1MiB", 1 << 20, 0}, {"2mb", 2_000_000, 0},
		{"1.5MiB", 3 << 19, 0}, {"524288", 524288, 0}, {"2000b", 2000, 0}, {"100p", 0, 100}, {"1 p", 0, 1},
		{"1024MiB", 1 << 30, 0},
	} {
		bytes, packets, err := parseBuffer("buffer", tt.text)
		if bytes != tt.bytes || packets != tt.packets || err != nil {
			t.Errorf("%q: %d bytes, %d packets, %v", tt.text, bytes, packets, err)
		}
	}
	for _, text := range []string{"", "0", "0p", "-1p", "-5KiB", "5x", "p", "KiB", "1.5p", "NaN", "inf", "1e99", "1999", "1999b", "1KiB", "1025MiB", "5GiB", "1kib1", "12pp", "9999999999999999999p"} {
		if bytes, packets, err := parseBuffer("buffer", text); err == nil {
			t.Errorf("%q: %d bytes, %d packets", text, bytes, packets)
		}
	}
}

func TestParsePartOf(t *testing.T) {
	for _, tt := range []struct {
		text string
		want linklayer.Rate
	}{
		{"0.04%", 8_000}, {"8kbit", 8_000}, {"1000%", 200_000_000}, {"98%", 19_600_000}, {"110 %", 22_000_000}, {"97.5%", 19_500_000}, {"19mbit", 19_000_000}, {"100%", 20_000_000},
	} {
		if got, err := parsePartOf("shaper", tt.text, 20*linklayer.Mbit); got != tt.want || err != nil {
			t.Errorf("%q: %s, %v; should be %s", tt.text, got, err, tt.want)
		}
	}
	for _, text := range []string{"", "0%", "-5%", "%", "98", "0mbit", "NaN%", "Inf%", "0.000001%", "0.03%", "1001%", "200gbit", "1bit", "7.9kbit", "5MB/s"} {
		if got, err := parsePartOf("shaper", text, 20*linklayer.Mbit); err == nil {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestSizeWords(t *testing.T) {
	for bytes, want := range map[int]string{
		512 << 10: "512 KiB", 1 << 20: "1 MiB", 3 << 19: "1.5 MiB", 1500: "1500 bytes", 64_000: "64000 bytes", 1100 << 10: "1100 KiB",
	} {
		if got := sizeWords(bytes); got != want {
			t.Errorf("%d: %s, should be %s", bytes, got, want)
		}
	}
}
