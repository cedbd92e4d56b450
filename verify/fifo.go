package verify

import (
	"fmt"
	"time"

	"github.com/sqmctl/sqmctl/plan"
)

// longFIFO is how long packets may have to wait in a FIFO before it is as bad as
// the modem's.
const longFIFO = 50 * time.Millisecond

// fifo is a shaper with one long queue for all: the queue is where it can be
// managed, and nothing manages it. A class without a visible qdisc has a FIFO too,
// of as many packets as the device's queue is long (htb_change_class).
func (d *direction) fifo() *Finding {
	device := d.queued(d.last())
	var evidence []string
	var worst time.Duration
	for _, c := range leafClasses(device) {
		packets := fifoLength(&c, device)
		wait := c.most().Time(packets * (d.fullIPPacket() + device.LinkHeader()))
		if packets == 0 || wait <= longFIFO {
			continue
		}
		worst = max(worst, wait)
		evidence = append(evidence, fmt.Sprintf("class %s: %s of %d packets, %s when full at %s; %d bytes waiting now",
			c.Handle, fifoWords(&c), packets, wait.Round(time.Millisecond), c.most(), c.Stats.Backlog))
	}
	if len(evidence) == 0 || d.corrects("leaf") {
		return nil
	}
	f := d.finding(FIFO, Warning, fmt.Sprintf("put fq_codel below the class: tc qdisc add dev %s parent CLASS fq_codel; or write a profile, then run: sqmctl apply", device.Name),
		"the shaper on %s queues in a FIFO: all connections wait behind each other there, up to %s", device.Name, worst.Round(time.Millisecond))
	return d.with(f, evidence...).numbered("full_queue_ms", float64(worst)/float64(time.Millisecond))
}

// fifoLength is how many packets the FIFO of a class takes; 0 if it has none, or
// if its length isn't known.
func fifoLength(c *leafClass, device *plan.Device) int {
	switch {
	case c.queue == nil && c.Leaf != 0: // there is one, which wasn't shown
		return 0
	case c.queue == nil && device.TxQueueLen > 0:
		return device.TxQueueLen
	case c.queue == nil && device.Unknown.Link && c.htb.HTB != nil:
		return int(c.htb.HTB.DirectLimit) // the device's length when the qdisc was made, unless somebody gave another
	case c.queue != nil && c.queue.Kind == "pfifo":
		return c.queue.FIFOLimit
	case c.queue != nil && c.queue.Kind == "bfifo":
		return c.queue.FIFOLimit / fullFrame
	case c.queue != nil && c.queue.Kind == "pfifo_fast":
		return device.TxQueueLen
	}
	return 0
}

func fifoWords(c *leafClass) string {
	if c.queue == nil {
		return "a FIFO that the kernel doesn't show,"
	}
	return c.queue.Kind
}
