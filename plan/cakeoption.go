package plan

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// option is one attribute of CAKE in three spellings.
type option struct {
	name  string // as tc -j names it, with hyphens
	value string // exact, so that two values are equal if their spellings are
	words string // what tc must be told; "" where tc can't be told, or needn't be
}

// options are all attributes of CAKE, in an order that tc's parser takes:
// autorate-ingress after bandwidth, which turns it off; raw before atm and
// overhead, which it resets (tc/q_cake.c).
//
// tc never sends a zero mpu, memlimit or fwmark, nor diffserv3, whose number
// is zero too. A new qdisc starts with these anyhow.
func (c *Cake) options() []option {
	e := c.Encapsulation
	return []option{
		{"bandwidth", rateWord(c.Rate), bandwidthWords(c.Rate)},
		either("autorate-ingress", c.Autorate, "autorate-ingress", ""),
		word("diffserv", c.Diffserv.String()),
		word("flowmode", c.Isolation.String()),
		either("nat", c.NAT, "nat", "nonat"),
		either("wash", c.Wash, "wash", "nowash"),
		either("ingress", c.Ingress, "ingress", "egress"),
		word("ack-filter", c.AckFilter.String()),
		either("split-gso", c.SplitGSO, "split-gso", "no-split-gso"),
		{"rtt", timeWord(c.RTT), "rtt " + timeWord(c.RTT)},
		{"target", timeWord(c.Target), ""}, // tc sets it together with rtt
		either("raw", c.Raw, "raw", ""),
		word("atm", wordOf(framingWords, uint32(e.Framing))),
		{"overhead", strconv.Itoa(e.Overhead), fmt.Sprintf("overhead %d", e.Overhead)},
		number("mpu", int64(e.MPU), strconv.Itoa(e.MPU)),
		number("memlimit", int64(c.MemoryLimit), sizeWord(c.MemoryLimit)),
		number("fwmark", int64(c.FwMark), fmt.Sprintf("%#x", c.FwMark)),
	}
}

// words is CAKE as typed after "cake".
func (c *Cake) words() string {
	var all []string
	for _, o := range c.options() {
		if o.words != "" {
			all = append(all, o.words)
		}
	}
	return strings.Join(all, " ")
}

// DiffCake lists the attributes in which was differs from want, in tc's words
// and with what the kernel can't tell apart taken as equal: it keeps rates in
// whole bytes per second and times in whole µs.
func DiffCake(was, want *Cake) []Attribute {
	var differ []Attribute
	wanted := want.options()
	for i, o := range was.options() {
		if o.value != wanted[i].value {
			differ = append(differ, Attribute{Name: o.name, Was: o.value, Want: wanted[i].value})
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

func bandwidthWords(r linklayer.Rate) string {
	if r.BytesPerSecond() == 0 {
		return "unlimited"
	}
	return "bandwidth " + rateWord(r)
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
