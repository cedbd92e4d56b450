package plan

import (
	"fmt"
	"strconv"

	"github.com/sqmctl/sqmctl/linklayer"
)

// options are all attributes of CAKE, in an order that tc's parser takes:
// autorate-ingress after bandwidth, which turns it off; raw before atm and
// overhead, which it resets (tc/q_cake.c).
//
// tc never sends a zero mpu, memlimit or fwmark, nor diffserv3, whose number
// is zero too. A new qdisc starts with these anyhow.
func (c *Cake) options() []option {
	e := c.Encapsulation
	return []option{
		{"bandwidth", rateWord(c.Rate), bandwidthWords(c.Rate)},
		either("autorate-ingress", c.Autorate, "autorate-ingress", ""),
		word("diffserv", c.Diffserv.String()),
		word("flowmode", c.Isolation.String()),
		either("nat", c.NAT, "nat", "nonat"),
		either("wash", c.Wash, "wash", "nowash"),
		either("ingress", c.Ingress, "ingress", "egress"),
		word("ack-filter", c.AckFilter.String()),
		either("split-gso", c.SplitGSO, "split-gso", "no-split-gso"),
		{"rtt", timeWord(c.RTT), "rtt " + timeWord(c.RTT)},
		{"target", timeWord(c.Target), ""}, // tc sets it together with rtt
		either("raw", c.Raw, "raw", ""),
		word("atm", wordOf(framingWords, uint32(e.Framing))),
		{"overhead", strconv.Itoa(e.Overhead), fmt.Sprintf("overhead %d", e.Overhead)},
		number("mpu", int64(e.MPU), strconv.Itoa(e.MPU)),
		number("memlimit", int64(c.MemoryLimit), sizeWord(c.MemoryLimit)),
		number("fwmark", int64(c.FwMark), fmt.Sprintf("%#x", c.FwMark)),
	}
}

func bandwidthWords(r linklayer.Rate) string {
	if r.BytesPerSecond() == 0 {
		return "unlimited"
	}
	return "bandwidth " + rateWord(r)
}
