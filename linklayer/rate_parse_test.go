package linklayer

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestParseRate(t *testing.T) {
	tests := []struct {
		text string
		want Rate
	}{
		{"100 Mbit/s", 100 * Mbit},
		{"100 mbit", 100 * Mbit},
		{"100Mbps", 100 * Mbit},
		{"100mbps", 100 * Mbit},
		{"100 Mb/s", 100 * Mbit},
		{"100 MBit/s", 100 * Mbit},
		{"100 MBIT", 100 * Mbit},
		{"9.5 Mbit/s", 9_500 * Kbit},
		{"09.50 Mbit/s", 9_500 * Kbit},
		{"9500 kbit/s", 9_500 * Kbit},
		{"9500Kbit", 9_500 * Kbit},
		{"9500 kb/s", 9_500 * Kbit},
		{"2.5 Gbit/s", 2_500 * Mbit},
		{"1 gbit/s", Gbit},
		{"64000 bit/s", 64 * Kbit},
		{"64000bps", 64 * Kbit},
		{"  40 \u00a0Mbit/s\t", 40 * Mbit},
		{"0.1 Mbit/s", 100 * Kbit},
		{"0.3 kbit/s", 300},
		{"1.000001 Mbit/s", 1_000_001},
		{"1.100000000000000000000000000 Mbit/s", 1_100 * Kbit},
		{"000000000000000000000000000001 bit/s", 1},
		{"18446744073709551.615 kbit/s", math.MaxUint64},
	}
	for _, tt := range tests {
		if got, err := ParseRate(tt.text); err != nil || got != tt.want {
			t.Errorf("%q is %s, %v, want %s", tt.text, got, err, tt.want)
		}
	}
}

func TestParseRateErrors(t *testing.T) {
	const decimal = `; write a number and a unit, such as "40 Mbit/s"`
	tests := []struct{ text, want string }{
		{"", `is not a rate` + decimal},
		{"fast", `is not a rate` + decimal},
		{"Mbit/s", `is not a rate` + decimal},
		{"NaN Mbit/s", `is not a rate` + decimal},
		{"inf Mbit/s", `is not a rate` + decimal},
		{".5 Mbit/s", `is not a rate` + decimal},
		{"5. Mbit/s", `is not a rate` + decimal},
		{"1.2.3 Mbit/s", `is not a rate` + decimal},
		{"+40 Mbit/s", `is not a rate` + decimal},
		{"1_000 kbit/s", `is not a rate` + decimal},
		{"9,5 Mbit/s", `is not a rate; write the number with a point: "9.5 Mbit/s"`},
		{"40", `has no unit; write "40 Mbit/s"`},
		{"9.5", `has no unit; write "9.5 Mbit/s"`},
		{"9500", `has no unit; write "9500 Mbit/s"`},
		{"40000", `has no unit; write "40 Mbit/s" if it is in kbit/s`},
		{"1e6 bit/s", `has the unknown unit "e6 bit/s"; write kbit/s, Mbit/s or Gbit/s after the number`},
		{"40 M", `has the unknown unit "M"; write kbit/s, Mbit/s or Gbit/s after the number`},
		{"40 Mbit/h", `has the unknown unit "Mbit/h"; write kbit/s, Mbit/s or Gbit/s after the number`},
		{"40 MBPS", `has the unknown unit "MBPS"; write kbit/s, Mbit/s or Gbit/s after the number`},
		{"1 Tbit/s", `has the unknown unit "Tbit/s"; write kbit/s, Mbit/s or Gbit/s after the number`},
		{"12.5 MB/s", `counts in bytes; 12.5 MB/s is 100 Mbit/s: write that`},
		{"12.5 \nMBps", `counts in bytes; 12.5 MBps is 100 Mbit/s: write that`},
		{"1000 kB", `counts in bytes; 1000 kB is 8 Mbit/s: write that`},
		{"1 MiB/s", `counts in bytes; 1 MiB/s is 8388.608 kbit/s: write that`},
		{"100 Mibit/s", `counts in powers of 1024; 100 Mibit/s is 104857.6 kbit/s: write that`},
		{"100 Kibit", `counts in powers of 1024; 100 Kibit is 102.4 kbit/s: write that`},
		{"1 gibps", `counts in powers of 1024; 1 gibps is 1073741.824 kbit/s: write that`},
		{"0 MB/s", `counts in bytes; write a rate above zero, such as "40 Mbit/s"`},
		{"-1 Mbit/s", `is negative; write a rate above zero, such as "40 Mbit/s"`},
		{"-", `is negative; write a rate above zero, such as "40 Mbit/s"`},
		{"0 Mbit/s", `is zero; write a whole number of bit/s above zero, such as "9.5 Mbit/s"`},
		{"0.5 bit/s", `is no whole number of bit/s; write a whole number of bit/s above zero, such as "9.5 Mbit/s"`},
		{"1.0000001 Mbit/s", `is no whole number of bit/s; write a whole number of bit/s above zero, such as "9.5 Mbit/s"`},
		{"18446744073709551616 bit/s", `has too many digits; write a whole number of bit/s above zero, such as "9.5 Mbit/s"`},
		{"9999999999999999999 Gbit/s", `is too large; write a whole number of bit/s above zero, such as "9.5 Mbit/s"`},
		{"9999999999 GB/s", `is too large; write a whole number of bit/s above zero, such as "9.5 Mbit/s"`},
	}
	for _, tt := range tests {
		_, err := ParseRate(tt.text)
		var fault *RateError
		if !errors.As(err, &fault) || fault.Text+"; "+fault.Advice != tt.want || fault.Input != tt.text {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestRateErrorIsOneLine(t *testing.T) {
	_, err := ParseRate("40\n")
	if want := `"40\n" has no unit; write "40 Mbit/s"`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func FuzzParseRate(f *testing.F) {
	for _, s := range []string{"100 Mbit/s", "9.5mbps", "12.5 MB/s", "100 Kibit", "40", "-1 bit", "0.001 kbit", "18446744073709551.615 kbit/s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRate(text)
		if err != nil {
			checkRateError(t, text, err)
			return
		}
		if again, err := ParseRate(r.String()); err != nil || again != r || r == 0 {
			t.Fatalf("%q is %d, printed as %q, and that is %d, %v", text, uint64(r), r, uint64(again), err)
		}
	})
}

func checkRateError(t *testing.T, text string, err error) {
	var fault *RateError
	if !errors.As(err, &fault) || fault.Input != text || fault.Text == "" || fault.Advice == "" {
		t.Fatalf("%q: %#v", text, err)
	}
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Fatalf("%q: the error has more than a line: %q", text, err)
	}
}
