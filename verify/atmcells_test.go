package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestATMCells(t *testing.T) {
	plain, atm := linklayer.Encapsulation{Overhead: 40}, linklayer.Encapsulation{Overhead: 40, Framing: linklayer.ATM}
	checkSituations(t, ATMCells, []situation{
		{name: "ADSL without cells", access: "adsl-pppoe-llcsnap", alter: counting(plain), want: Warning, says: "1500 bytes + 40 are 33 cells, which is 1749 bytes; the shaper counts 1540, 11.9 % too little"},
		{name: "ADSL without cells, acknowledgements", access: "adsl-pppoe-llcsnap", alter: counting(plain), want: Warning, says: "40 bytes + 40 are 2 cells, which is 106 bytes; the shaper counts 80, 24.5 % too little"},
		{name: "ADSL with cells", access: "adsl-pppoe-llcsnap", alter: counting(atm), want: absent},
		{name: "ADSL with cells in a table", access: "adsl-pppoe-llcsnap", alter: both(htb, withStab(plan.Stab{Overhead: 26, ATM: true})), want: absent},
		{name: "ADSL with a table that has none", access: "adsl-pppoe-llcsnap", alter: both(htb, withStab(plan.Stab{Overhead: 26})), want: Warning, says: "33 cells"},
		{name: "VDSL", access: "vdsl2-pppoe", alter: counting(plain), want: absent},
		{name: "an unknown line", access: "conservative", alter: counting(plain), want: absent},
		{name: "nobody says ADSL", alter: counting(plain), want: absent},
		{name: "an ATM device below", alter: both(counting(plain), named("nas0")), want: Warning, says: "nas0 is an ATM device by its name"},
		{name: "a PTM device below", alter: both(counting(plain), named("ptm0")), want: absent},
		{name: "a disk's name", alter: both(counting(plain), named("nas")), want: absent},
		{name: "a table not shown", access: "adsl-pppoe-llcsnap", alter: both(htb, onCake(func(q *plan.QdiscState) { q.Unknown.Stab = true })), want: absent},
	})
}
