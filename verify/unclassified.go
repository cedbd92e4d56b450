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
	direct, sent := d.direct(root)
	if !tooManyDirect(direct, sent) || d.corrects("default", "class") {
		return nil
	}
	percent := 100 * float64(direct) / float64(max(sent, direct))
	f := d.finding(Unclassified, Warning, fmt.Sprintf("let default name a class that all other packets may go to (%s); or write a profile, then run: sqmctl apply", defaultWords(root, d.queued(d.last()))),
		"HTB on %s lets packets pass unshaped, because no filter picks a class for them and its default is none", root.Link)
	return d.with(f, fmt.Sprintf("%d of %d packets passed the classes by, %.0f %%", direct, max(sent, direct), percent)).
		numbered("direct_packets", float64(direct)).numbered("direct_percent", percent)
}

// direct are the packets that HTB sent past its classes, and all that it sent,
// between the first look and the last, or with one look since it was made.
func (d *direction) direct(root *plan.QdiscState) (direct, sent uint64) {
	if root.HTB == nil || root.Unknown.Stats {
		return 0, 0
	}
	if len(d.samples) < 2 {
		return root.DirectPackets, root.Stats.Packets
	}
	before := d.sameIn(&d.samples[0], root)
	if before == nil {
		return 0, 0
	}
	return delta(before.DirectPackets, root.DirectPackets), delta(before.Stats.Packets, root.Stats.Packets)
}

func tooManyDirect(direct, sent uint64) bool {
	const least, share = 10, 100 // a percent
	return direct >= least && direct*share >= sent
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
