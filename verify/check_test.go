package verify

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// The link of these tests: 20 Mbit/s each way through CAKE, ingress by ifb4wan.
const shapedRate = 20 * linklayer.Mbit

func cake() *plan.Cake {
	return &plan.Cake{Rate: shapedRate, Encapsulation: linklayer.Encapsulation{Overhead: 38}}
}

func upload() plan.Plan {
	return plan.Plan{Links: []plan.Link{{Interface: "wan", Egress: &plan.Shaper{
		Direction: linklayer.Egress,
		Qdisc:     plan.Qdisc{Link: "wan", Kind: "cake", Handle: plan.HandleOwned, Parent: plan.HandleRoot, Cake: cake()},
	}}}}
}

func download() plan.Plan {
	return plan.Plan{Links: []plan.Link{{Interface: "wan", Ingress: &plan.Shaper{
		Direction: linklayer.Ingress,
		Qdisc:     plan.Qdisc{Link: "ifb4wan", Kind: "cake", Handle: plan.HandleOwned, Parent: plan.HandleRoot, Cake: cake()},
	}}}}
}

// box is a router on which every part is in place.
func box() plan.State {
	return plan.State{Devices: []plan.Device{
		{Name: "wan", Up: true, Type: 1,
			Qdiscs:  []plan.QdiscState{rootOf("wan"), {Qdisc: plan.Qdisc{Link: "wan", Kind: "ingress", Parent: plan.HandleIngress}}},
			Filters: []plan.FilterState{{Filter: plan.Filter{Link: "wan", Priority: 10, Redirect: "ifb4wan"}}}},
		{Name: "ifb4wan", Kind: "ifb", Up: true, Type: 1, Qdiscs: []plan.QdiscState{rootOf("ifb4wan")}},
	}}
}

func rootOf(link string) plan.QdiscState {
	return plan.QdiscState{
		Qdisc:     plan.Qdisc{Link: link, Kind: "cake", Handle: plan.HandleOwned, Parent: plan.HandleRoot, Cake: cake()},
		CakeStats: &plan.CakeStats{AverageNetworkOffset: 14, Tins: []plan.Tin{{}}},
	}
}

// traffic is what one interval between samples adds to the counters.
type traffic struct {
	packets, drops, marks, overlimits uint64
	backlog                           uint64
	delay                             time.Duration
}

// fullPacket is what a packet of 1500 bytes counts on an Ethernet device; with
// an overhead of 38 it is 1538 on the wire, 1625 a second fill 20 Mbit/s.
const fullPacket = 1514

// run makes samples 200 ms apart, each with the traffic that passed before it.
func run(intervals []traffic, alter func(*plan.State)) []plan.State {
	var total traffic
	samples := []plan.State{sample(0, total, alter)}
	for i, t := range intervals {
		total.packets += t.packets
		total.drops += t.drops
		total.marks += t.marks
		total.overlimits += t.overlimits
		total.backlog, total.delay = t.backlog, t.delay
		samples = append(samples, sample(i+1, total, alter))
	}
	return samples
}

func sample(i int, t traffic, alter func(*plan.State)) plan.State {
	s := box()
	s.Time = time.Unix(1000, 0).Add(time.Duration(i) * 200 * time.Millisecond)
	for d := range s.Devices {
		c := &s.Devices[d].Counters
		c.TxPackets, c.TxBytes = t.packets, t.packets*fullPacket
		c.RxPackets, c.RxBytes = t.packets, t.packets*fullPacket
		root := s.Devices[d].At(plan.HandleRoot)
		root.Stats = plan.Stats{Packets: t.packets, Bytes: t.packets * fullPacket, Drops: t.drops, Overlimits: t.overlimits, Marks: t.marks, Backlog: t.backlog}
		root.CakeStats.Tins[0] = plan.Tin{AverageDelay: t.delay}
	}
	if alter != nil {
		alter(&s)
	}
	return s
}

// seconds is the same traffic for a while, with what should stand out once in
// its first interval.
func seconds(n int, each traffic, once traffic) []traffic {
	all := make([]traffic, n*5)
	for i := range all {
		all[i] = each
	}
	all[0].drops, all[0].marks = all[0].drops+once.drops, all[0].marks+once.marks
	return all
}

// full is 99 % of the shaper's rate in an interval of 200 ms, near is 91 %.
const (
	full = 322
	near = 296
)

func TestCheck(t *testing.T) {
	standing := traffic{packets: full, overlimits: 300, backlog: 9000, delay: 4 * time.Millisecond}
	passing := traffic{packets: near, overlimits: 140, delay: 200 * time.Microsecond}
	tests := []struct {
		name      string
		plan      plan.Plan
		intervals []traffic
		alter     func(*plan.State)
		want      []Code
		text      string // a part of the first finding's text
	}{
		{"standing queue", upload(), seconds(10, standing, traffic{}), nil, []Code{Engaged}, "held packets back"},
		{"steady drops without a look at the queue", upload(), seconds(10, traffic{packets: full, drops: 1}, traffic{}), nil, []Code{Engaged}, "held"},
		{"steady marks", upload(), seconds(10, traffic{packets: full, marks: 1}, traffic{}), nil, []Code{Engaged}, "held"},
		{"load without a queue", upload(), seconds(10, passing, traffic{}), nil, []Code{NotBottleneck}, "it is not the bottleneck"},
		{"a drop or two of a start-up", upload(), seconds(10, passing, traffic{drops: 2}), nil, []Code{NotBottleneck}, "it is not the bottleneck"},
		{"no traffic", upload(), seconds(10, traffic{}, traffic{}), nil, []Code{Idle}, "too little upload"},
		{"half load", upload(), slices.Concat(seconds(5, traffic{packets: full / 2, overlimits: 90}, traffic{}), seconds(5, traffic{packets: full / 3, overlimits: 90}, traffic{})), nil, []Code{Idle}, "a judgement needs 16 Mbit/s"},
		{"half load that stands still", upload(), seconds(10, traffic{packets: full / 2, overlimits: 90}, traffic{}), nil, []Code{Flat}, "stood at 9.75 Mbit/s all the time"},
		{"loaded for two seconds of ten", upload(), append(seconds(8, traffic{}, traffic{}), seconds(2, standing, traffic{})...), nil, []Code{Engaged}, ""},
		{"one sample", upload(), nil, nil, []Code{Idle}, "has passed 0 packets"},
		{"acks thinned are no signal", upload(), seconds(10, passing, traffic{}), acksThinned, []Code{NotBottleneck}, ""},
		{"no device", upload(), seconds(2, standing, traffic{}), func(s *plan.State) { s.Devices = nil }, []Code{NoDevice}, "wan does not exist"},
		{"device down", upload(), seconds(2, standing, traffic{}), func(s *plan.State) { s.Devices[0].Up = false }, []Code{DeviceDown}, "wan is down"},
		{"another qdisc", upload(), seconds(2, standing, traffic{}), kind("wan", "fq_codel"), []Code{NotApplied}, "has fq_codel, the kernel's default"},
		{"no rate", upload(), seconds(2, standing, traffic{}), rate("wan", 0), []Code{Unlimited}, "no rate"},
		{"another rate, engaged at it", upload(), seconds(10, standing, traffic{}), rate("wan", 19*linklayer.Mbit), []Code{NotAsPlanned, Engaged}, "bandwidth"},
		{"download in place", download(), seconds(10, standing, traffic{}), nil, []Code{Engaged}, ""},
		{"filter gone", download(), seconds(10, standing, traffic{}), withoutFilter, []Code{NotRedirected}, "no redirect filter"},
		{"filter and ifb gone", download(), seconds(10, standing, traffic{}), withoutIFB, []Code{NotApplied}, "no redirect on wan and no ifb4wan"},
		{"redirect to itself", download(), seconds(10, standing, traffic{}), redirect("wan"), []Code{SelfRedirect}, "to itself"},
		{"redirect to a device that is gone", download(), seconds(10, standing, traffic{}), redirect(plan.Gone), []Code{LostRedirect}, "has gone"},
		{"redirect of some packets", download(), seconds(10, standing, traffic{}), func(s *plan.State) { s.Devices[0].Filters[0].Selective = true }, []Code{NotRedirected}, "no redirect filter"},
		{"redirect elsewhere is asked first", download(), seconds(10, standing, traffic{}), redirectBefore("eth0-ifb"), []Code{ForeignRedirect}, "to eth0-ifb, not to ifb4wan"},
		{"redirect elsewhere", download(), seconds(10, standing, traffic{}), redirect("eth0-ifb"), []Code{ForeignRedirect}, "to eth0-ifb, not to ifb4wan"},
		{"ifb gone, redirect left", download(), seconds(10, standing, traffic{}), func(s *plan.State) { s.Devices = s.Devices[:1] }, []Code{LostRedirect}, "does not exist"},
		{"ifb down", download(), seconds(10, standing, traffic{}), func(s *plan.State) { s.Devices[1].Up = false }, []Code{IFBDown}, "ifb4wan is down"},
		{"redirect carries nothing", download(), seconds(10, standing, traffic{}), bypass, []Code{RoundShaper}, "goes round"},
		{"ifb has no rate", download(), seconds(10, standing, traffic{}), rate("ifb4wan", 0), []Code{Unlimited}, "cake on ifb4wan has no rate"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			findings := Check(test.plan, run(test.intervals, test.alter))
			record(findings...)
			var codes []Code
			for _, f := range findings {
				codes = append(codes, f.Code)
				if f.Severity >= Warning && f.Advice == "" {
					t.Errorf("%s has no advice", f.Code)
				}
			}
			if diff := cmp.Diff(test.want, codes); diff != "" {
				t.Fatalf("codes (-want +got):\n%s%+v", diff, findings)
			}
			if !strings.Contains(findings[0].Text, test.text) {
				t.Errorf("text is %q, should say %q", findings[0].Text, test.text)
			}
		})
	}
}

func acksThinned(s *plan.State) {
	root := s.Devices[0].At(plan.HandleRoot)
	root.Stats.Drops = root.Stats.Packets / 4
	root.CakeStats.Tins[0].AcksDropped = root.Stats.Packets / 4
}

func kind(device, kind string) func(*plan.State) {
	return func(s *plan.State) {
		root := s.Device(device).At(plan.HandleRoot)
		root.Kind, root.Handle, root.Cake, root.CakeStats = kind, 0, nil, nil
	}
}

func rate(device string, r linklayer.Rate) func(*plan.State) {
	return func(s *plan.State) { s.Device(device).At(plan.HandleRoot).Cake.Rate = r }
}

func withoutFilter(s *plan.State) { s.Devices[0].Filters = nil }

func withoutIFB(s *plan.State) { withoutFilter(s); s.Devices = s.Devices[:1] }

func redirect(to string) func(*plan.State) {
	return func(s *plan.State) { s.Devices[0].Filters[0].Redirect = to }
}

func redirectBefore(to string) func(*plan.State) {
	return func(s *plan.State) {
		first := s.Devices[0].Filters[0]
		first.Priority, first.Redirect = 1, to
		s.Devices[0].Filters = append(s.Devices[0].Filters, first)
	}
}

func bypass(s *plan.State) { s.Device("ifb4wan").At(plan.HandleRoot).Stats = plan.Stats{} }

func TestObserved(t *testing.T) {
	observed := Observed(box())
	if len(observed.Links) != 1 || observed.Links[0].Interface != "wan" {
		t.Fatalf("links are %+v, should be wan alone", observed.Links)
	}
	if l := observed.Links[0]; l.Egress.Qdisc.Link != "wan" || l.Ingress.Qdisc.Link != "ifb4wan" {
		t.Errorf("egress on %s, ingress on %s", l.Egress.Qdisc.Link, l.Ingress.Qdisc.Link)
	}
}

func TestObservedWithoutRate(t *testing.T) {
	samples := run(seconds(10, traffic{packets: full}, traffic{}), kind("wan", "fq_codel"))
	findings := Check(Observed(samples[0], "wan"), samples)
	record(findings...)
	if findings[0].Code != NotBottleneck || !strings.Contains(findings[0].Text, "fq_codel on wan has no rate") {
		t.Errorf("got %+v", findings[0])
	}
}

// A redirect of some packets makes no download shaper, and thus none to miss.
func TestObservedRedirectOfSome(t *testing.T) {
	s := box()
	s.Devices[0].Filters[0].Selective = true
	if p := Observed(s, "wan"); p.Links[0].Ingress != nil {
		t.Errorf("ingress is %+v, should be none", p.Links[0].Ingress)
	}
}

// A stretch without a packet has no rate; "unlimited" is something else.
func TestIdleIsNotUnlimited(t *testing.T) {
	f := Check(upload(), run(seconds(2, traffic{}, traffic{}), nil))[0]
	if text := f.Text + strings.Join(f.Evidence, ""); strings.Contains(text, "unlimited") || !strings.Contains(text, "wan carried 0 kbit/s") {
		t.Errorf("says %q", text)
	}
}

// A device that nobody shaped isn't judged unless it is asked for.
func TestObservedLeavesDefaultsAlone(t *testing.T) {
	s := box()
	kind("wan", "pfifo_fast")(&s)
	withoutIFB(&s)
	if p := Observed(s); len(p.Links) != 0 {
		t.Errorf("links are %+v, should be none", p.Links)
	}
}
