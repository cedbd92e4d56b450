package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
)

// wantUsage says whether an error is one line for a person, with a hint.
func wantUsage(t *testing.T, err error) {
	t.Helper()
	var usage *usageError
	if !errors.As(err, &usage) || usage.hint == "" || strings.Contains(usage.text+usage.hint, "\n") {
		t.Errorf("%q is no usage error of a line with a hint", err)
	}
}

// A buffer is in bytes or in packets, within bounds, or there is an error.
func FuzzParseBuffer(f *testing.F) {
	for _, text := range []string{"512KiB", "64 kB", "100p", "1.5MiB", "1e9", "-1", "NaN", "p", "\n5kb"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bytes, packets, err := parseBuffer("buffer", text)
		switch {
		case err != nil:
			wantUsage(t, err)
		case packets == 0 && bytes >= leastBuffer && bytes <= mostBuffer:
		case bytes == 0 && packets >= 1 && packets <= mostBuffer:
		default:
			t.Errorf("%q: %d bytes, %d packets", text, bytes, packets)
		}
	})
}

// A rate or a part of one is within bounds, or there is an error.
func FuzzParsePartOf(f *testing.F) {
	for _, text := range []string{"98%", "19mbit", "110 %", "9.5 Mbit/s", "0%", "1e3%", "5MB/s", "-3%", "\n%"} {
		f.Add(text, uint64(20_000_000))
	}
	f.Fuzz(func(t *testing.T, text string, of uint64) {
		whole := linklayer.Rate(of)%fastest + slowest
		rate, err := parsePartOf("shaper", text, whole)
		if err != nil {
			wantUsage(t, err)
		} else if rate < slowest || rate > fastest*(mostPercent/100)+slowest*(mostPercent/100) {
			t.Errorf("%q of %s: %s", text, whole, rate)
		}
	})
}

// A sweep has an option and values, none of them empty, or there is an error.
func FuzzParseSweep(f *testing.F) {
	for _, text := range []string{"shaper=off,98%", "--flows=1, 2", "=1", "a", "a=,", "a==1", "ecn=true\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		option, values, err := parseSweep(text)
		if err != nil {
			wantUsage(t, err)
			return
		}
		if option == "" || len(values) == 0 || len(values) > mostSweeps {
			t.Errorf("%q: %q with %d values", text, option, len(values))
		}
		for _, v := range values {
			if v == "" || strings.TrimSpace(v) != v {
				t.Errorf("%q: value %q", text, v)
			}
		}
	})
}

// A trace has values within bounds, or there is an error.
func FuzzParseTrace(f *testing.F) {
	for _, text := range []string{"0.8\n1.1\n", "", "x", "NaN", "0", "1e300", "\n\n0.5", "0.5\r\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		trace, err := parseTrace("file", strings.NewReader(text))
		if err != nil {
			wantUsage(t, err)
			return
		}
		for _, part := range trace {
			if !(part >= leastPart && part <= mostPart) {
				t.Errorf("%q: %v", text, part)
			}
		}
		if len(trace) == 0 {
			t.Errorf("%q: nothing, and no error", text)
		}
	})
}
