package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// Rates outside these have the wrong unit: an ISDN channel is the slowest line
// that was ever sold, and nothing shapes the fastest.
const (
	slowestLine = 64 * linklayer.Kbit
	fastestLine = 1000 * linklayer.Gbit
)

// readRate reads a rate above zero; "off" is none.
func readRate(v any) (linklayer.Rate, *fault) {
	const off = `write "off" to leave the direction alone`
	s, isString := v.(string)
	switch v.(type) {
	case string:
	case int64, float64:
		s = describe(v)
	case bool:
		return 0, wrongType(v, "a rate", off)
	default:
		return 0, wrongType(v, "a rate", `write a number and a unit in quotes, such as "40 Mbit/s"`)
	}
	if isZero(s) || isString && strings.EqualFold(strings.TrimSpace(s), "off") {
		return 0, wrongType(v, "a rate", off)
	}
	rate, err := linklayer.ParseRate(s)
	var bad *linklayer.RateError
	switch {
	case errors.As(err, &bad):
		return 0, &fault{describe(v) + " " + bad.Text, bad.Advice}
	case rate < slowestLine:
		return 0, &fault{describe(v) + " is slower than any line (64 kbit/s)", "check the number and its unit"}
	case rate > fastestLine:
		return 0, &fault{describe(v) + " is faster than any line (1000 Gbit/s)", "check the number and its unit"}
	}
	return rate, nil
}

// isZero tells a zero, with a unit or without.
func isZero(s string) bool {
	s = strings.TrimSpace(s)
	rest := strings.TrimLeft(s, "0.")
	return strings.HasPrefix(s, "0") && (rest == "" || rest[0] < '0' || rest[0] > '9')
}

// readHeadroom reads "10 %".
func readHeadroom(v any) (float64, *fault) {
	return readPercent(v, `write how much of the invoice rate to leave unused, such as "5 %"`)
}

// readPercent reads a percentage; the advice is for what is none.
func readPercent(v any, advice string) (float64, *fault) {
	switch n := v.(type) {
	case string:
	case int64:
		return 0, barePercent(v, float64(n), advice)
	case float64:
		return 0, barePercent(v, n, advice)
	default:
		return 0, wrongType(v, "a percentage", advice)
	}
	s, _ := v.(string)
	number, sign := strings.CutSuffix(strings.TrimSpace(s), "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch {
	case err != nil || strings.Trim(number, "-.0123456789 \t\u00a0") != "":
		return 0, wrongType(v, "a percentage", advice)
	case !sign:
		return 0, barePercent(v, percent, advice)
	case !(percent >= 0 && percent <= 90):
		return 0, &fault{describe(v) + " is outside 0 % to 90 %", advice}
	}
	return math.Abs(percent), nil // there is a -0
}

// barePercent is the fault of a number n, written as v, without a sign. What
// is below one is taken for a fraction.
func barePercent(v any, n float64, advice string) *fault {
	if n > 0 && n < 1 {
		n = math.Round(n*1e8) / 1e6
	}
	if n >= 0 && n <= 90 {
		advice = fmt.Sprintf("write \"%s %%\"", strconv.FormatFloat(n, 'f', -1, 64))
	}
	return &fault{describe(v) + " has no percent sign", advice}
}

// rtts are CAKE's words for a round-trip time (iproute2, tc/q_cake.c; the
// manual has another value for the last).
var rtts = []struct {
	name string
	time time.Duration
}{
	{"datacentre", 100 * time.Microsecond},
	{"lan", time.Millisecond},
	{"metro", 10 * time.Millisecond},
	{"regional", 30 * time.Millisecond},
	{"internet", 100 * time.Millisecond},
	{"oceanic", 300 * time.Millisecond},
	{"satellite", time.Second},
	{"interplanetary", 1000 * time.Second},
}

func rttNames() []string {
	names := make([]string, len(rtts))
	for i, r := range rtts {
		names[i] = r.name
	}
	return names
}

// readRTT reads a time or a word for one. The words span what is allowed.
func readRTT(v any) (time.Duration, *fault) {
	advice := `write a time, such as "100 ms", or one of ` + strings.Join(rttNames(), ", ")
	s, ok := v.(string)
	if !ok {
		return 0, bareNumber(v, "a time", "100 ms", advice)
	}
	for _, r := range rtts {
		if r.name == s {
			return r.time, nil
		}
	}
	d, err := time.ParseDuration(strings.ReplaceAll(s, " ", ""))
	switch {
	case isNumber(s):
		return 0, &fault{describe(v) + " has no unit", fmt.Sprintf("write %.40q", strings.TrimSpace(s)+" ms")}
	case err != nil:
		if near := linklayer.Nearest(s, rttNames()); near != "" {
			advice = fmt.Sprintf("write %q", near)
		}
		return 0, wrongType(v, "a time", advice)
	case d < rtts[0].time || d > rtts[len(rtts)-1].time:
		return 0, &fault{describe(v) + " is outside 100 µs to 1000 s", advice}
	case d%time.Microsecond != 0:
		return 0, &fault{describe(v) + " is no whole number of microseconds", "leave out the digits below a microsecond"}
	}
	return d, nil
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return err == nil
}

// bareNumber is the fault of a value that should be a string with a unit.
func bareNumber(v any, want, example, advice string) *fault {
	switch n := v.(type) {
	case int64, float64:
		_, unit, _ := strings.Cut(example, " ")
		return &fault{describe(n) + " has no unit", fmt.Sprintf("write %q", describe(n)+" "+unit)}
	}
	return wrongType(v, want, advice)
}

// The least still holds some packets; the most fits an int anywhere.
const (
	leastMemory = 64 << 10
	mostMemory  = 1 << 30
)

var sizeUnits = []struct {
	name  string
	bytes uint64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9},
	{"b", 1}, // the others end in it
}

// readSize reads bytes; "auto" is 0.
func readSize(v any) (int, *fault) {
	const advice = `write a whole number and a unit, such as "4 MiB", or "auto"`
	s, ok := v.(string)
	switch {
	case !ok:
		return 0, bareNumber(v, "a size", "4 MiB", advice)
	case s == "auto":
		return 0, nil
	case isNumber(s):
		return 0, &fault{describe(v) + " has no unit", advice}
	}
	for _, u := range sizeUnits {
		number, ok := strings.CutSuffix(strings.ToLower(strings.TrimSpace(s)), u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 31)
		switch {
		case errors.Is(err, strconv.ErrRange), err == nil && (n*u.bytes < leastMemory || n*u.bytes > mostMemory):
			return 0, &fault{describe(v) + " is outside 64 KiB to 1 GiB", advice}
		case err == nil:
			return int(n * u.bytes), nil
		}
		break
	}
	return 0, wrongType(v, "a size", advice)
}
