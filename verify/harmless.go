package verify

import (
	"fmt"
	"time"

	"github.com/sqmctl/sqmctl/plan"
)

// Things that people take for faults, and that are none. They are said to who
// asks for more words.

// harmlessSuperPackets are merged packets that the rate sends in no time: what is
// left of superPackets.
func (d *direction) harmlessSuperPackets() *Finding {
	queues := d.queuesWithRate(d.last())
	for _, q := range inOrder(queues) {
		longest, target := longestPacket(q)
		takes := queues[q].Time(longest)
		if longest*2 <= d.fullPacketOf(q)*3 || takes > target {
			continue
		}
		f := d.finding(SuperPackets, Fine, "", "%s on %s queues packets that are several merged ones: at its rate that is harmless, and they are counted at their full length", q.Kind, q.Link)
		takes = takes.Round(10 * time.Microsecond)
		return d.with(f, fmt.Sprintf("the longest had %d bytes, which take %s; the queue's target is %s", longest, takes, target)).
			numbered("longest_packet_bytes", float64(longest))
	}
	return nil
}

// harmlessDirect are the packets that passed an HTB by before its classes were
// there, or that are too few to matter. tc shows them as direct_packets_stat, and
// next to them a default that it has printed in three ways over the years.
func (d *direction) harmlessDirect() *Finding {
	root := d.root(d.last())
	if root.HTB == nil || root.Unknown.Stats || root.DirectPackets == 0 || tooManyDirect(d.direct(root)) {
		return nil
	}
	f := d.finding(Unclassified, Fine, "", "%d packets have passed the classes of HTB on %s by, of %d: some do before the classes are there, and that is harmless",
		root.DirectPackets, root.Link, root.Stats.Packets)
	if class := root.Handle | plan.Handle(root.HTB.Default); hasClass(d.queued(d.last()), class) {
		d.with(f, fmt.Sprintf("its default, %#x, is class %s, which is there; tc prints it as 0x%x, %x or %d, by its version", root.HTB.Default, class, root.HTB.Default, root.HTB.Default, root.HTB.Default))
	}
	return f.numbered("direct_packets", float64(root.DirectPackets))
}

func hasClass(device *plan.Device, handle plan.Handle) bool {
	for i := range device.Classes {
		if device.Classes[i].Handle == handle {
			return true
		}
	}
	return false
}
