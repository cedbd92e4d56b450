package plan

import (
	"fmt"
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// option is one attribute of a qdisc or class in three spellings.
type option struct {
	name  string // as tc -j names it, with hyphens for CAKE
	value string // exact, so that two values are equal if their spellings are
	words string // what tc must be told; "" where tc can't be told, or needn't be
}

// spelt is options as typed after the kind.
func spelt(options []option) string {
	var all []string
	for _, o := range options {
		if o.words != "" {
			all = append(all, o.words)
		}
	}
	return strings.Join(all, " ")
}

// differing lists the attributes in which two of a kind differ, in tc's words
// and with what the kernel can't tell apart taken as equal: it keeps rates in
// whole bytes per second and times in whole µs.
func differing(was, want []option) []Attribute {
	var differ []Attribute
	for i, o := range was {
		if o.value != want[i].value {
			differ = append(differ, Attribute{Name: o.name, Was: o.value, Want: want[i].value})
		}
	}
	return differ
}

func word(name, value string) option { return option{name, value, value} }

// either is an option with a word for on and perhaps one for off.
func either(name string, on bool, yes, no string) option {
	switch {
	case on:
		return option{name, yes, yes}
	case no == "":
		return option{name, "off", ""}
	}
	return option{name, no, no}
}

// number is an option whose zero tc doesn't send.
func number(name string, n int64, value string) option {
	if n == 0 {
		return option{name, "0", ""}
	}
	return option{name, value, name + " " + value}
}

// rateWord is the rate that the kernel keeps, as tc reads it without loss. To
// tc a kbit is 1000 bit (tc(8), UNITS).
func rateWord(r linklayer.Rate) string {
	bits := r.BytesPerSecond() * 8
	if bits == 0 {
		return "unlimited"
	}
	for _, u := range rateUnits {
		if bits%uint64(u.rate) == 0 {
			return fmt.Sprintf("%d%s", bits/uint64(u.rate), u.name)
		}
	}
	return fmt.Sprintf("%dbit", bits)
}

var rateUnits = []struct {
	name string
	rate linklayer.Rate
}{{"gbit", linklayer.Gbit}, {"mbit", linklayer.Mbit}, {"kbit", linklayer.Kbit}}

// timeWord is a time as tc reads it without loss. tc keeps µs and cuts off
// the rest, so a decimal fraction could lose one.
func timeWord(d time.Duration) string {
	us := d.Microseconds()
	switch {
	case us != 0 && us%1_000_000 == 0:
		return fmt.Sprintf("%ds", us/1_000_000)
	case us != 0 && us%1000 == 0:
		return fmt.Sprintf("%dms", us/1000)
	}
	return fmt.Sprintf("%dus", us)
}

// sizeWord is a number of bytes as tc reads it without loss. To tc a Kb is
// 1024 bytes (tc(8), UNITS).
func sizeWord(bytes uint32) string {
	switch {
	case bytes != 0 && bytes%(1<<20) == 0:
		return fmt.Sprintf("%dMb", bytes>>20)
	case bytes != 0 && bytes%(1<<10) == 0:
		return fmt.Sprintf("%dKb", bytes>>10)
	}
	return fmt.Sprintf("%db", bytes)
}
