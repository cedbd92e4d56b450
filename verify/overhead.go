package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// overhead looks for settings of CAKE's that are right on no line.
func (d *direction) overhead() *Finding {
	root := d.root(d.last())
	if root.Cake == nil {
		return nil
	}
	e := root.Cake.Encapsulation
	switch {
	case countedTwice(root):
		return d.finding(Overhead, Fault, "take one of them away; sqmctl apply leaves CAKE's alone",
			"what the line adds to a packet is counted twice: by a size table (stab), which adds %d bytes%s, and by CAKE, which adds %d%s",
			root.Stab.Overhead, inCells(root.Stab.ATM), e.Overhead, inCells(e.Framing == linklayer.ATM))
	case !root.Cake.Raw && e.Overhead < 0:
		return d.finding(Overhead, Warning, negativeAdvice(e),
			"%s on %s takes %d bytes off each IP packet, and no line makes one smaller: short packets are counted too small", root.Kind, root.Link, -e.Overhead)
	}
	return nil
}

// countedTwice tells whether both a size table and CAKE add to a packet: CAKE
// goes on from the length that the table made (cake_overhead in the kernel's
// net/sched/sch_cake.c).
func countedTwice(root *plan.QdiscState) bool {
	e := root.Cake.Encapsulation
	if root.Stab == nil || root.Stab.Overhead == 0 && !root.Stab.ATM {
		return false
	}
	return !root.Cake.Raw && e.Overhead != 0 || e.Framing != linklayer.Plain
}

func inCells(atm bool) string {
	if atm {
		return " and counts ATM cells"
	}
	return ""
}

// negativeAdvice takes the overhead for one of a size table, which counts from
// the Ethernet frame, where CAKE counts from the IP packet in it.
func negativeAdvice(e linklayer.Encapsulation) string {
	const ethernetHeader = 14
	e.Overhead += ethernetHeader
	if e.Overhead < 0 {
		return "find out what the line adds, with: sqmctl types"
	}
	advice := fmt.Sprintf("if it was made for a size table (stab) on Ethernet, CAKE's is %d + %d = %d", e.Overhead-ethernetHeader, ethernetHeader, e.Overhead)
	for _, name := range linklayer.AccessNames() {
		if a, _ := linklayer.AccessByName(name); !a.Raw && a.Encapsulation == e {
			return advice + ", which is type " + name
		}
	}
	return advice
}
