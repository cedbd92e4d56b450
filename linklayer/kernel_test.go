package linklayer_test

import (
	"slices"
	"testing"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

func TestMain(m *testing.M) { kernellab.Main(m) }

// Whatever tc and the kernel make of a preset is what ParseKeywords makes of
// it, and packets of all sizes cost in the kernel what WireSize says, on
// devices with a link header and without.
func TestWireSizeKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		router, line := kernellab.NewVeth(t)
		words := presets()
		all := charges(t, router, words)
		for i, c := range all {
			checkKeywords(t, words[i], c)
		}
		router.Batch("ip", `link add ifb4wan type ifb
			link set ifb4wan up
			link add tunnel type wireguard
			link set tunnel up mtu 1500
		`)
		router.Batch("tc", `qdisc add dev wan ingress
			filter add dev wan ingress protocol all prio 10 matchall action mirred egress redirect dev ifb4wan
		`)
		for _, d := range []struct {
			name string
			*scale
		}{
			{"Ethernet", newScale(t, router, "wan", router, "wan", 14)},
			{"IFB", newScale(t, router, "ifb4wan", line, "peer", 14)},
			{"no header", newScale(t, router, "tunnel", router, "tunnel", 0)},
		} {
			t.Run(d.name, func(t *testing.T) {
				for i, c := range all {
					d.check(t, words[i], c)
				}
			})
		}
	})
}

// Every two keywords of tc-cake(8), one after the other, are to the kernel
// what ParseKeywords makes of them, and cost what WireSize says.
func TestKeywordPairsKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		var pairs []string
		for _, first := range linklayer.Keywords() {
			for _, second := range linklayer.Keywords() {
				pairs = append(pairs, first+" "+second)
			}
		}
		router, _ := kernellab.NewVeth(t)
		all := charges(t, router, pairs)
		s := newScale(t, router, "wan", router, "wan", 14)
		seen := map[string]bool{}
		for i, c := range all {
			checkKeywords(t, pairs[i], c)
			if !seen[string(c.options)] {
				s.check(t, pairs[i], c)
			}
			seen[string(c.options)] = true
		}
		if len(seen) < 100 {
			t.Errorf("only %d different encapsulations", len(seen))
		}
	})
}

func checkKeywords(t *testing.T, words string, c charge) {
	t.Helper()
	if want, err := linklayer.ParseKeywords(words); err != nil || want != c.Encapsulation {
		t.Errorf("%s: the kernel has %+v, ParseKeywords says %+v, %v", words, c.Encapsulation, want, err)
	}
}

// presets are the words for CAKE whose arithmetic is checked.
func presets() []string {
	var all []string
	for _, name := range linklayer.AccessNames() {
		a, _ := linklayer.AccessByName(name)
		all = append(all, a.Keywords)
	}
	for _, k := range linklayer.Keywords() {
		all = append(all, k, k+" ether-vlan")
	}
	for _, framing := range []string{"noatm", "atm", "ptm"} {
		for _, numbers := range []string{
			"overhead -64", "overhead -14", "overhead -14 mpu 128", "mpu 128", "mpu 256", "overhead 256", "overhead 256 mpu 128", "raw mpu 128",
		} {
			all = append(all, numbers+" "+framing)
		}
	}
	all = append(all, "ethernet ether-vlan ether-vlan", "docsis ether-vlan ether-vlan",
		"pppoe-ptm ether-vlan ether-vlan", "bridged-llcsnap ether-vlan ether-vlan")
	slices.Sort(all)
	return slices.Compact(all)
}

// check weighs packets of many sizes, two at a time: CAKE reports the least
// and the most.
func (s *scale) check(t *testing.T, words string, c charge) {
	t.Helper()
	sizes := sizesFor(c.Encapsulation)
	if len(sizes) < 30 {
		t.Fatalf("%s: only %d sizes", words, len(sizes))
	}
	header := 0
	if c.raw {
		header = s.header
	}
	for i := range (len(sizes) + 1) / 2 {
		small, large := sizes[i], sizes[len(sizes)-1-i]
		s.set(c)
		got := s.weigh(small, large)
		small, large = small+header, large+header
		if want := (weight{small, large, c.WireSize(small), c.WireSize(large)}); got != want {
			t.Errorf("%s: packets of %d and %d bytes are %+v to the kernel, should be %+v", words, small, large, got, want)
		}
	}
}

// sizesFor are sizes of IP packets from 20 to 1500: usual ones, and those
// around the edges of an encapsulation's cells, blocks and minimum.
func sizesFor(e linklayer.Encapsulation) []int {
	sizes := []int{20, 21, 28, 40, 41, 52, 60, 64, 76, 99, 128, 200, 256, 300, 333, 512, 576, 700, 800, 900,
		1000, 1024, 1100, 1200, 1280, 1300, 1400, 1452, 1478, 1492, 1499, 1500}
	edges := []int{e.MPU}
	block := map[linklayer.Framing]int{linklayer.ATM: 48, linklayer.PTM: 64}[e.Framing]
	for _, n := range []int{1, 2, 3, 4, 5, 10, 16, 20, 23, 24, 30, 31, 32} {
		edges = append(edges, n*block)
	}
	for _, edge := range edges {
		sizes = append(sizes, edge-e.Overhead-1, edge-e.Overhead, edge-e.Overhead+1)
	}
	sizes = slices.DeleteFunc(sizes, func(n int) bool { return n < 20 || n > 1500 })
	slices.Sort(sizes)
	return slices.Compact(sizes)
}
