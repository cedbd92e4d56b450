package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestPTMOverhead(t *testing.T) {
	ptm := func(overhead int) func(*plan.State) {
		return counting(linklayer.Encapsulation{Overhead: overhead, Framing: linklayer.PTM})
	}
	mtu := onDevice("wan", func(d *plan.Device) { d.MTU = 1492 })
	checkSituations(t, PTMOverhead, []situation{
		{name: "the figure for any line", alter: both(ptm(44), mtu), want: Notice, says: "1492 + 44, and a byte for each 64 started, = 1560; with 34 it is 1550, 0.6 % less"},
		{name: "PPPoE with a tag", alter: ptm(34), want: absent},
		{name: "PPPoE with two tags", alter: ptm(38), want: absent},
		{name: "the figure for any line, plain", alter: counting(linklayer.Encapsulation{Overhead: 44}), want: absent},
		{name: "no rate", alter: both(ptm(44), rate("wan", 0)), want: absent},
	})
}
