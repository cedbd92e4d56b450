package verify

import (
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestStabOverhead(t *testing.T) {
	overhead0 := onCake(func(q *plan.QdiscState) { q.Cake.Encapsulation = linklayer.Encapsulation{} })
	raw := onCake(func(q *plan.QdiscState) { q.Cake.Raw, q.Cake.Encapsulation = true, linklayer.Encapsulation{} })
	ppp := onDevice("wan", func(d *plan.Device) { d.Type = 512 })
	atm := func(overhead int) func(*plan.State) { return withStab(plan.Stab{Overhead: overhead, ATM: true}) }
	checkSituations(t, StabOverhead, []situation{
		{name: "a figure that the profile makes so", access: "gpon", alter: both(htb, withStab(plan.Stab{Overhead: 44, MPU: 84})), want: absent},
		{name: "fibre's figure from the frame", access: "gpon", alter: both(htb, withStab(plan.Stab{Overhead: 30, MPU: 84})), want: absent},
		{name: "a generous figure that nobody explains", alter: both(htb, withStab(plan.Stab{Overhead: 44})), want: absent},
		{name: "ADSL's figure from the IP packet", alter: both(htb, atm(40)), want: Notice, says: `type = "adsl-pppoe-llcsnap"`},
		{name: "ADSL's figure from the frame", alter: both(htb, atm(26)), want: absent},
		{name: "PPPoA's figure from the frame", alter: both(htb, atm(-4)), want: absent},
		{name: "a figure from either", alter: both(htb, atm(10)), want: absent},
		{name: "ADSL's figure on PPP", alter: both(htb, atm(40), ppp), want: absent},
		{name: "cable's figure from the IP packet", alter: both(htb, withStab(plan.Stab{Overhead: 18, MPU: 64})), want: Notice, says: "18 − 14 = 4"},
		{name: "no table", alter: htb, want: absent},
		{name: "a device not shown", alter: both(htb, atm(40), unseenLink), want: absent},
		{name: "raw beside a table", alter: both(raw, atm(26)), want: absent},
		{name: "overhead 0 beside a table", alter: both(overhead0, atm(26)), want: Warning, says: "takes the 14 bytes of link header off what the table made"},
		{name: "overhead 0 beside a table on PPP", alter: both(overhead0, atm(40), ppp), want: absent},
		{name: "overhead 0 beside a table that adds nothing", alter: both(overhead0, withStab(plan.Stab{})), want: absent},
	})
}

// Beside a profile the type's own figure in a table is told apart from any other
// that isn't as planned.
func TestStabOverheadOfType(t *testing.T) {
	fibre, _ := linklayer.AccessByName("gpon")
	for overhead, want := range map[int]bool{44: true, 40: false, 30: false} {
		samples := run(nil, both(htb, withStab(plan.Stab{Overhead: overhead, MPU: 84})))
		p := Observed(samples[0], "wan")
		p.Links[0].Title = fibre.Title
		p.Links[0].Egress.Qdisc.Stab = &plan.Stab{Overhead: 30, MPU: 84}
		f := findingOf(Check(p, samples), StabOverhead, linklayer.Egress)
		if got := f != nil; got != want || want && !strings.Contains(f.Advice, "44 − 14 = 30") {
			t.Errorf("%d: %+v", overhead, f)
		}
	}
}
