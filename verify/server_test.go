package verify

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func fqOf(handle, parent plan.Handle) plan.Qdisc {
	fq := plan.FQDefaults(1514)
	return plan.Qdisc{Link: "eth0", Kind: "fq", Handle: handle, Parent: parent, FQ: &fq}
}

// server is a plan for eth0, with fq at the root or below the queues of an mq.
func server(queues int) plan.Plan {
	s := &plan.Shaper{Direction: linklayer.Egress, Qdisc: fqOf(plan.HandleOwned, plan.HandleRoot)}
	if queues > 1 {
		s.Qdisc = plan.Qdisc{Link: "eth0", Kind: "mq", Handle: plan.HandleOwned, Parent: plan.HandleRoot}
	}
	for i := range plan.Handle(queues) {
		if queues > 1 {
			q := fqOf(plan.HandleQueues+i<<16, plan.HandleOwned|(i+1))
			s.Leaves = append(s.Leaves, &q)
		}
	}
	return plan.Plan{Links: []plan.Link{{Interface: "eth0", Server: true, Egress: s}}}
}

// host is a machine on which that is in place.
func host(p plan.Plan) plan.State {
	egress := p.Links[0].Egress
	d := plan.Device{Name: "eth0", Up: true, Type: 1, MTU: 1500, TxQueueLen: 1000, Speed: linklayer.Gbit}
	d.Qdiscs = append(d.Qdiscs, plan.QdiscState{Qdisc: egress.Qdisc})
	for _, q := range egress.Leaves {
		d.Qdiscs = append(d.Qdiscs, plan.QdiscState{Qdisc: *q})
	}
	for i := range d.Qdiscs {
		if d.Qdiscs[i].FQ != nil {
			d.Qdiscs[i].FQStats = &plan.FQStats{Flows: 3, InactiveFlows: 1, ThrottledFlows: 2, Throttled: 100}
		}
	}
	return plan.State{Time: time.Unix(0, 0), Devices: []plan.Device{d}, CongestionControl: "bbr", DefaultQdisc: "fq_codel"}
}

// later is the same machine after ten seconds with traffic.
func later(s plan.State) plan.State {
	s.Time = s.Time.Add(10 * time.Second)
	s.Devices = slices.Clone(s.Devices)
	d := &s.Devices[0]
	d.Counters.TxPackets += 100_000
	d.Counters.TxBytes += 150_000_000
	d.Qdiscs = slices.Clone(d.Qdiscs)
	for i := range d.Qdiscs {
		if stats := d.Qdiscs[i].FQStats; stats != nil {
			after := *stats
			after.Throttled += 5000
			after.FlowLimitDrops += 7
			d.Qdiscs[i].FQStats = &after
		}
	}
	return s
}

func codesOf(findings []Finding) []Code {
	record(findings...)
	var all []Code
	for _, f := range findings {
		all = append(all, f.Code)
	}
	return all
}

func TestServer(t *testing.T) {
	for _, tt := range []struct {
		name  string
		edit  func(*plan.State)
		want  []Code
		worst Severity
	}{
		{"all is well", func(*plan.State) {}, []Code{Server}, Fine},
		{"the device has gone", func(s *plan.State) { s.Devices[0].Name = "eth1" }, []Code{NoDevice}, Fault},
		{"down", func(s *plan.State) { s.Devices[0].Up = false }, []Code{DeviceDown}, Fault},
		{"never applied", func(s *plan.State) {
			s.Devices[0].Qdiscs = []plan.QdiscState{{Qdisc: plan.Qdisc{Kind: "fq_codel", Parent: plan.HandleRoot}}}
		}, []Code{NotApplied}, Fault},
		{"another kind of another program", func(s *plan.State) { s.Devices[0].Qdiscs[0].Kind = "prio" }, []Code{NotApplied}, Fault},
		{"a FIFO for new devices", func(s *plan.State) { s.DefaultQdisc = "pfifo_fast" }, []Code{Server, DefaultQdisc}, Notice},
		{"not known what new devices get", func(s *plan.State) { s.DefaultQdisc = "" }, []Code{Server}, Fine},
		{"a long queue that fq doesn't use", func(s *plan.State) { s.Devices[0].TxQueueLen = 10_000 }, []Code{Server}, Fine},
		{"a long FIFO beside it", func(s *plan.State) { s.Devices = append(s.Devices, fifo(10_000)) }, []Code{Server, QueueLength}, Notice},
		{"a FIFO of the usual length", func(s *plan.State) { s.Devices = append(s.Devices, fifo(1000)) }, []Code{Server}, Fine},
	} {
		for _, queues := range []int{1, 4} {
			p := server(queues)
			state := host(p)
			tt.edit(&state)
			findings := Check(p, []plan.State{state, later(state)})
			record(findings...)
			worst := Fine
			for _, f := range findings {
				worst = max(worst, f.Severity)
			}
			if got := codesOf(findings); !slices.Equal(got, tt.want) || worst != tt.worst {
				t.Errorf("%s, %d queues: %v, %v, want %v, %v", tt.name, queues, got, worst, tt.want, tt.worst)
			}
		}
	}
}

func fifo(length int) plan.Device {
	return plan.Device{
		Name: "eth7", Up: true, Type: 1, MTU: 1500, TxQueueLen: length, Speed: 100 * linklayer.Mbit,
		Qdiscs: []plan.QdiscState{{Qdisc: plan.Qdisc{Link: "eth7", Kind: "pfifo_fast", Parent: plan.HandleRoot}}},
	}
}

// The same as planned is as good if it is the kernel's own.
func TestServerOfTheKernel(t *testing.T) {
	for _, queues := range []int{1, 4} {
		p := server(queues)
		state := host(p)
		for i := range state.Devices[0].Qdiscs {
			q := &state.Devices[0].Qdiscs[i]
			q.Handle = 0
			if q.Parent != plan.HandleRoot {
				q.Parent &= 0xFFFF
			}
		}
		if got := codesOf(Check(p, []plan.State{state})); !slices.Equal(got, []Code{Server}) {
			t.Errorf("%d queues: %v", queues, got)
		}
		if queues > 1 {
			state.Devices[0].Qdiscs[2].Kind = "pfifo_fast"
			if got := codesOf(Check(p, []plan.State{state})); !slices.Equal(got, []Code{NotAsPlanned}) {
				t.Error(got)
			}
		}
	}
}

// A leaf that isn't as planned is told, with what it is instead.
func TestServerChanged(t *testing.T) {
	p := server(4)
	state := host(p)
	changed := *state.Devices[0].Qdiscs[2].FQ
	changed.Limit = 7
	state.Devices[0].Qdiscs[2].FQ = &changed
	state.Devices[0].Qdiscs[3].Kind = "sfq"
	findings := Check(p, []plan.State{state})
	record(findings...)
	if len(findings) != 1 || findings[0].Code != NotAsPlanned {
		t.Fatalf("%+v", findings)
	}
	got := strings.Join(findings[0].Evidence, "\n")
	for _, want := range []string{"limit is 7, the profile says 10000", "leaf is sfq, the profile says fq"} {
		if !strings.Contains(got, want) {
			t.Errorf("no evidence %q:\n%s", want, got)
		}
	}
}

// BBR without fq is worth knowing; with another congestion control nobody minds.
func TestPacing(t *testing.T) {
	p := server(1)
	p.Links[0].Egress.Qdisc.Kind, p.Links[0].Egress.Qdisc.FQ = "fq_codel", nil
	wants := map[string][]Code{"bbr": {Server, Pacing}, "bbr2": {Server, Pacing}, "cubic": {Server}, "": {Server}}
	for _, tcp := range slices.Sorted(maps.Keys(wants)) {
		want := wants[tcp]
		state := host(p)
		state.CongestionControl = tcp
		if got := codesOf(Check(p, []plan.State{state, later(state)})); !slices.Equal(got, want) {
			t.Errorf("%q: %v", tcp, got)
		}
	}
}

// What is said of the machine is said once.
func TestHostIsSaidOnce(t *testing.T) {
	p := server(1)
	p.Links = append(p.Links, p.Links[0])
	state := host(p)
	state.DefaultQdisc = "pfifo_fast"
	if got := codesOf(Check(p, []plan.State{state})); !slices.Equal(got, []Code{Server, DefaultQdisc, Server}) {
		t.Error(got)
	}
}

// The evidence adds up what the queues did.
func TestServerEvidence(t *testing.T) {
	p := server(4)
	state := host(p)
	got := strings.Join(Check(p, []plan.State{state, later(state)})[0].Evidence, "\n")
	for _, want := range []string{
		"eth0 sent 100000 packets in 10s, 120 Mbit/s on average",
		"fq: 12 flows now, 4 of them idle, 8 waiting for their time",
		"a flow had to wait for its time 20000 times; 28 packets dropped of flows that had too many, 0 timed too far ahead",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no evidence %q:\n%s", want, got)
		}
	}
}

// Without a profile a server of sqmctl's is known by its root.
func TestObservedServer(t *testing.T) {
	for _, queues := range []int{1, 4} {
		state := host(server(queues))
		p := Observed(state)
		if len(p.Links) != 1 || !p.Links[0].Server {
			t.Fatalf("%d queues: %+v", queues, p)
		}
		findings := Check(p, []plan.State{state, later(state)})
		record(findings...)
		if got := codesOf(findings); !slices.Equal(got, []Code{Server}) || queues > 1 && !strings.Contains(findings[0].Text, "each of 4 queues") {
			t.Errorf("%d queues: %+v", queues, findings)
		}
	}
}
