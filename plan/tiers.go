package plan

import (
	"fmt"

	"github.com/sqmctl/sqmctl/linklayer"
)

// tier is one of the classes that share a rate by DSCP. Shares, order and marks
// are those of CAKE's diffserv3 (cake_config_diffserv3 and the table diffserv3
// in the kernel's net/sched/sch_cake.c).
type tier struct {
	name      string
	minor     Handle
	sixteenth linklayer.Rate // of the rate, which it has for itself
	priority  int            // who takes first what is left
	memory    uint32         // quarters of the limit
	dscp      []uint32
	why       string
}

// The first one is the default.
var tiers = []tier{
	{"best effort", 2, 11, 1, 2, nil, "what has no mark"},
	{"voice", 3, 4, 0, 1, []uint32{4, 44, 46, 48, 56}, "calls: served first, as long as they take a quarter or others leave more"},
	{"bulk", 4, 1, 2, 1, []uint32{1, 8}, "what may wait: LE and CS1"},
}

// Tier is one of the classes that share a rate.
type Tier struct {
	Name  string
	Class *Class
	Leaf  *Qdisc
	DSCP  []uint32 // that go there; empty for the one that all others go to
}

// Tiers are the classes below the one with the rate; none if there is just that.
func (s *Shaper) Tiers() []Tier {
	var all []Tier
	if len(s.Classes) > len(s.Leaves) {
		for i, t := range tiers {
			all = append(all, Tier{t.name, s.Classes[i+1], s.Leaves[i], t.dscp})
		}
	}
	return all
}

// share adds the tiers below the class with the rate.
func (s *treeSettings) share() {
	s.class.Quantum = leastQuantum // a class with others below has no turns, and the kernel changes none of it
	s.replace("htb quantum", fmt.Sprint(leastQuantum), "has no meaning for a class with others below it")
	marks := &Marks{Link: s.device, Parent: HandleOwned, Priority: marksPriority}
	for _, t := range tiers {
		rate := s.rate / 16 * t.sixteenth
		class := HTBClass{Rate: rate, Ceil: s.rate, Priority: t.priority}
		class.Burst, _ = s.burst(rate)
		class.CBurst = s.class.CBurst
		class.Quantum = s.quantum(rate)
		s.classes = append(s.classes, &Class{Link: s.device, Handle: HandleOwned | t.minor, Parent: HandleOwned | treeClass, HTB: &class})
		queue := s.fqCodel
		queue.Target, queue.Interval = s.waits(rate)
		queue.MemoryLimit = s.cake.MemoryLimit / 4 * t.memory
		s.leaves = append(s.leaves, &Qdisc{Link: s.device, Kind: "fq_codel", Parent: HandleOwned | t.minor, FQCodel: &queue})
		for _, dscp := range t.dscp {
			marks.Rules = append(marks.Rules, marksFor(dscp, HandleOwned|t.minor)...)
		}
		s.add(t.name, rateWord(rate), "%s; %d sixteenths for itself and all that others leave, DSCP %s", t.why, t.sixteenth, dscpWords(t.dscp))
	}
	s.marks = marks
}

func dscpWords(dscp []uint32) string {
	if len(dscp) == 0 {
		return "any other"
	}
	return fmt.Sprint(dscp)
}
