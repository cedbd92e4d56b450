package verify

import (
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/plan"
)

// What was not shown is neither there nor absent: only counters can tell that a
// redirect is missing which nobody pasted.
func TestUnseen(t *testing.T) {
	type alter = func(wan, ifb *plan.Device)
	wayIn := func(packets uint64) alter {
		return func(wan, _ *plan.Device) { wan.At(plan.HandleIngress).Stats.Packets = packets }
	}
	ifbRoot := func(change func(*plan.QdiscState)) alter {
		return func(_, ifb *plan.Device) { change(ifb.At(plan.HandleRoot)) }
	}
	passed := func(packets, drops uint64) alter {
		return ifbRoot(func(q *plan.QdiscState) { q.Stats.Packets, q.Stats.Drops = packets, drops })
	}
	uncounted := ifbRoot(func(q *plan.QdiscState) { q.Unknown.Stats = true })
	wayInUncounted := func(wan, _ *plan.Device) { wan.At(plan.HandleIngress).Unknown.Stats = true }
	for name, test := range map[string]struct {
		alter []alter
		want  Code
		says  string
	}{
		"many came in and none to the IFB":   {[]alter{wayIn(26012)}, NotRedirected, "wan received 26012 packets, ifb4wan none"},
		"few came in":                        {[]alter{wayIn(100)}, Idle, "has passed 0 packets"},
		"they came to the IFB":               {[]alter{wayIn(26012), passed(25000, 0)}, HeldLittle, "hardly ever"},
		"they were dropped there":            {[]alter{wayIn(26012), passed(0, 7)}, Engaged, "held packets back since it was made"},
		"the IFB's counters were not shown":  {[]alter{wayIn(26012), uncounted}, Idle, "without its counters"},
		"only what was sent was counted":     {[]alter{wayInUncounted, func(wan, _ *plan.Device) { wan.At(plan.HandleRoot).Stats.Packets = 5000 }}, NotRedirected, "wan sent 5000 packets, ifb4wan none"},
		"the IFB is down":                    {[]alter{func(_, ifb *plan.Device) { ifb.Up = false }}, IFBDown, "ifb4wan is down"},
		"filters were shown, there are none": {[]alter{func(wan, _ *plan.Device) { wan.Unknown.Filters = false }}, NotRedirected, "no redirect filter"},
		"another redirect was shown": {[]alter{func(wan, _ *plan.Device) {
			wan.Filters = []plan.FilterState{{Filter: plan.Filter{Link: "wan", Redirect: "ifb1"}}}
		}}, ForeignRedirect, "to ifb1, not to ifb4wan"},
	} {
		t.Run(name, func(t *testing.T) {
			s := box()
			s.Devices[0].Filters = nil
			s.Devices[0].Unknown.Filters = true
			for _, change := range test.alter {
				change(&s.Devices[0], &s.Devices[1])
			}
			f := Check(download(), []plan.State{s})
			said := f[0].Text + strings.Join(f[0].Evidence, "\n")
			if len(f) != 1 || f[0].Code != test.want || !strings.Contains(said, test.says) {
				t.Errorf("got %+v", f)
			}
		})
	}
}

// Without the IFB there is nothing that could be redirected to.
func TestUnseenWithoutIFB(t *testing.T) {
	s := box()
	s.Devices[0].Filters, s.Devices[0].Unknown.Filters = nil, true
	s.Devices = s.Devices[:1]
	if f := Check(download(), []plan.State{s}); len(f) != 1 || f[0].Code != NotApplied || strings.Contains(f[0].Text, "redirect") {
		t.Errorf("got %+v", f)
	}
}

// From two looks without a device's own counters the qdisc of its way in tells what
// came; without that either, nobody claims that packets go round the shaper.
func TestUnseenCounters(t *testing.T) {
	for name, test := range map[string]struct {
		counted bool
		want    Code
	}{
		"the way in counts": {true, RoundShaper},
		"nothing counts":    {false, Idle},
	} {
		t.Run(name, func(t *testing.T) {
			samples := run(seconds(2, traffic{packets: full}, traffic{}), nil)
			for i := range samples {
				wan, ifb := &samples[i].Devices[0], &samples[i].Devices[1]
				in := wan.At(plan.HandleIngress)
				in.Stats.Packets, in.Unknown.Stats = wan.Counters.RxPackets, !test.counted
				wan.Counters, wan.Unknown.Counters = plan.Counters{}, true
				ifb.At(plan.HandleRoot).Stats = plan.Stats{Packets: 7}
			}
			f := Check(download(), samples)
			if len(f) != 1 || f[0].Code != test.want {
				t.Errorf("got %+v", f)
			}
			for _, line := range f[0].Evidence {
				if strings.Contains(line, "received 0 packets") {
					t.Errorf("evidence that nobody has: %q", line)
				}
			}
		})
	}
}

// Counters that the first look lacks make no difference.
func TestUnseenBefore(t *testing.T) {
	samples := run(seconds(2, traffic{packets: full}, traffic{}), nil)
	samples[0].Devices[0].Counters, samples[0].Devices[0].Unknown.Counters = plan.Counters{}, true
	for i := range samples {
		samples[i].Devices[1].At(plan.HandleRoot).Unknown.Stats = i == 0
	}
	if f := Check(download(), samples); len(f) != 1 || f[0].Code != Idle {
		t.Errorf("got %+v", f)
	}
}

// An HTB without its classes has no rate that anybody showed; its counters tell
// what one look at any shaper tells.
func TestUnseenClasses(t *testing.T) {
	s := box()
	root := s.Devices[0].At(plan.HandleRoot)
	root.Kind, root.Cake, root.CakeStats, root.HTB = "htb", nil, nil, &plan.HTB{Default: 0x10}
	root.Stats = plan.Stats{Packets: 9027, Drops: 1414, Backlog: 8003}
	s.Devices[0].Unknown.Classes = true
	observed := Observed(s, "wan")
	if f := Check(observed, []plan.State{s}); f[0].Code != Engaged {
		t.Errorf("one look: %+v", f)
	}
	if f := Check(observed, []plan.State{s, s}); f[0].Code != NotJudged || !strings.Contains(f[0].Text, "classes") {
		t.Errorf("two looks: %+v", f)
	}
}

// A plan is not compared with what was not shown.
func TestUnseenOptions(t *testing.T) {
	codes := func(alter func(*plan.Device, *plan.QdiscState)) (all []Code) {
		s := box()
		alter(&s.Devices[0], s.Devices[0].At(plan.HandleRoot))
		for _, f := range Check(upload(), []plan.State{s}) {
			all = append(all, f.Code)
		}
		return all
	}
	slower := func(_ *plan.Device, q *plan.QdiscState) { q.Cake.Rate /= 2 }
	if got := codes(slower); len(got) != 2 || got[0] != NotAsPlanned {
		t.Errorf("another rate: %v", got)
	}
	if got := codes(func(_ *plan.Device, q *plan.QdiscState) { q.Cake, q.Unknown.Options = nil, true }); len(got) != 1 || got[0] != Idle {
		t.Errorf("options not shown: %v", got)
	}
	wantsStab := upload()
	wantsStab.Links[0].Egress.Qdisc.Stab = &plan.Stab{Overhead: 4}
	for unknown, want := range map[bool]Code{false: NotAsPlanned, true: Idle} {
		s := box()
		s.Devices[0].At(plan.HandleRoot).Unknown.Stab = unknown
		if f := Check(wantsStab, []plan.State{s}); f[0].Code != want {
			t.Errorf("a size table wanted, unknown %t: %+v", unknown, f)
		}
	}
}
