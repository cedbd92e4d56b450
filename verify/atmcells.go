package verify

import (
	"fmt"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

// atmCells is an ADSL line whose cells aren't counted: each packet takes whole
// cells of 53 bytes, which hold 48 of it.
func (d *direction) atmCells() *Finding {
	e, ok := d.charge()
	why := d.whyATM()
	if !ok || why == "" || e.Framing == linklayer.ATM || d.rate(d.last()) == 0 || d.correctsCharge() {
		return nil
	}
	cells := e
	cells.Framing = linklayer.ATM
	f := d.finding(ATMCells, Warning, d.byHand("atm", "delete framing, or write framing = \"atm\""),
		"%s, so packets go in ATM cells, and the shaper on %s doesn't count these: the line is full before the shaper is", why, d.shaper.Qdisc.Link)
	for _, size := range []int{40, d.fullIPPacket()} {
		d.with(f, fmt.Sprintf("%d bytes + %d are %d cells, which is %d bytes; the shaper counts %d, %s too little", size, e.Overhead,
			cells.WireSize(size)/53, cells.WireSize(size), e.WireSize(size), percentLess(e.WireSize(size), cells.WireSize(size))))
	}
	return f.numbered("overhead_bytes", float64(e.Overhead)).numbered("full_packet_too_low_percent", 100*(1-float64(e.WireSize(d.fullIPPacket()))/float64(cells.WireSize(d.fullIPPacket()))))
}

// whyATM says what makes the line an ADSL one: the profile, or a device that the
// kernel makes for nothing else (br2684 is named nas0, and PPPoA is over ATM).
func (d *direction) whyATM() string {
	if access := d.accessType(); access != nil {
		if strings.HasPrefix(access.Name, "adsl-") {
			return "the line is " + access.Title
		}
		return ""
	}
	device := d.device(d.last())
	for _, name := range []string{device.Name, device.Parent} {
		if isNumbered(name, "nas") || strings.HasPrefix(name, "pppoa-") {
			return name + " is an ATM device by its name"
		}
	}
	return ""
}

// isNumbered tells whether a name is a word and a number: "nas0".
func isNumbered(name, word string) bool {
	rest, ok := strings.CutPrefix(name, word)
	return ok && rest != "" && strings.Trim(rest, "0123456789") == ""
}
