package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/config"
)

// serverOf is a profile of one server, by default or as it says.
func serverOf(device, qdisc string) *config.Profile {
	l := config.Link{Interface: device, Role: config.RoleServer, Root: byLine(qdisc, 5), Line: 2}
	if qdisc == config.QdiscFQ {
		l.Root = byDefault(qdisc, "paces")
	}
	l.Upload.Off, l.Download.Off = true, true
	return &config.Profile{File: "server.toml", Links: []config.Link{l}}
}

// queuesOf is a device with so many transmit queues, as the kernel has it.
func queuesOf(name string, n int) Device {
	d := ethernetDevice(name)
	d.TxQueues, d.TxQueueLen = n, 1000
	d.Qdiscs = []QdiscState{{Qdisc: Qdisc{Link: name, Kind: "mq", Parent: HandleRoot}}}
	return d
}

var servers = []struct {
	name  string
	qdisc string
	found State
}{
	{"server", "fq", stateOf(ethernetDevice("wan"))},
	{"server-fq-codel", "fq_codel", stateOf(ethernetDevice("wan"))},
	{"server-comes-later", "fq", stateOf()},
	{"server-jumbo", "fq", stateOf(func() Device { d := ethernetDevice("wan"); d.MTU = 9000; return d }())},
	{"server-three-queues", "fq", stateOf(queuesOf("wan", 3))},
	{"server-two-queues-fq-codel", "fq_codel", stateOf(queuesOf("wan", 2))},
	{"server-one-queue-of-eight", "fq", stateOf(func() Device { d := queuesOf("wan", 8); d.TxQueuesInUse = 1; return d }())},
}

func TestCompileServer(t *testing.T) {
	for _, s := range servers {
		t.Run(s.name, func(t *testing.T) {
			link := compiled(t, serverOf("wan", s.qdisc), s.found)
			wantCompiled(t, s.name, link)
			if !link.Server || link.Ingress != nil || link.Egress.Rate() != 0 || link.Title != "a server" {
				t.Errorf("%+v", link)
			}
			reasons := map[string]Reason{}
			for _, r := range link.Egress.Reasons {
				if _, twice := reasons[r.Attribute]; twice || r.Why == "" {
					t.Errorf("%s has two reasons or none: %+v", r.Attribute, r)
				}
				reasons[r.Attribute] = r
			}
			for _, q := range append(link.Egress.Leaves, &link.Egress.Qdisc) {
				for _, o := range q.options() {
					if r := reasons[q.Kind+" "+o.name]; r.Value != o.value {
						t.Errorf("%s is %s and its reason is for %q", o.name, o.value, r.Value)
					}
				}
			}
		})
	}
}

// A server's device needn't match any type, but it is no IFB.
func TestServerOnAnIFB(t *testing.T) {
	found := stateOf(ifbDevice("wan", "", up))
	if problem := Compile(serverOf("wan", "fq"), found).Links[0].Problem; problem == nil {
		t.Error("an IFB is taken for a server's device")
	}
}

func TestDiffServer(t *testing.T) {
	link := func(found State) Link { return compiled(t, serverOf("wan", "fq"), found) }
	three := stateOf(queuesOf("wan", 3))
	fresh := []string{
		"create qdisc mq 7371: on wan", "create qdisc fq 7380: on wan", "create qdisc fq 7381: on wan", "create qdisc fq 7382: on wan",
	}
	steps, err := Diff(link(three), three, false)
	if diff := cmp.Diff(fresh, stepLines(steps)); diff != "" || err != nil {
		t.Fatalf("%v %s", err, diff)
	}

	done := queuesOf("wan", 3)
	done.Qdiscs = nil
	for _, s := range steps {
		done.Qdiscs = append(done.Qdiscs, QdiscState{Qdisc: *s.Object.(*Qdisc)})
	}
	changed := FQDefaults(1514)
	changed.Limit = 7
	for _, tt := range []struct {
		name string
		edit func(*Device)
		want []string
	}{
		{"as planned", func(*Device) {}, nil},
		{"the kernel's in a queue", func(d *Device) {
			d.Qdiscs[2] = QdiscState{Qdisc: Qdisc{Link: "wan", Kind: "fq", Parent: HandleOwned | 2}}
		},
			[]string{"create qdisc fq 7381: on wan"}},
		{"another kind in a queue", func(d *Device) {
			d.Qdiscs[1] = QdiscState{Qdisc: Qdisc{Link: "wan", Kind: "sfq", Handle: 0x73800000, Parent: HandleOwned | 1}}
		}, []string{"replace qdisc fq 7383: on wan (replaces sfq 7380:, which sqmctl did not install)"}},
		{"changed, with another handle", func(d *Device) {
			d.Qdiscs[3] = QdiscState{Qdisc: Qdisc{Link: "wan", Kind: "fq", Handle: 0x80010000, Parent: HandleOwned | 3, FQ: &changed}}
		}, []string{"change qdisc fq 8001: on wan: limit 7 → 10000"}},
		{"a queue more", func(d *Device) { d.TxQueues = 4 }, []string{"create qdisc fq 7383: on wan"}},
		{"one queue left", func(d *Device) { d.TxQueuesInUse = 1 },
			[]string{"replace qdisc fq 7372: on wan (replaces mq 7371:, which can't be changed in place)"}},
	} {
		device := done
		device.Qdiscs = append([]QdiscState(nil), done.Qdiscs...)
		tt.edit(&device)
		found := stateOf(device)
		steps, err := Diff(link(found), found, false)
		if diff := cmp.Diff(tt.want, stepLines(steps)); diff != "" || err != nil {
			t.Errorf("%s: %v %s", tt.name, err, diff)
		}
		wantTeardown := []string{"delete qdisc mq 7371: on wan"}
		if diff := cmp.Diff(wantTeardown, stepLines(Teardown("wan", found))); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// From a line to a server: what takes in the download goes.
func TestDiffLineToServer(t *testing.T) {
	found := applied(t)
	steps, err := Diff(compiled(t, serverOf("wan", "fq"), found), found, false)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(stepLines(steps), "\n")
	for _, want := range []string{"delete filter", "delete qdisc ingress", "delete ifb ifb4wan", "replace qdisc fq 7372: on wan"} {
		if !strings.Contains(got, want) {
			t.Errorf("no step is %q:\n%s", want, got)
		}
	}
}

func TestDifferingSeesEveryFieldOfFQ(t *testing.T) {
	base := func() *FQ { f := FQDefaults(1514); return &f }
	edits := map[string]func(*FQ){
		"limit":              func(f *FQ) { f.Limit++ },
		"flow_limit":         func(f *FQ) { f.FlowLimit++ },
		"quantum":            func(f *FQ) { f.Quantum++ },
		"initial_quantum":    func(f *FQ) { f.InitialQuantum++ },
		"maxrate":            func(f *FQ) { f.MaxRate = mbit },
		"buckets":            func(f *FQ) { f.Buckets *= 2 },
		"orphan_mask":        func(f *FQ) { f.OrphanMask++ },
		"pacing":             func(f *FQ) { f.Pacing = false },
		"refill_delay":       func(f *FQ) { f.RefillDelay += time.Microsecond },
		"low_rate_threshold": func(f *FQ) { f.LowRateThreshold += 8 },
		"ce_threshold":       func(f *FQ) { f.CEThreshold = 0 },
		"timer_slack":        func(f *FQ) { f.TimerSlack++ },
		"horizon":            func(f *FQ) { f.Horizon += time.Microsecond },
		"horizon_drop":       func(f *FQ) { f.HorizonDrop = false },
		"priomap":            func(f *FQ) { f.Bands[15] = 2 },
		"weights":            func(f *FQ) { f.Weights[2]++ },
	}
	for _, o := range base().options() {
		edit, ok := edits[o.name]
		if !ok {
			t.Fatalf("no test for %s", o.name)
		}
		was := base()
		edit(was)
		if got := differing(was.options(), base().options()); len(got) != 1 || got[0].Name != o.name || got[0].Want != o.value {
			t.Errorf("%s: %v", o.name, got)
		}
	}
}

// What fq_codel may hold below each queue is cut with the rest; fq has no limit
// in bytes.
func TestServerMemory(t *testing.T) {
	const mib = 1 << 20
	for _, tt := range []struct {
		qdisc   string
		queues  int
		machine uint64
		each    uint32
	}{
		{"fq_codel", 1, 0, 32 * mib},
		{"fq_codel", 1, 128 * mib, 8 * mib},
		{"fq_codel", 4, 8192 * mib, 32 * mib},
		{"fq_codel", 4, 1024 * mib, 16 * mib},
		{"fq_codel", 200, 0, 32 * mib},
		{"fq", 4, 64 * mib, 0},
	} {
		p := Compile(serverOf("wan", tt.qdisc), State{Memory: tt.machine, Devices: []Device{queuesOf("wan", tt.queues)}})
		if got, want := p.QueueMemory(), uint64(tt.each)*uint64(tt.queues); got != want {
			t.Errorf("%+v: all queues %d, want %d", tt, got, want)
		}
		value := p.Links[0].Egress.reason("fq_codel memory_limit").Value
		if tt.each != 0 && value != sizeWord(tt.each) {
			t.Errorf("%+v: the reason is for %s", tt, value)
		}
	}
}
