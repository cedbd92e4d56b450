package tcdump

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

func TestParseRate(t *testing.T) {
	for text, want := range map[string]linklayer.Rate{
		"12bit": 12, "0bit": 0, "95Mbit": 95_000_000, "9545Kbit": 9_545_000, "1Gbit": 1_000_000_000,
		"24000Kbit": 24_000_000, "1.5Mbit": 1_500_000, "95.0Mbit": 95_000_000, "2Tbit": 2_000_000_000_000,
		"1Mibit": 1 << 20, "1000bps": 8000, "1Kbps": 8000, "unlimited": 0, "20mbit": 20_000_000,
		"18446744073709551615bit": none, "x": none, "": none, "Mbit": none, "-1bit": none, "1e3bit": none, "1": none,
		"NaNbit": none, "1.2.3Mbit": none, "1 bit": none, "9999999999Tbit": none,
	} {
		if got, ok := parseRate(text); ok != (want != none) || ok && got != want {
			t.Errorf("%q is %d, %t; want %d", text, got, ok, want)
		}
	}
}

const none = 1<<64 - 1

func TestParseSize(t *testing.T) {
	for text, want := range map[string]uint64{
		"8003b": 8003, "31Kb": 31 << 10, "4Mb": 4 << 20, "15140Kb": 15140 << 10, "0b": 0, "1600b/1": 1600,
		"15Kb/8": 15 << 10, "1514": 1514, "1Gb": 1 << 30, "3028b": 3028, "1.5Kb": 1536,
		"": none, "b": none, "4Mbit": none, "-4b": none,
	} {
		if got, ok := parseSize(text); ok != (want != none) || ok && got != want {
			t.Errorf("%q is %d, %t; want %d", text, got, ok, want)
		}
	}
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"100ms": 100 * ms, "100.0ms": 100 * ms, "17us": 17 * us, "0us": 0, "10s": 10 * time.Second, "1.02s": 1020 * ms,
		"7.27ms": 7270 * us, "363.3ms": 363300 * us, "500ns": 500, "5.0ms": 5 * ms,
		"": -1, "ms": -1, "5": -1, "-5ms": -1, "99999999999s": -1,
	} {
		if got, ok := parseTime(text); ok != (want >= 0) || ok && got != want {
			t.Errorf("%q is %s, %t; want %s", text, got, ok, want)
		}
	}
	for text, want := range map[string]time.Duration{"5ms": 5 * ms, "4999us": 5 * ms, "999us": 1000 * us, "17.7ms": 17700 * us} {
		if got, ok := parseCodelTime(text); !ok || got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestParseHandle(t *testing.T) {
	for text, want := range map[string]string{
		"1:": "1:", "ffff:fff1": "ffff:fff1", "8001:": "8001:", "1:10": "1:10", ":1": "0:1", "0:": "0:", "root": "root",
		"1": "none", "": "none", "12345:": "none", "x:": "none", "1:2:3": "none",
	} {
		got, ok := parseHandle(text)
		if ok != (want != "none") || ok && got.String() != want {
			t.Errorf("%q is %s, %t; want %s", text, got, ok, want)
		}
	}
	for text, want := range map[string]uint32{"800::800": 0x80000800, "801:2:3": 0x80102003, "800:": 0, "800": 0, "": 0, "800::": 0, "1::12345": 0} {
		if got := u32Handle(text); got != want {
			t.Errorf("%q is %#x, want %#x", text, got, want)
		}
	}
}
