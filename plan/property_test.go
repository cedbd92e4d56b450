package plan

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

// inventory is a state as a line for each object, sorted: the order of a dump
// means nothing.
func inventory(s State) []string {
	var all []string
	for _, d := range s.Devices {
		for _, q := range d.Qdiscs {
			all = append(all, fmt.Sprintf("%s: %+v %+v %+v", d.Name, q.Qdisc, q.Cake, q.Stab))
		}
		for _, c := range d.Classes {
			all = append(all, fmt.Sprintf("%s: %+v", d.Name, c))
		}
		for _, f := range d.Filters {
			all = append(all, fmt.Sprintf("%s: %+v", d.Name, f))
		}
		d.Qdiscs, d.Classes, d.Filters = nil, nil, nil
		all = append(all, fmt.Sprintf("%+v", d))
	}
	slices.Sort(all)
	return all
}

func differences(before, after State) string {
	a, b := inventory(before), inventory(after)
	if slices.Equal(a, b) {
		return ""
	}
	return cmp.Diff(a, b)
}

// TestAnySituation checks, on states that nobody thought of, that the steps of
// Diff can be done in their order, that nothing differs afterwards, that what
// others installed stays unless it may be taken over, and that Teardown then
// leaves nothing of ours.
func TestAnySituation(t *testing.T) {
	const states = 3000
	counts := map[string]int{}
	for seed := range uint64(states) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		found := g.state()
		link := compiled(t, g.profile(t, found.Device("wan")), found)
		takeOver := g.chance(2)
		outcome := "applied"
		if err := checkDiff(link, found, takeOver); err != nil {
			var conflict *ConflictError
			var missing *MissingDeviceError
			switch {
			case errors.As(err, &conflict):
				outcome = "conflict"
			case errors.As(err, &missing):
				outcome = "missing"
			default:
				t.Errorf("seed %d, take over %t: %v", seed, takeOver, err)
			}
		}
		counts[outcome]++
		if err := checkTeardown(found); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	for _, outcome := range []string{"applied", "conflict", "missing"} {
		if counts[outcome] < states/20 {
			t.Errorf("only %d of %d states end as %s: the generator is one-sided", counts[outcome], states, outcome)
		}
	}
}

func checkDiff(link Link, found State, takeOver bool) error {
	before := clone(found)
	steps, err := Diff(link, found, takeOver)
	if err != nil {
		return err
	}
	if diff := differences(before, found); diff != "" {
		return fmt.Errorf("Diff changed the state: %s", diff)
	}
	after, err := simulate(found, steps)
	if err != nil {
		return fmt.Errorf("%w in %q", err, stepLines(steps))
	}
	if again, err := Diff(link, after, takeOver); err != nil || len(again) > 0 {
		return fmt.Errorf("after %q a second Diff says %q, %v", stepLines(steps), stepLines(again), err)
	}
	if diff := differences(othersIn(found, link, takeOver), othersIn(after, link, takeOver)); diff != "" {
		return fmt.Errorf("%q touched what others installed (-before +after):\n%s", stepLines(steps), diff)
	}
	for _, s := range steps {
		if was, ok := s.Was.(*Qdisc); ok && s.Action == Replace && !was.Handle.Owned() && s.Note == "" {
			return fmt.Errorf("%s: says nothing about what it replaces", s)
		}
	}
	return checkTeardown(after)
}

func checkTeardown(found State) error {
	after, err := simulate(found, Teardown("wan", found))
	if err != nil {
		return err
	}
	if diff := differences(othersIn(found, Link{}, false), othersIn(after, Link{}, false)); diff != "" {
		return fmt.Errorf("Teardown touched what others installed (-before +after):\n%s", diff)
	}
	if slices.Contains(Owned(found), "wan") != (len(Teardown("wan", found)) > 0) {
		return fmt.Errorf("Owned says %q, Teardown %q", Owned(found), stepLines(Teardown("wan", found)))
	}
	if steps := Teardown("wan", after); len(steps) > 0 {
		return fmt.Errorf("Teardown leaves %q", stepLines(steps))
	}
	return nil
}

// othersIn is a state without what is ours, judged by other means than the
// code under test has: names and numbers that the generator gives to nobody
// else. What may be replaced is left out as well.
func othersIn(found State, link Link, takeOver bool) State {
	s := clone(found)
	var rest []Device
	for _, d := range s.Devices {
		if d.Kind == "ifb" && d.Alias != "lab" && (d.Alias != "" || !d.Up) {
			continue
		}
		ours := d.Name == "wan"
		d.Qdiscs, d.Classes = keep(d.Qdiscs, func(q QdiscState) bool {
			root := q.Parent != HandleIngress && (link.Egress != nil || q.Handle == 0 || q.Handle>>20 == 0x737)
			return !ours || !root && !(q.Kind == "ingress" && len(d.Filters) == 0)
		}), nil
		d.Filters = keep(d.Filters, func(f FilterState) bool {
			return !ours || !(f.Redirect == "ifb4wan" || f.Redirect == "ifq4wan" || f.Redirect == "ifb4old" || f.Redirect == Gone && f.Priority == 10) &&
				!(takeOver && link.Ingress != nil && f.Chain == 0)
		})
		if len(d.Filters) == 0 {
			d.Qdiscs = keep(d.Qdiscs, func(q QdiscState) bool { return !ours || q.Kind != "ingress" })
		}
		rest = append(rest, d)
	}
	return State{Devices: rest}
}

func keep[T any](all []T, wanted func(T) bool) []T {
	var rest []T
	for _, x := range all {
		if wanted(x) {
			rest = append(rest, x)
		}
	}
	return rest
}

// generator makes states and profiles, half of them touched by sqmctl before.
type generator struct{ *rand.Rand }

func (g generator) chance(oneIn int) bool { return g.IntN(oneIn) == 0 }

func pick[T any](g generator, all ...T) T { return all[g.IntN(len(all))] }

func (g generator) profile(t testing.TB, wan *Device) *config.Profile {
	rate := linklayer.Rate(1+g.IntN(1000)) * mbit
	p := profileOf(t, "wan", pick(g, "docsis", "adsl-pppoe-llcsnap", "raw", "vdsl2-pppoe"), rate, pick(g, rate, rate/17+8000))
	l := &p.Links[0]
	l.Upload.Off, l.Download.Off = g.chance(4), g.chance(4)
	if g.chance(3) {
		l.Download.Qdisc.Value = config.QdiscCakeMQ
	}
	if g.chance(3) && wan != nil && wan.TxQueues > 1 {
		l.Upload.Qdisc.Value = config.QdiscCakeMQ
	}
	return p
}

func (g generator) state() State {
	s := stateOf(redirecting("lan", pick(g, "wan-ifb", "ifb0")))
	if !g.chance(10) {
		s.Devices = append(s.Devices, g.wan())
	}
	if !g.chance(3) {
		s.Devices = append(s.Devices, ifbDevice("ifb4wan", pick(g, "", "lab", OwnerAlias("wan", true), OwnerAlias("wan", true), OwnerAlias("wan", false)), g.root, g.maybeUp))
	}
	if g.chance(3) {
		s.Devices = append(s.Devices, ifbDevice("ifq4wan", pick(g, "", "lab", OwnerAlias("wan", true), OwnerAlias("wan", false)), g.root, g.maybeUp))
	}
	if g.chance(5) {
		s.Devices = append(s.Devices, ifbDevice("ifb4old", OwnerAlias("wan", g.chance(2)), g.root, up))
	}
	g.fixTargets(&s)
	return s
}

func (g generator) maybeUp(d *Device) { d.Up, d.TxQueues = g.chance(2), 1+g.IntN(4) }

func (g generator) wan() Device {
	d := ethernetDevice("wan")
	d.TxQueues, d.RxQueues = 1+g.IntN(4), g.IntN(4)
	g.root(&d)
	if g.chance(2) {
		return d
	}
	var filters []FilterState
	for priority := range uint16(12) {
		if g.chance(10) {
			filters = append(filters, g.filter(priority+1))
		}
	}
	ingress(pick(g, "ingress", "ingress", "clsact"), filters...)(&d)
	return d
}

func (g generator) filter(priority uint16) FilterState {
	f := redirect(pick(g, "matchall", "u32", "flower"), priority, pick[uint16](g, protocolAll, protocolAll, 0x0800),
		pick(g, "", "wan", "ifb4wan", "ifb4wan", "ifq4wan", "ifq4wan", "ifb4old", "lan", Gone))
	f.Selective = f.Kind == "flower" || g.chance(5)
	if g.chance(8) {
		f.Chain = 7
	}
	return f
}

func (g generator) root(d *Device) {
	switch g.IntN(4) {
	case 0:
		root("htb", pick[Handle](g, 0x10000, HandleOwned, HandleOwned+0x10000), g.IntN(3))(d)
	case 1, 2:
		root(pick(g, "cake", "cake", "cake_mq"), pick[Handle](g, 0x80010000, HandleOwned, HandleOwned+0x10000), 0)(d)
		d.At(HandleRoot).Cake = &Cake{Rate: linklayer.Rate(g.IntN(1000)) * mbit, NAT: g.chance(2)}
	}
}

// fixTargets makes what the kernel can't hold into what it can: a redirect to
// a device that isn't there, and filters of an unmarked or foreign IFB.
func (g generator) fixTargets(s *State) {
	d := s.Device("wan")
	if d == nil {
		return
	}
	for i := range d.Filters {
		f := &d.Filters[i]
		target := s.Device(f.Redirect)
		switch {
		case f.Redirect == "" || f.Redirect == Gone:
		case target == nil:
			f.Redirect = Gone
		case target.Kind == "ifb" && (target.Alias == "" || target.Alias == "lab"):
			f.Redirect = "lan"
		case target.Kind == "ifb" && f.Chain != 0:
			f.Redirect = "lan" // only sqmctl sends anything to its IFBs
		}
	}
}
