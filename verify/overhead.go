package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// ethernetHeader is in bytes; a size table counts from it on an Ethernet
// device, CAKE from the IP packet behind it.
const ethernetHeader = 14

// overheadTwice is a size table and CAKE that both add to a packet: CAKE goes
// on from the length that the table made (cake_overhead in the kernel's
// net/sched/sch_cake.c).
func (d *direction) overheadTwice() *Finding {
	root := d.root(d.last())
	if root.Cake == nil || !countedTwice(root) || d.correctsCharge() {
		return nil
	}
	e := root.Cake.Encapsulation
	f := d.finding(OverheadTwice, Fault, "take one of them away; sqmctl apply leaves CAKE's alone",
		"what the line adds to a packet is counted twice: by a size table (stab), which adds %d bytes%s, and by CAKE, which adds %d%s",
		root.Stab.Overhead, inCells(root.Stab.ATM), e.Overhead, inCells(e.Framing == linklayer.ATM))
	return f.numbered("stab_overhead_bytes", float64(root.Stab.Overhead)).numbered("cake_overhead_bytes", float64(e.Overhead))
}

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

// overheadNegative is right on no line: it was made for a size table.
func (d *direction) overheadNegative() *Finding {
	root := d.root(d.last())
	if root.Cake == nil || root.Cake.Raw || countedTwice(root) || root.Cake.Encapsulation.Overhead >= 0 || d.correctsCharge() {
		return nil
	}
	e := root.Cake.Encapsulation
	f := d.finding(OverheadNegative, Warning, negativeAdvice(e),
		"%s on %s takes %d bytes off each IP packet, and no line makes one smaller: short packets are counted too small", root.Kind, root.Link, -e.Overhead)
	return f.numbered("overhead_bytes", float64(e.Overhead))
}

// negativeAdvice takes the overhead for one of a size table.
func negativeAdvice(e linklayer.Encapsulation) string {
	e.Overhead += ethernetHeader
	if e.Overhead < 0 {
		return "find out what the line adds, with: sqmctl types"
	}
	advice := fmt.Sprintf("if it was made for a size table (stab) on Ethernet, CAKE's is %d + %d = %d", e.Overhead-ethernetHeader, ethernetHeader, e.Overhead)
	if name := accessWith(e); name != "" {
		return advice + ", which is type " + name
	}
	return advice
}

// accessWith is the first type of line with an encapsulation; "" if none has it.
func accessWith(e linklayer.Encapsulation) string {
	for _, name := range linklayer.AccessNames() {
		if a, _ := linklayer.AccessByName(name); !a.Raw && a.Encapsulation == e {
			return name
		}
	}
	return ""
}
