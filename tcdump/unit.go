package tcdump

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// tc prints rates with decimal prefixes (Kbit is 1000 bit/s) or, when asked,
// binary ones (Kibit); sizes with binary ones (Kb is 1024 bytes); times with
// three digits (tc(8), UNITS). Versions differ in how many decimals they print.
var (
	rateUnits = map[string]float64{
		"bit": 1, "kbit": 1e3, "mbit": 1e6, "gbit": 1e9, "tbit": 1e12,
		"kibit": 1 << 10, "mibit": 1 << 20, "gibit": 1 << 30, "tibit": 1 << 40,
		"bps": 8, "kbps": 8e3, "mbps": 8e6, "gbps": 8e9, "tbps": 8e12,
	}
	sizeUnits = map[string]float64{"": 1, "b": 1, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
	timeUnits = map[string]float64{"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "usec": 1e3, "msec": 1e6, "sec": 1e9}
)

// quantity is a number with a unit behind it, in whole ones of the smallest unit.
func quantity(s string, units map[string]float64) (uint64, bool) {
	end := strings.LastIndexAny(s, "0123456789.") + 1
	unit, ok := units[strings.ToLower(s[end:])]
	if !ok || end == 0 {
		return 0, false
	}
	if n, err := strconv.ParseUint(s[:end], 10, 64); err == nil && float64(n)*unit < 1<<63 {
		return n * uint64(unit), true
	}
	if strings.Trim(s[:end], "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s[:end], 64)
	if err != nil || n*unit >= 1<<63 {
		return 0, false
	}
	return uint64(math.Round(n * unit)), true
}

// parseRate reads "9545Kbit", "12bit", "95.0Mbit" or "unlimited", which is 0.
func parseRate(s string) (linklayer.Rate, bool) {
	if s == "unlimited" {
		return 0, true
	}
	n, ok := quantity(s, rateUnits)
	return linklayer.Rate(n), ok
}

// parseSize reads a number of bytes: "8003b", "31Kb", "1600b/1", "1514".
func parseSize(s string) (uint64, bool) {
	s, _, _ = strings.Cut(s, "/")
	return quantity(s, sizeUnits)
}

// parseTime reads "100ms", "100.0ms", "17us".
func parseTime(s string) (time.Duration, bool) {
	n, ok := quantity(s, timeUnits)
	return time.Duration(n), ok
}

// parseCodelTime reads a time of fq_codel's. The kernel tells a little less than
// what it was asked for; with milliseconds tc has rounded that away.
func parseCodelTime(s string) (time.Duration, bool) {
	d, ok := parseTime(s)
	if strings.HasSuffix(s, "us") && d <= math.MaxUint32*time.Microsecond {
		d = plan.CodelTime(uint32(d / time.Microsecond))
	}
	return d, ok
}

// parseCount reads a number, perhaps with punctuation and tc's "p" for packets.
func parseCount(s string) (uint64, bool) {
	s = strings.TrimSuffix(strings.Trim(s, "(),:;"), "p")
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil
}

// parseInt reads a number that may be below zero, of 32 bits.
func parseInt(s string) (int, bool) {
	n, err := strconv.ParseInt(s, 10, 32)
	return int(n), err == nil
}

// parseHandle reads "1:", "ffff:fff1", "root".
func parseHandle(s string) (plan.Handle, bool) {
	if s == "root" {
		return plan.HandleRoot, true
	}
	major, minor, ok := strings.Cut(s, ":")
	if !ok {
		return 0, false
	}
	a, errA := strconv.ParseUint("0"+major, 16, 16)
	b, errB := strconv.ParseUint("0"+minor, 16, 16)
	return plan.Handle(a<<16 | b), errA == nil && errB == nil
}

// parseHex reads a number in hexadecimal, with 0x or without.
func parseHex(s string) (uint32, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 32)
	return uint32(n), err == nil
}

// parseNumber reads a number in hexadecimal with 0x, in decimal without.
func parseNumber(s string) (uint32, bool) {
	if strings.HasPrefix(s, "0x") {
		return parseHex(s)
	}
	n, err := strconv.ParseUint(s, 10, 32)
	return uint32(n), err == nil
}
