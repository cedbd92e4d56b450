package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/plan"
)

func TestQuantum(t *testing.T) {
	quantum := func(n int) func(*plan.State) { return onClass(func(c *plan.ClassState) { c.HTB.Quantum = n }) }
	checkSituations(t, Quantum, []situation{
		{name: "big", alter: quantum(200_000), want: Fine, says: "class 1:1: 200000 bytes"},
		{name: "small", alter: quantum(1000), want: Fine, says: "harmless"},
		{name: "a packet", alter: quantum(1514), want: absent},
		{name: "chosen", alter: quantum(300), want: absent},
	})
}
