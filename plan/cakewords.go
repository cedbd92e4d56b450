package plan

import (
	"fmt"
	"slices"

	"github.com/sqmctl/sqmctl/linklayer"
)

// The words of tc's q_cake, by the kernel's number.
var (
	diffservWords  = []string{"diffserv3", "diffserv4", "diffserv8", "besteffort", "precedence"}
	isolationWords = []string{"flowblind", "srchost", "dsthost", "hosts", "flows", "dual-srchost", "dual-dsthost", "triple-isolate"}
	ackFilterWords = []string{"no-ack-filter", "ack-filter", "ack-filter-aggressive"}
	framingWords   = []string{linklayer.Plain: "noatm", linklayer.ATM: "atm", linklayer.PTM: "ptm"}
)

// String is tc's word: "besteffort".
func (d Diffserv) String() string { return wordOf(diffservWords, uint32(d)) }

// String is tc's word: "dual-srchost".
func (i Isolation) String() string { return wordOf(isolationWords, uint32(i)) }

// String is tc's word: "no-ack-filter".
func (a AckFilter) String() string { return wordOf(ackFilterWords, uint32(a)) }

// ParseDiffserv reads tc's word.
func ParseDiffserv(word string) (Diffserv, bool) {
	n, ok := numberOf(diffservWords, word)
	return Diffserv(n), ok
}

// ParseIsolation reads tc's word.
func ParseIsolation(word string) (Isolation, bool) {
	n, ok := numberOf(isolationWords, word)
	return Isolation(n), ok
}

// ParseAckFilter reads tc's word, not the profile's "off" and "on".
func ParseAckFilter(word string) (AckFilter, bool) {
	n, ok := numberOf(ackFilterWords, word)
	return AckFilter(n), ok
}

// wordOf must stand numbers that a newer kernel made up.
func wordOf(words []string, n uint32) string {
	if int(n) < len(words) {
		return words[n]
	}
	return fmt.Sprintf("unknown-%d", n)
}

func numberOf(words []string, word string) (uint32, bool) {
	n := slices.Index(words, word)
	if n < 0 {
		return 0, false
	}
	return uint32(n), true
}
