package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// stabOverhead is a size table whose overhead doesn't fit what counts from it.
func (d *direction) stabOverhead() *Finding {
	root := d.root(d.last())
	header, ok := d.linkHeader()
	if root.Stab == nil || root.Unknown.Options || !ok || header == 0 {
		return nil
	}
	if root.Cake != nil && !root.Cake.Raw {
		return d.headerTakenOff(root, header)
	}
	if root.HTB == nil && root.Cake == nil {
		return nil
	}
	return d.stabOfIP(root, header)
}

// headerTakenOff is CAKE with an overhead of 0 on top of a table: by that it
// counts from the IP packet, and takes the header off what the table made.
func (d *direction) headerTakenOff(root *plan.QdiscState, header int) *Finding {
	if !tableAdds(root.Stab) || countedTwice(root) || d.correctsCharge() {
		return nil
	}
	f := d.finding(StabOverhead, Warning, "with a size table CAKE must be raw; better, leave it to CAKE alone: write a profile with the type of the line, then run: sqmctl apply",
		"CAKE on %s has overhead 0 and not raw beside a size table (stab), so it takes the %d bytes of link header off what the table made: packets are counted too small", root.Link, header)
	return f.numbered("link_header_bytes", float64(header)).numbered("stab_overhead_bytes", float64(root.Stab.Overhead))
}

// stabOfIP is a table with a figure that counts from the IP packet, where a table
// counts from the frame: the type's own, in place of what the profile makes of it.
// Without a profile only a figure that is of some line from there, and of none
// from the frame, tells.
func (d *direction) stabOfIP(root *plan.QdiscState, header int) *Finding {
	found := tableAs(root.Stab)
	access := d.accessType()
	switch {
	case access != nil:
		if access.Raw || !d.corrects("stab") || found.Overhead != access.Encapsulation.Overhead || found.Framing != access.Encapsulation.Framing {
			return nil
		}
	case accessWith(found) == "" || header != ethernetHeader || isTableFigure(found):
		return nil
	default:
		a, _ := linklayer.AccessByName(accessWith(found))
		access = &a
	}
	right := found.Overhead - header
	f := d.finding(StabOverhead, Notice, fmt.Sprintf("set the table's overhead to %d − %d = %d; or write a profile with type = %q, then run: sqmctl apply", found.Overhead, header, right, access.Name),
		"the size table (stab) on %s adds %d bytes, which type %s adds to an IP packet; a table adds to the frame, whose link header of %d bytes is counted already", root.Link, found.Overhead, access.Name, header)
	less := found
	less.Overhead = right
	d.with(f, tooMuchWords(found, less, d.fullIPPacket(), header))
	return f.numbered("stab_overhead_bytes", float64(found.Overhead)).numbered("right_stab_overhead_bytes", float64(right))
}

// tooMuchWords are by how much packets of all sizes count too much: in cells a
// single size may not.
func tooMuchWords(found, right linklayer.Encapsulation, full, header int) string {
	const ack = 40
	var counted, should int
	for size := ack; size <= full; size++ {
		counted, should = counted+found.WireSize(size+header), should+right.WireSize(size+header)
	}
	return fmt.Sprintf("IP packets of %d to %d bytes count %s too much, on average over the sizes", ack, full, percentMore(counted, should))
}

// tableAs is what a table makes of a frame.
func tableAs(stab *plan.Stab) linklayer.Encapsulation {
	e := linklayer.Encapsulation{Overhead: stab.Overhead, MPU: stab.MPU}
	if stab.ATM {
		e.Framing = linklayer.ATM
	}
	return e
}

// isTableFigure tells whether some line needs just that table on Ethernet.
func isTableFigure(e linklayer.Encapsulation) bool {
	e.Overhead += ethernetHeader
	return accessWith(e) != ""
}
