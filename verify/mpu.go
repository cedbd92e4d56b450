package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/linklayer"
)

// mpu is a line that pads short packets, of which the shaper knows nothing:
// Ethernet, and so cable, sends no frame below 64 bytes.
func (d *direction) mpu() *Finding {
	e, ok := d.charge()
	least := d.leastFrame(e)
	if !ok || e.MPU >= least || d.rate(d.last()) == 0 || d.correctsCharge() {
		return nil
	}
	severity, access := Notice, d.accessType()
	of := "the overhead is that of cable (DOCSIS)"
	if access != nil {
		of = "the line is " + access.Title
		if access.Name == cableType {
			severity = Warning
		}
	}
	f := d.finding(MPU, severity, d.byHand(fmt.Sprintf("mpu %d", least), fmt.Sprintf("delete mpu, or write mpu = %d", least)),
		"%s, which pads short packets to %d bytes, and the shaper on %s counts them with what they have", of, least, d.shaper.Qdisc.Link)
	const ack = 40
	d.with(f, fmt.Sprintf("an acknowledgement of %d bytes + %d = %d counts %d instead of %d, %s too little", ack, e.Overhead, ack+e.Overhead, e.WireSize(ack), least, percentLess(e.WireSize(ack), least)))
	return f.numbered("mpu_bytes", float64(e.MPU)).numbered("right_mpu_bytes", float64(least))
}

const cableType = "docsis"

// leastFrame is what the line pads to, in bytes; 0 if it doesn't, or if the
// overhead counts from elsewhere. Without a profile only cable's overhead tells.
func (d *direction) leastFrame(e linklayer.Encapsulation) int {
	access := d.accessType()
	if access == nil {
		cable, _ := linklayer.AccessByName(cableType)
		access = &cable
	}
	right := access.Encapsulation
	if access.Raw || e.Overhead != right.Overhead || e.Framing != right.Framing || e.WireSize(40) >= right.MPU {
		return 0
	}
	return right.MPU
}
