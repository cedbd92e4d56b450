package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/plan"
)

// unclassified are packets that no class of HTB takes: they pass unshaped. A few
// pass between the making of the qdisc and that of its class, and a default that
// looks odd may be another spelling, so only the packets tell.
func (d *direction) unclassified() *Finding {
	root := d.root(d.last())
	if root.HTB == nil || root.Unknown.Stats {
		return nil
	}
	direct, sent := root.DirectPackets, root.Stats.Packets
	if len(d.samples) > 1 {
		before := d.sameIn(&d.samples[0], root)
		if before == nil {
			return nil
		}
		direct, sent = delta(before.DirectPackets, direct), delta(before.Stats.Packets, sent)
	}
	const least, share = 10, 100 // a percent
	if direct < least || direct*share < sent || d.corrects("default", "class") {
		return nil
	}
	percent := 100 * float64(direct) / float64(max(sent, direct))
	f := d.finding(Unclassified, Warning, fmt.Sprintf("let default name a class that all other packets may go to (%s); or write a profile, then run: sqmctl apply", defaultWords(root, d.queued(d.last()))),
		"HTB on %s lets packets pass unshaped, because no filter picks a class for them and its default is none", root.Link)
	return d.with(f, fmt.Sprintf("%d of %d packets passed the classes by, %.0f %%", direct, max(sent, direct), percent)).
		numbered("direct_packets", float64(direct)).numbered("direct_percent", percent)
}

func defaultWords(root *plan.QdiscState, device *plan.Device) string {
	class := root.Handle | plan.Handle(root.HTB.Default)
	switch {
	case root.HTB.Default == 0:
		return "it is 0 now, which is none"
	case device.Unknown.Classes:
		return fmt.Sprintf("it is %#x now", root.HTB.Default)
	}
	for i := range device.Classes {
		if device.Classes[i].Handle == class {
			return fmt.Sprintf("it is %#x now, class %s, which has others below it or was made late", root.HTB.Default, class)
		}
	}
	return fmt.Sprintf("it is %#x now, and there is no class %s", root.HTB.Default, class)
}
