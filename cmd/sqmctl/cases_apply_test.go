package main

import (
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/plan"
)

const (
	longName  = "enx001122334455" // as long as the kernel takes
	otherLong = "enx001122334466"
)

func longNames() string {
	one := strings.ReplaceAll(profileOf("docsis", "100 Mbit/s", "20 Mbit/s"), `"wan"`, `"`+longName+`"`)
	_, other, _ := strings.Cut(strings.ReplaceAll(one, longName, otherLong), "\n")
	return one + other
}

var troubledApply = []troubled{
	// A script cut the name of the IFB off, so that it was the device's own, and
	// sent all that the device received to the device itself.
	{name: "ifb-name-equals-device", profile: longNames(), check: func(r *router) {
		r.Batch("ip", "link add "+longName+" up type veth peer name far\nlink add "+otherLong+" up type veth peer name away\n"+
			"link set far up\nlink set away up\n")
		r.Batch("tc", "qdisc add dev "+longName+" ingress\nfilter add dev "+longName+
			" ingress protocol all prio 39999 u32 match u32 0 0 action mirred egress redirect dev "+longName+"\n")
		r.Batch("tc", "qdisc add dev "+longName+" root cake bandwidth 19mbit\n")
		before := r.dump()
		r.says(statusFine, []string{"upload: shaped at 19 Mbit/s", longName + " download: not shaped\n"}, "status", longName)
		lost := []string{longName + " download: error: self redirect", "redirects what it receives to itself: all of it is lost", "delete that filter"}
		r.says(statusFindings, lost, "doctor", "--for", "1s", longName)
		r.profileGone(func() { r.says(statusFindings, lost, "doctor", "--for", "1s", longName) })
		r.says(statusFailed, []string{"u32 prio 39999, redirects to itself: all that it receives is lost", "--take-over"}, "apply", longName)
		r.wantSame("after a refusal", before)

		ifbs := []string{plan.IFBName(longName), plan.IFBName(otherLong)}
		r.says(statusFine, []string{ifbs[0], ifbs[1], "made of its hash"}, "plan", "--explain", "--take-over")
		r.says(statusFine, []string{"create ifb " + ifbs[0], "create ifb " + ifbs[1]}, "apply", "--take-over")
		for i, name := range []string{longName, otherLong} {
			if got := r.device(name).RedirectTarget(); got != ifbs[i] || len(got) > 15 || r.device(got).Kind != "ifb" {
				r.t.Errorf("%s redirects to %q", name, got)
			}
		}
	}},
	// Another device has the name of the IFB: to go on to the redirect would
	// send the download there.
	{name: "ifb-name-taken", profile: profileOf("docsis", "100 Mbit/s", "20 Mbit/s"), check: func(r *router) {
		r.Batch("ip", "link add ifb4wan up type dummy\n")
		before := r.dump()
		r.says(statusFailed, []string{"ifb4wan exists and is no IFB", "rename it"}, "apply")
		r.says(statusFailed, []string{"ifb4wan exists and is no IFB"}, "apply", "--take-over")
		r.wantSame("after two refusals", before)
	}},
	// A script that only adds was run again over its own half of a tree: the
	// kernel refused one command in this way, the next in another.
	{name: "added-twice", profile: profileOf("docsis", "100 Mbit/s", "20 Mbit/s"), check: func(r *router) {
		r.Batch("tc", `qdisc add dev wan root handle 1: htb default 2
			class add dev wan parent 1: classid 1:2 htb rate 10mbit
			qdisc add dev wan parent 1:2 handle 7371: cake
			qdisc add dev wan ingress
		`)
		for _, words := range []string{
			"qdisc add dev wan root handle 1: htb default 2", "class add dev wan parent 1: classid 1:2 htb rate 10mbit",
			"qdisc add dev wan parent 1:2 cake diffserv4", "qdisc add dev wan clsact",
		} {
			if said := r.refused(words); !strings.Contains(said, "File exists") && !strings.Contains(said, "Exclusivity flag on") {
				r.t.Errorf("tc %s: %s", words, said)
			}
		}
		r.says(statusFine, []string{"replaces htb 1: with 1 class, which sqmctl did not install"}, "apply")
		if n := r.apply(); n != 0 {
			r.t.Errorf("a second apply took %d requests", n)
		}
		if root := r.device("wan").At(plan.HandleRoot); root.Kind != "cake" || !root.Handle.Owned() {
			r.t.Errorf("the root is %s", root.Name())
		}
		r.remove() // the way in was there before
		if q := r.device("wan").At(plan.HandleIngress); q == nil || q.Kind != "ingress" {
			r.t.Errorf("%+v is left of the ingress qdisc", q)
		}
	}},
	// Of the two that a way in can have, the other one is there, with a filter
	// further on: it stays, and ours goes beside it.
	{name: "clsact-is-there", profile: profileOf("docsis", "100 Mbit/s", "20 Mbit/s"), check: func(r *router) {
		r.Batch("tc", `qdisc add dev wan clsact
			filter add dev wan egress protocol ip prio 5 matchall action ok
		`)
		fresh := r.dump()
		r.refused("qdisc add dev wan ingress")
		r.apply()
		if f := r.device("wan").Filters; len(f) != 1 || f[0].Parent != plan.HandleClsactIngress || f[0].Redirect != "ifb4wan" {
			r.t.Errorf("filters on the way in: %+v", f)
		}
		r.remove()
		r.wantSame("after remove", fresh)
	}},
	// A router took an Mbit for 1024 kbit, and shaped 2.4 % above the plan.
	{name: "mbit-of-1024-kbit", profile: profileOf("docsis", "500 Mbit/s", "45 Mbit/s", `headroom = "0 %"`), check: func(r *router) {
		r.apply()
		r.Batch("tc", `qdisc change dev wan root cake bandwidth 46080kbit
			qdisc change dev ifb4wan root cake bandwidth 512mbit
		`)
		r.says(statusFindings, []string{
			"bandwidth is 46080kbit, the profile says 45mbit", "bandwidth is 512mbit, the profile says 500mbit",
		}, "doctor", "--for", "1s")
		r.profileGone(func() {
			findings := r.doctor(nil)
			r.wantCodes(findings, "wan", "upload", "rate-units", "idle")
			want := []string{"upload at 46.08 Mbit/s, which is 45 Mbit/s × 1.024", "download at 512 Mbit/s, which is 500 Mbit/s × 1.024"}
			if diff := cmp.Diff(want, findings[0].Evidence); diff != "" || findings[0].Severity != "notice" {
				r.t.Errorf("%s: %s", findings[0].Severity, diff)
			}
			// One of them alone may be meant.
			r.Batch("tc", "qdisc change dev wan root cake bandwidth 45mbit\n")
			r.wantCodes(r.doctor(nil), "wan", "upload", "idle")
		})
		if n := r.apply(); n != 1 {
			r.t.Errorf("%d requests to change the other rate", n)
		}
		r.says(statusFine, []string{"wan upload: shaped at 45 Mbit/s", "wan download: shaped at 500 Mbit/s"}, "status")
	}},
}

// codes are the findings of a link's direction, in doctor's order.
func codes(findings []findingJSON, link, direction string) (all []string) {
	for _, f := range findings {
		if f.Link == link && f.Direction == direction {
			all = append(all, string(f.Code))
		}
	}
	return all
}

// wantCodes expects the findings of a link's direction.
func (r *router) wantCodes(findings []findingJSON, link, direction string, want ...string) {
	r.t.Helper()
	if got := codes(findings, link, direction); !slices.Equal(got, want) {
		r.t.Errorf("doctor finds %q for %s %s, should be %q: %+v", got, link, direction, want, findings)
	}
}
