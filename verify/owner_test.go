package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/plan"
)

// foreign gives wan's root the handle of another program.
func foreign(s *plan.State) { s.Device("wan").At(plan.HandleRoot).Handle = 0x80010000 }

func redirectsTo(ifb string) func(*plan.State) {
	return func(s *plan.State) {
		s.Device("wan").Filters[0].Redirect = ifb
		s.Device("ifb4wan").Name = ifb
	}
}

func TestOtherOwner(t *testing.T) {
	planned := func(p *plan.Plan) { p.Links[0].Egress.Qdisc.Kind, p.Links[0].Egress.Qdisc.Cake = "cake", cake() }
	faster := func(p *plan.Plan) { planned(p); p.Links[0].Egress.Qdisc.Cake.Rate *= 2 }
	managed := onDevice("wan", func(d *plan.Device) { d.Manager = "systemd-networkd"; d.Filters = nil })
	configured := func(s *plan.State) {
		s.Configured = []plan.Configured{{Program: "sqm-scripts", Device: "wan", Enabled: true, Upload: shapedRate}}
	}
	checkSituations(t, OtherOwner, []situation{
		{name: "sqm-scripts' tree", alter: foreign, profile: faster, want: Warning, says: "it looks like the work of sqm-scripts"},
		{name: "how to stop it", alter: foreign, profile: faster, want: Warning, says: "/etc/init.d/sqm disable"},
		{name: "with the profile's settings", alter: foreign, profile: planned, want: Notice, says: "has the profile's settings"},
		{name: "an HTB of nobody's", alter: both(htb, onDevice("wan", func(d *plan.Device) { d.Filters[0].Redirect = "ifb0" })), profile: faster, want: Warning, says: "htb on wan is not sqmctl's"},
		{name: "sqmctl's own", profile: faster, want: absent},
		{name: "at sqmctl's own IFB, whose name is sqm-scripts' too", alter: both(foreign, onDevice("ifb4wan", func(d *plan.Device) { d.Alias = plan.OwnerAlias("wan", true) })), profile: faster, want: absent},
		{name: "a qdisc that shapes nothing", alter: both(kind("wan", "fq_codel"), foreign), profile: faster, want: Fault, says: "shapes nothing"},
		{name: "the kernel's default", alter: onCake(func(q *plan.QdiscState) { q.Handle = 0 }), profile: faster, want: absent},
		{name: "without a profile: sqm-scripts", alter: foreign, want: Fine, says: "sqm-scripts"},
		{name: "qosmate", alter: both(foreign, redirectsTo("ifb-wan")), want: Fine, says: "qosmate"},
		{name: "FireQOS", alter: both(foreign, redirectsTo("wan-ifb")), want: Fine, says: "FireQOS"},
		{name: "qosify", alter: both(foreign, redirectsTo("ifb0"), func(s *plan.State) { s.Devices = append(s.Devices, plan.Device{Name: "ifb-dns", Kind: "ifb"}) }), want: Fine, says: "qosify"},
		{name: "cake-qos-simple", alter: both(foreign, redirectsTo("ifb-wan"), func(s *plan.State) { s.Device("wan").Filters[0].RestoreDSCP = true }), want: Fine, says: "cake-qos-simple"},
		{name: "networkd", alter: both(foreign, managed), want: Fine, says: "systemd-networkd"},
		{name: "a configuration names it", alter: both(foreign, configured, redirectsTo("ifb9")), want: Fine, says: "sqm-scripts"},
		{name: "somebody by hand", alter: both(foreign, redirectsTo("ifb0")), want: absent},
	})
}

// What another shaper's configuration wants, and nobody made.
func TestConfiguredNotApplied(t *testing.T) {
	s := box()
	wan := s.Device("wan")
	wan.Qdiscs, wan.Filters = []plan.QdiscState{{Qdisc: plan.Qdisc{Link: "wan", Kind: "fq_codel", Parent: plan.HandleRoot}}}, nil
	s.Devices = s.Devices[:1]
	for name, test := range map[string]struct {
		c    plan.Configured
		want map[string]Code
	}{
		"both ways":       {plan.Configured{Device: "wan", Enabled: true, Upload: 1, Download: 1}, map[string]Code{"upload": NotApplied, "download": NotApplied}},
		"upload only":     {plan.Configured{Device: "wan", Enabled: true, Upload: 1}, map[string]Code{"upload": NotApplied}},
		"switched off":    {plan.Configured{Device: "wan", Upload: 1, Download: 1}, nil},
		"another device":  {plan.Configured{Device: "eth0", Enabled: true, Upload: 1}, nil},
		"both ways at 0":  {plan.Configured{Device: "wan", Enabled: true}, nil},
		"HTB, by default": {plan.Configured{Device: "wan", Enabled: true, Upload: 1, Qdisc: "fq_codel"}, map[string]Code{"upload": NotApplied}},
	} {
		s.Configured = []plan.Configured{test.c}
		findings := Check(Observed(s), []plan.State{s})
		got := map[string]Code{}
		for _, f := range findings {
			got[f.Direction.String()] = f.Code
		}
		if len(got) != len(test.want) || got["upload"] != test.want["upload"] || got["download"] != test.want["download"] {
			t.Errorf("%s: %+v", name, findings)
		}
	}
}
