package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/linklayer"
)

// rateUnits is a link that another program shapes at rates of which both are
// whole multiples of 1024 kbit/s: somebody took an Mbit for that. One such rate may be meant, and so may two that are
// whole Mbits as well.
func (d *direction) rateUnits() *Finding {
	up, down := d.link.Egress, d.link.Ingress
	if up == nil || down == nil || up.Invoice != 0 || d.ingress() {
		return nil
	}
	rates := [2]linklayer.Rate{d.rate(d.last()), d.other(down).rate(d.last())}
	const kibi = 1024 * linklayer.Kbit
	var meant [2]linklayer.Rate
	for i, r := range rates {
		if r == 0 || r%kibi != 0 {
			return nil
		}
		meant[i] = r / kibi * linklayer.Mbit
	}
	if rates[0]%linklayer.Mbit == 0 && rates[1]%linklayer.Mbit == 0 {
		return nil
	}
	f := d.finding(RateUnits, Notice, "to providers and to tc an Mbit is 1000 kbit: set the rates anew, or write a profile, then run: sqmctl apply",
		"the rates look like Mbit taken for 1024 kbit, which is 2.4 %% more, half of a usual headroom")
	return d.with(f,
		fmt.Sprintf("upload at %s, which is %s × 1.024", rates[0], meant[0]),
		fmt.Sprintf("download at %s, which is %s × 1.024", rates[1], meant[1]))
}
