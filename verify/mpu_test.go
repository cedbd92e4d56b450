package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestMPU(t *testing.T) {
	without, with := linklayer.Encapsulation{Overhead: 18}, linklayer.Encapsulation{Overhead: 18, MPU: 64}
	checkSituations(t, MPU, []situation{
		{name: "cable without", access: "docsis", alter: counting(without), want: Warning, says: "an acknowledgement of 40 bytes + 18 = 58 counts 58 instead of 64, 9.4 % too little"},
		{name: "cable with", access: "docsis", alter: counting(with), want: absent},
		{name: "cable with another overhead", access: "docsis", alter: counting(linklayer.Encapsulation{Overhead: 44}), want: absent},
		{name: "cable's overhead", alter: counting(without), want: Notice, says: "the overhead is that of cable"},
		{name: "cable's overhead and minimum", alter: counting(with), want: absent},
		{name: "cable's overhead with cells", alter: counting(linklayer.Encapsulation{Overhead: 18, Framing: linklayer.ATM}), want: absent},
		{name: "cable's overhead in a table", alter: both(htb, withStab(plan.Stab{Overhead: 4})), want: Notice, says: "counts 58 instead of 64"},
		{name: "cable's overhead and minimum in a table", alter: both(htb, withStab(plan.Stab{Overhead: 4, MPU: 64})), want: absent},
		{name: "no table", alter: htb, want: absent},
		{name: "Ethernet without", access: "ethernet", alter: counting(linklayer.Encapsulation{Overhead: 38}), want: Notice, says: "counts 78 instead of 84"},
		{name: "Ethernet's overhead, nobody says that it is", alter: counting(linklayer.Encapsulation{Overhead: 38}), want: absent},
		{name: "VDSL's overhead", access: "vdsl2", alter: counting(linklayer.Encapsulation{Overhead: 22, Framing: linklayer.PTM}), want: absent},
	})
}
