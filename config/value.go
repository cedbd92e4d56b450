package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

// The words of CAKE, as in tc-cake(8); ack_filter has its own.
var (
	diffservs  = []string{"besteffort", "diffserv3", "diffserv4", "diffserv8", "precedence"}
	isolations = []string{"flowblind", "srchost", "dsthost", "hosts", "flows", "dual-srchost", "dual-dsthost", "triple-isolate"}
	ackFilters = []string{"auto", "off", "on", "aggressive"}
)

// readWord reads one of some words.
func readWord(words []string) func(any) (string, *fault) {
	return func(v any) (string, *fault) {
		s, ok := v.(string)
		all := "write one of " + strings.Join(words, ", ") + ", in quotes"
		near := linklayer.Nearest(s, words)
		switch {
		case slices.Contains(words, s):
			return s, nil
		case !ok:
			return "", wrongType(v, "a word", all)
		case near != "":
			return "", &fault{describe(v) + " is unknown", fmt.Sprintf("write %q", near)}
		}
		return "", &fault{describe(v) + " is unknown", all}
	}
}

func framings() []string {
	return []string{linklayer.Plain.String(), linklayer.ATM.String(), linklayer.PTM.String()}
}

func readFraming(v any) (linklayer.Framing, *fault) {
	word, f := readWord(framings())(v)
	if f != nil {
		return 0, f
	}
	return linklayer.Framing(slices.Index(framings(), word)), nil
}

func readBool(v any) (bool, *fault) {
	b, ok := v.(bool)
	if ok {
		return b, nil
	}
	s, _ := v.(string)
	switch strings.ToLower(s) {
	case "true", "yes", "on":
		return false, wrongType(v, "true or false", "write true, without quotes")
	case "false", "no", "off":
		return false, wrongType(v, "true or false", "write false, without quotes")
	}
	return false, wrongType(v, "true or false", "write one of the two, without quotes")
}

// CAKE's bounds (tc-cake(8)), in bytes. A negative overhead is legal there,
// though no line takes bytes away from a packet.
func readOverhead(v any) (int, *fault) {
	return readInteger(v, -64, 256, "write the bytes that the line adds to each IP packet, such as 44")
}

func readMPU(v any) (int, *fault) {
	return readInteger(v, 0, 256, "write the bytes that the smallest packet takes up, such as 64")
}

func readInteger(v any, low, high int64, advice string) (int, *fault) {
	n, ok := v.(int64)
	if s, isString := v.(string); isString {
		if number, err := strconv.Atoi(strings.TrimSpace(s)); err == nil {
			advice = fmt.Sprintf("write %d, without quotes", number)
		}
	}
	switch {
	case !ok:
		return 0, wrongType(v, "a whole number", advice)
	case n < low || n > high:
		return 0, &fault{fmt.Sprintf("%d is outside %d to %d", n, low, high), advice}
	}
	return int(n), nil
}

// readMask reads a mask of 32 bits, from a number or in a string.
func readMask(v any) (uint32, *fault) {
	const advice = `write a mask of at most 32 bits, such as 0xff`
	switch v := v.(type) {
	case int64:
		if v >= 0 && v <= 1<<32-1 {
			return uint32(v), nil
		}
	case string:
		if mask, err := strconv.ParseUint(strings.TrimSpace(v), 0, 32); err == nil {
			return uint32(mask), nil
		}
	}
	return 0, wrongType(v, "a mask of 32 bits", advice)
}
