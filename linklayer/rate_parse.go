package linklayer

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"unicode"
)

// RateError says why a text isn't a rate, and what to write instead.
type RateError struct {
	Input  string // as it was given
	Text   string // what is wrong with it: "has no unit"
	Advice string // an action
}

// Error is all of it on one line.
func (e *RateError) Error() string { return fmt.Sprintf("%.40q %s; %s", e.Input, e.Text, e.Advice) }

// ParseRate reads a rate as providers sell it: a decimal number and a unit of
// bit/s, with k, M or G (10^3, 10^6, 10^9) before it. "100 Mbit/s",
// "100mbit", "9.5 Mbps" and "9500 kb/s" are rates. The value is exact: what is
// no whole number of bit/s is refused, and so are zero, bare numbers, and the
// units that count in bytes or in powers of 1024. An error is a *RateError.
func ParseRate(s string) (Rate, error) {
	number, unit := splitUnit(s)
	switch {
	case strings.HasPrefix(number, "-"):
		return 0, rateError(s, "is negative", `write a rate above zero, such as "40 Mbit/s"`)
	case !isDecimal(number):
		return 0, rateError(s, "is not a rate", numberAdvice(number, unit))
	case unit == "":
		return 0, rateError(s, "has no unit", bareAdvice(number))
	}
	u, ok := rateUnit(unit)
	if !ok {
		return 0, rateError(s, fmt.Sprintf("has the unknown unit %.20q", unit), `write kbit/s, Mbit/s or Gbit/s after the number`)
	}
	r, fault := scale(number, u.bits)
	if fault == "" && u.offence != "" {
		return 0, rateError(s, "counts in "+u.offence, conversion(number+" "+unit, r))
	}
	if fault == "" && r == 0 {
		fault = "is zero"
	}
	if fault != "" {
		return 0, rateError(s, fault, `write a whole number of bit/s above zero, such as "9.5 Mbit/s"`)
	}
	return r, nil
}

func rateError(input, text, advice string) error {
	return &RateError{Input: input, Text: text, Advice: advice}
}

// splitUnit cuts a text after its number, which may have a sign.
func splitUnit(s string) (number, unit string) {
	s = strings.TrimSpace(s)
	end := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("+-0123456789.,_", r) })
	if end < 0 {
		return s, ""
	}
	return s[:end], strings.TrimLeftFunc(s[end:], unicode.IsSpace)
}

// isDecimal tells digits with at most one point, which has digits on both
// sides.
func isDecimal(s string) bool {
	whole, fraction, point := strings.Cut(s, ".")
	return isDigits(whole) && (!point || isDigits(fraction))
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func numberAdvice(number, unit string) string {
	if repaired := strings.ReplaceAll(number, ",", "."); number != repaired && isDecimal(repaired) && unit != "" {
		return fmt.Sprintf("write the number with a point: %.40q", repaired+" "+unit)
	}
	return `write a number and a unit, such as "40 Mbit/s"`
}

// bareAdvice takes small numbers for Mbit/s and large ones for the kbit/s that
// other tools take without a unit.
func bareAdvice(number string) string {
	if r, fault := scale(number, uint64(Kbit)); fault == "" && r >= 10*Mbit {
		return fmt.Sprintf("write %q if it is in kbit/s", r.String())
	}
	return fmt.Sprintf("write %.40q", number+" Mbit/s")
}

// unit is what follows a number, in bit/s.
type unit struct {
	bits    uint64
	offence string // why a rate can't be written so; empty for a good unit
}

// rateUnit reads a unit. Case tells a bit from a byte in "b" and "B", and
// nothing anywhere else.
func rateUnit(s string) (unit, bool) {
	base, offence, rest := uint64(1000), "", s
	power := strings.IndexByte("kmg", lower(s[0])) + 1
	if power > 0 {
		rest = s[1:]
	}
	if power > 0 && len(rest) > 1 && lower(rest[0]) == 'i' && lower(rest[1]) == 'b' {
		base, offence, rest = 1024, "powers of 1024", rest[1:]
	}
	u := unit{bits: 1, offence: offence}
	switch {
	case isBit(rest):
	case isByte(rest):
		u.bits, u.offence = 8, "bytes"
	default:
		return unit{}, false
	}
	for range power {
		u.bits *= base
	}
	return u, true
}

func lower(b byte) byte { return b | 0x20 }

func isBit(s string) bool {
	switch strings.ToLower(s) {
	case "bit/s", "bit", "bits/s", "bits":
		return true
	}
	return s == "b/s" || s == "bps" || s == "b"
}

func isByte(s string) bool {
	switch strings.ToLower(s) {
	case "byte/s", "byte", "bytes/s", "bytes":
		return true
	}
	return s == "B/s" || s == "Bps" || s == "B"
}

// conversion offers the good spelling of a rate in a refused unit.
func conversion(written string, r Rate) string {
	if r == 0 {
		return `write a rate above zero, such as "40 Mbit/s"`
	}
	return fmt.Sprintf("%.40s is %s: write that", written, r)
}

// scale is number × unit in whole bit/s, or says why there is no such rate.
func scale(number string, unit uint64) (r Rate, fault string) {
	whole, fraction, _ := strings.Cut(number, ".")
	fraction = strings.TrimRight(fraction, "0")
	value, err := strconv.ParseUint(whole+fraction, 10, 64)
	if err != nil || len(fraction) > 19 { // 10^19 is the largest power in 64 bits
		return 0, "has too many digits"
	}
	divisor := uint64(1)
	for range fraction {
		divisor *= 10
	}
	hi, lo := bits.Mul64(value, unit)
	if hi >= divisor {
		return 0, "is too large"
	}
	quotient, rest := bits.Div64(hi, lo, divisor)
	if rest != 0 {
		return 0, "is no whole number of bit/s"
	}
	return Rate(quotient), ""
}
