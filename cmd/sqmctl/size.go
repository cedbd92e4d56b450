package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

const (
	// mostBuffer is far above any modem's, and still fits an int anywhere.
	mostBuffer = 1 << 30
	// leastBuffer has room for a full packet with any header, in bytes.
	leastBuffer = 2000
	// slowest and fastest are the bounds of a line's rate, and mostPercent of a
	// part of it.
	slowest     = 8 * linklayer.Kbit
	fastest     = 100 * linklayer.Gbit
	mostPercent = 1000
)

var bufferUnits = []struct {
	name  string
	bytes float64
}{{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"gb", 1e9}, {"kb", 1e3}, {"mb", 1e6}, {"b", 1}, {"", 1}}

// parseBuffer reads a buffer: in bytes, "512KiB" or "64kB", or in packets,
// "100p". One of the results is 0.
func parseBuffer(option, text string) (bytes, packets int, err error) {
	plain := strings.ToLower(strings.ReplaceAll(text, " ", ""))
	if number, ok := strings.CutSuffix(plain, "p"); ok {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > mostBuffer {
			return 0, 0, bufferError(option, text)
		}
		return 0, n, nil
	}
	number := strings.TrimRight(plain, "kimgb")
	value, err := strconv.ParseFloat(number, 64)
	for _, u := range bufferUnits {
		if n := math.Round(value * u.bytes); err == nil && plain[len(number):] == u.name && n >= leastBuffer && n <= mostBuffer {
			return int(n), 0, nil
		}
	}
	return 0, 0, bufferError(option, text)
}

func bufferError(option, text string) error {
	return &usageError{
		text: fmt.Sprintf("--%s %q is not a buffer of 2000 bytes to 1 GiB", option, text),
		hint: "write bytes with a unit, such as 512KiB or 64kB, or packets, such as 100p",
	}
}

// parsePercent reads "98%", from 0 to mostPercent; ok is false for anything else.
func parsePercent(text string) (percent float64, ok bool) {
	number, sign := strings.CutSuffix(strings.TrimSpace(text), "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	return percent, sign && err == nil && percent >= 0 && percent <= mostPercent
}

// parseRate reads a rate of an option.
func parseRate(option, text string) (linklayer.Rate, error) {
	rate, err := linklayer.ParseRate(text)
	if err != nil {
		return 0, &usageError{text: "--" + option + ": " + err.Error(), hint: "for example: --" + option + " 20mbit"}
	}
	if rate < slowest || rate > fastest {
		return 0, &usageError{text: fmt.Sprintf("--%s %s is outside %s to %s", option, rate, slowest, fastest), hint: "for example: --" + option + " 20mbit"}
	}
	return rate, nil
}

// parsePartOf reads a rate, or a percentage of another one.
func parsePartOf(option, text string, whole linklayer.Rate) (linklayer.Rate, error) {
	percent, ok := parsePercent(text)
	switch {
	case !ok && strings.HasSuffix(strings.TrimSpace(text), "%"):
		return 0, &usageError{text: fmt.Sprintf("--%s %q is not a percentage from 0 to %d", option, text, mostPercent), hint: "write it as 95%, or write a rate"}
	case !ok:
		return parseRate(option, text)
	}
	rate := linklayer.Rate(math.Round(float64(whole) * percent / 100))
	if rate < slowest {
		return 0, &usageError{text: fmt.Sprintf("--%s %q of %s is below %s", option, text, whole, slowest), hint: "write more, such as 95%"}
	}
	return rate, nil
}

// sizeWords is a number of bytes for people.
func sizeWords(bytes int) string {
	switch {
	case bytes >= 1<<20 && bytes%(1<<18) == 0:
		return fmt.Sprintf("%g MiB", float64(bytes)/(1<<20))
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}
