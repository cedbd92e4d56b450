package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestProfileCorrects(t *testing.T) {
	p := upload()
	cable, _ := linklayer.AccessByName("docsis")
	p.Links[0].Title = cable.Title
	p.Links[0].Egress.Qdisc.Cake.Encapsulation = cable.Encapsulation
	p.Links[0].Egress.Qdisc.Cake.SplitGSO = true
	for name, alter := range map[string]func(*plan.State){
		"no minimum":  counting(linklayer.Encapsulation{Overhead: 18}),
		"below zero":  counting(linklayer.Encapsulation{Overhead: -4, MPU: 64}),
		"far end":     both(counting(cable.Encapsulation), onCake(func(q *plan.QdiscState) { q.Cake.Isolation = plan.DualDsthost })),
		"twice":       both(counting(cable.Encapsulation), withStab(plan.Stab{Overhead: 4})),
		"a large ptm": counting(linklayer.Encapsulation{Overhead: 44, Framing: linklayer.PTM}),
		"old lengths": both(lengthsSeen("wan", linklayer.Encapsulation{Overhead: 18}, 40, 1500), onCake(func(q *plan.QdiscState) { q.CakeStats.MaxAdjustedLength = 99 })),
		"too low": both(counting(cable.Encapsulation), onCake(func(q *plan.QdiscState) {
			q.Cake.MemoryLimit, q.CakeStats.MemoryLimit, q.CakeStats.MemoryUsed = 1, 1, 9999
		})),
		"merged": both(counting(cable.Encapsulation), onCake(func(q *plan.QdiscState) {
			q.Cake.Rate, q.CakeStats.Tins[0].MaxPacketLength = linklayer.Mbit, 60_000
		})),
		"overhead of 0": both(counting(linklayer.Encapsulation{}), withStab(plan.Stab{Overhead: 4})),
	} {
		findings := Check(p, run(nil, alter))
		if len(findings) != 2 || findings[0].Code != NotAsPlanned || findings[1].Code != Idle {
			t.Errorf("%s: %+v", name, findings)
		}
	}
}
