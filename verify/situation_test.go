package verify

import (
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// situation is a state that has a finding, or is its healthy twin.
type situation struct {
	name      string
	access    string // the type that the profile names, whose settings are those found; "" for no profile
	direction linklayer.Direction
	intervals []traffic // none for one look
	alter     func(*plan.State)
	profile   func(*plan.Plan) // what the profile says besides; nil if nothing
	want      Severity         // absent if there should be none
	says      string           // a part of what the finding says, evidence and advice included
}

// absent is no finding.
const absent Severity = 255

func checkSituations(t *testing.T, code Code, situations []situation) {
	t.Helper()
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) { s.check(t, code) })
	}
}

func (s *situation) check(t *testing.T, code Code) {
	t.Helper()
	samples := run(s.intervals, s.alter)
	p := Observed(samples[len(samples)-1], "wan")
	if s.access != "" {
		a, ok := linklayer.AccessByName(s.access)
		if !ok {
			t.Fatalf("no type %s", s.access)
		}
		p.Links[0].Title = a.Title
	}
	if s.profile != nil {
		for _, shaper := range p.Links[0].Shapers() {
			shaper.Invoice = 25 * linklayer.Mbit
		}
		s.profile(&p)
	}
	got := findingOf(Check(p, samples), code, s.direction)
	if s.want == absent {
		if got != nil {
			t.Errorf("found although all is well: %+v", got)
		}
		return
	}
	if got == nil || got.Severity != s.want {
		t.Fatalf("got %+v, should be a %s", got, s.want)
	}
	if words := strings.Join(append([]string{got.Text, got.Advice}, got.Evidence...), "\n"); !strings.Contains(words, s.says) {
		t.Errorf("doesn't say %q:\n%s", s.says, words)
	}
	record(*got)
	if got.Severity > Fine && got.Advice == "" {
		t.Error("has no advice")
	}
}

// findingOf is the finding of a direction with a code; nil if there is none.
func findingOf(findings []Finding, code Code, d linklayer.Direction) *Finding {
	for i := range findings {
		if findings[i].Code == code && findings[i].Direction == d {
			return &findings[i]
		}
	}
	return nil
}

// onCake alters wan's CAKE.
func onCake(alter func(*plan.QdiscState)) func(*plan.State) { return onCakeOf("wan", alter) }

func onCakeOf(device string, alter func(*plan.QdiscState)) func(*plan.State) {
	return func(s *plan.State) { alter(s.Device(device).At(plan.HandleRoot)) }
}

func both(alters ...func(*plan.State)) func(*plan.State) {
	return func(s *plan.State) {
		for _, alter := range alters {
			alter(s)
		}
	}
}

func onDevice(name string, alter func(*plan.Device)) func(*plan.State) {
	return func(s *plan.State) { alter(s.Device(name)) }
}

// counting lets both CAKEs count packets in some way.
func counting(e linklayer.Encapsulation) func(*plan.State) {
	charge := func(q *plan.QdiscState) { q.Cake.Encapsulation = e }
	return both(onCakeOf("wan", charge), onCakeOf("ifb4wan", charge))
}

// htb puts an HTB with one class of 10 Mbit/s and fq_codel below it on wan.
func htb(s *plan.State) {
	wan := s.Device("wan")
	root := wan.At(plan.HandleRoot)
	root.Kind, root.Handle, root.Cake, root.CakeStats = "htb", 0x10000, nil, nil
	root.HTB = &plan.HTB{Default: 1, DirectLimit: 1000}
	wan.Classes = []plan.ClassState{{
		Kind: "htb", Handle: 0x10001, Parent: plan.HandleRoot, Rate: 10 * linklayer.Mbit, Ceil: 10 * linklayer.Mbit, Leaf: 0x100000,
		HTB:   &plan.HTBClass{Rate: 10 * linklayer.Mbit, Ceil: 10 * linklayer.Mbit, Burst: 1600, CBurst: 1600, Quantum: 1514},
		Stats: root.Stats,
	}}
	wan.Qdiscs = append(wan.Qdiscs, plan.QdiscState{
		Qdisc:        plan.Qdisc{Link: "wan", Kind: "fq_codel", Handle: 0x100000, Parent: 0x10001, FQCodel: &plan.FQCodel{Limit: 10240, MemoryLimit: 32 << 20}},
		FQCodelStats: &plan.FQCodelStats{MaxPacket: fullPacket}, Stats: root.Stats,
	})
}

// onLeaf alters the fq_codel below it.
func onLeaf(alter func(*plan.QdiscState)) func(*plan.State) {
	return both(htb, func(s *plan.State) { alter(s.Device("wan").At(0x10001)) })
}

// onClass alters its class.
func onClass(alter func(*plan.ClassState)) func(*plan.State) {
	return both(htb, func(s *plan.State) { alter(&s.Device("wan").Classes[0]) })
}

// withStab gives wan's root a size table.
func withStab(stab plan.Stab) func(*plan.State) {
	return onCake(func(q *plan.QdiscState) { q.Stab = &stab })
}

func unseenLink(s *plan.State) {
	for i := range s.Devices {
		s.Devices[i].Unknown.Link, s.Devices[i].Type = true, 0
	}
}

func named(name string) func(*plan.State) {
	return func(s *plan.State) { s.Device("wan").Parent = name }
}

func growing(each uint64, set func(*plan.State, uint64)) func(*plan.State) {
	return func(s *plan.State) { set(s, each*uint64(s.Time.Sub(time.Unix(1000, 0))/(200*time.Millisecond))) }
}
