package netlinkqdisc

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/internal/everyline"
	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
)

// changesEach is into how many others each profile is changed.
const changesEach = 5

// Every profile is changed into five others, picked at random. The kernel is then
// as after a fresh apply of that one, a second apply sends nothing, and between
// any two requests a burst of packets finds a shaper, either way, and loses none.
// In the end nothing is left.
func TestProfilesChangeIntoEachOther(t *testing.T) {
	for device := range everyline.Devices {
		for part := range parts {
			t.Run(fmt.Sprintf("%s, part %d", device, part+1), func(t *testing.T) {
				t.Parallel()
				kernellab.Run(t, func(t *testing.T) {
					w := newWalk(t, device, "")
					w.profiles(device)
					w.all(part)
				})
			})
		}
	}
}

// parts is into how many kernels the work is divided.
const parts = 2

// newWalk makes a wan of a kind; words are more of its cable.
func newWalk(t *testing.T, device, words string) *walk {
	t.Helper()
	script(t, "ip link add wan "+words+" type veth peer name lan\nip link set wan txqueuelen 1000\nip addr add 192.0.2.1/24 dev wan\nip link set wan up\nip link set lan up\n")
	w := &walk{t: t, k: open(t), sends: device == "Ethernet" || device == "VLAN", far: "lan"}
	if device == "VLAN" {
		feed(t, "link add link lan name far type vlan id 7\nlink set far up\n", "ip -batch -")
		w.far = "far"
	}
	feed(t, everyline.Devices[device], "ip -batch -")
	if device != "Ethernet" {
		quiet(t, "port")
	}
	for _, name := range []string{"wan", "lan", w.far} {
		quiet(t, name)
	}
	time.Sleep(3 * time.Second)
	return w
}

// walk changes profiles into each other.
type walk struct {
	t     *testing.T
	k     *Kernel
	sends bool   // whether what goes into wan comes out at lan
	far   string // what goes in there comes in at wan
	texts []everyline.Profile
	fresh []map[string]string // what each makes of a clean kernel

	changes, probes int
}

func (w *walk) profiles(device string) {
	var all []everyline.Profile
	for _, p := range everyline.Profiles() {
		if p.Device == device {
			all = append(all, p)
		}
	}
	w.prepare(all)
}

// prepare notes what each profile makes of a clean kernel.
func (w *walk) prepare(profiles []everyline.Profile) {
	clean := w.inventory()
	for _, p := range profiles {
		w.texts = append(w.texts, p)
		mustApplyLink(w.t, w.k, w.link(len(w.texts)-1))
		w.fresh = append(w.fresh, w.inventory())
		w.remove(clean)
	}
}

func (w *walk) all(part int) {
	random := rand.New(rand.NewPCG(1, uint64(part)))
	clean := w.inventory()
	froms := 0
	for from := part; from < len(w.texts); from += parts {
		froms++
		for _, to := range random.Perm(len(w.texts))[:min(changesEach, len(w.texts)-1)] {
			if to == from {
				to = (from + 1) % len(w.texts)
			}
			w.change(from, to)
		}
	}
	w.remove(clean)
	w.t.Logf("%d changes, %d looks between two requests", w.changes, w.probes)
	if w.changes < 5*froms || w.probes < w.changes {
		w.t.Errorf("only %d changes and %d looks for %d profiles", w.changes, w.probes, froms)
	}
}

func (w *walk) change(from, to int) {
	w.t.Helper()
	name := fmt.Sprintf("%s, then %s", w.texts[from].Name, w.texts[to].Name)
	mustApplyLink(w.t, w.k, w.link(from))
	was, wanted := w.link(from), w.link(to)
	w.k.fail = func(int) error { w.look(name, &was, &wanted); return nil }
	out := mustApplyLink(w.t, w.k, wanted)
	w.look(name, &was, &wanted)
	w.k.fail = nil
	w.changes++
	if diff := cmp.Diff(w.fresh[to], w.inventory()); diff != "" {
		w.t.Errorf("%s: %d requests left (-fresh +changed):\n%s", name, out.Requests, diff)
	}
	if again := mustApplyLink(w.t, w.k, w.link(to)); again.Requests != 0 {
		w.t.Errorf("%s: a second apply sent %d requests", name, again.Requests)
	}
}

// link is a profile's plan for the kernel as it is.
func (w *walk) link(i int) plan.Link {
	w.t.Helper()
	profile, err := config.Parse(w.texts[i].Name, []byte(w.texts[i].Text))
	if err != nil {
		w.t.Fatal(err)
	}
	compiled := plan.Compile(profile, read(w.t, w.k))
	if err := compiled.FirstProblem(); err != nil {
		w.t.Fatal(err)
	}
	return compiled.Links[0]
}

func (w *walk) remove(clean map[string]string) {
	w.t.Helper()
	if _, err := w.k.RemoveLink("wan"); err != nil {
		w.t.Fatal(err)
	}
	if diff := cmp.Diff(clean, w.inventory()); diff != "" {
		w.t.Errorf("remove left something (-before +after):\n%s", diff)
	}
}

// inventory is all that the kernel has of traffic control, byte by byte, with
// what depends on the past left out: which of our handles and priorities are used.
func (w *walk) inventory() map[string]string {
	w.t.Helper()
	s, err := w.k.snapshot()
	if err != nil {
		w.t.Fatal(err)
	}
	all := map[string]string{}
	for i := range s.links {
		d := &s.links[i].device
		all["device "+d.Name] = fmt.Sprintf("%s, up %t, %q", d.Kind, d.Up, d.Alias)
	}
	for _, q := range s.qdiscs {
		owned := ""
		if q.handle.Owned() {
			owned = " ours"
		}
		all[w.place(s, "qdisc", &q, q.parent)] = fmt.Sprintf("%s%s %x %x", q.kind, owned, q.attribute[tcaOptions], q.attribute[tcaStab])
	}
	for _, c := range s.classes {
		all[w.place(s, "class", &c, c.handle)] = fmt.Sprintf("%s %x", c.kind, c.attribute[tcaOptions])
	}
	found := s.state()
	for i := range found.Devices {
		for j, f := range found.Devices[i].Filters {
			f.Priority, f.Handle, f.Stats = 0, 0, plan.Stats{}
			all[fmt.Sprintf("filter %s %d", f.Link, j)] = fmt.Sprintf("%+v", f)
		}
		for _, m := range found.Devices[i].Marks {
			for j := range m.Rules {
				m.Rules[j].Class &= 0xFFFF
			}
			all["marks "+m.Link] = fmt.Sprintf("%d %+v", m.Priority, m.Rules)
		}
	}
	return all
}

// Attributes of every qdisc and class.
const tcaOptions, tcaStab = 2, 8

// place names where something is, whichever handles lead there.
func (w *walk) place(s *snapshot, what string, m *message, at plan.Handle) string {
	if at != plan.HandleRoot && at != plan.HandleIngress {
		at &= 0xFFFF
	}
	return fmt.Sprintf("%s %s %v", what, s.names.of(m.index), at)
}
