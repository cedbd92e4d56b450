package main

import (
	"encoding/json"
	"net"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

const fqCodel = `qdisc = "fq_codel"`

var troubledNetlink = []troubled{
	// A library laid a struct over what is a nest of attributes, and showed about
	// as many drops as packets.
	{name: "counters-in-a-nest", profile: profileOf("docsis", "off", "20 Mbit/s"), check: func(r *router) {
		for _, kind := range []string{
			"cake bandwidth 2mbit memlimit 130kb", "tbf rate 2mbit burst 3kb limit 60kb", "fq_codel limit 60",
			"htb default 1", "pfifo limit 60",
		} {
			r.Batch("tc", "qdisc replace dev wan root "+kind+"\n")
			if strings.HasPrefix(kind, "htb") {
				r.Batch("tc", "class add dev wan parent "+r.device("wan").At(plan.HandleRoot).Handle.String()+" classid 1 htb rate 2mbit\n")
			}
			r.sendUDP(100)
			r.wantCountersOfTC(kind)
			r.Batch("tc", "qdisc del dev wan root\n")
		}
	}},
	// HTB that a program made was refused where tc's was not, since tc adds a
	// version and a divisor by itself; and a filter without priority and protocol.
	{name: "htb-on-a-vlan", profile: strings.Replace(profileOf("docsis", "100 Mbit/s", "20 Mbit/s", fqCodel), `"wan"`, `"wan.100"`, 1), check: func(r *router) {
		r.Batch("ip", "link add link wan name wan.100 up type vlan id 100\n")
		if n := r.apply(); n == 0 {
			r.t.Error("nothing was done")
		}
		printed := r.Command("tc", "-d", "qdisc", "show", "dev", "wan.100", "root")
		if !strings.Contains(printed, "htb 7371: root refcnt 2 r2q 10 default 0x1 ") || !strings.Contains(printed, "ver 3.") {
			r.t.Errorf("tc shows %s", printed)
		}
		printed = r.Command("tc", "filter", "show", "dev", "wan.100", "ingress")
		if !strings.Contains(printed, "protocol all pref 10 matchall") {
			r.t.Errorf("tc shows %s", printed)
		}
	}},
	// Bits went in and bytes came out, so a program set its rate again for ever;
	// and beyond 34 Gbit/s the number didn't fit its field.
	{name: "bits-in-bytes-out", profile: profileOf("ethernet", "off", "100 Mbit/s", `headroom = "0 %"`), check: func(r *router) {
		for _, rate := range []linklayer.Rate{100 * linklayer.Mbit, 34_359 * linklayer.Mbit, 34_360 * linklayer.Mbit, 35 * linklayer.Gbit} {
			for _, qdisc := range []string{`qdisc = "cake"`, fqCodel} {
				r.write(profileOf("ethernet", "off", rate.String(), `headroom = "0 %"`, qdisc))
				r.apply()
				if n := r.apply(); n != 0 {
					r.t.Errorf("%s with %s: a second apply took %d requests", rate, qdisc, n)
				}
				if got := r.device("wan").ShapedRate(); got != rate {
					r.t.Errorf("%s with %s: shaped at %s", rate, qdisc, got)
				}
				if got := r.rateOfTC(qdisc == fqCodel); got != rate {
					r.t.Errorf("%s with %s: to tc it is %s", rate, qdisc, got)
				}
				r.says(statusFine, []string{"wan upload: shaped at " + rate.String()}, "status", "wan")
			}
		}
	}},
	// A u32 filter that takes all is three records, of which old versions of tc
	// make JSON that is none; and one that copies packets shapes nothing.
	{name: "u32-mirror-is-no-shaper", profile: profileOf("docsis", "100 Mbit/s", "20 Mbit/s"), check: func(r *router) {
		r.Batch("tc", `qdisc add dev wan root handle 1: tbf rate 9mbit burst 20k latency 50ms
			qdisc add dev wan ingress
			filter add dev wan ingress protocol all u32 match u32 0 0 action mirred egress mirror dev lo
		`)
		if f := r.device("wan").Filters; len(f) != 1 || f[0].Mirror != "lo" || f[0].Redirect != "" || f[0].Selective {
			r.t.Errorf("filters on the way in: %+v", f)
		}
		r.says(statusFine, []string{"wan download: not shaped\n"}, "status", "wan")
		r.profileGone(func() {
			findings := r.doctor(nil, "wan")
			r.wantCodes(findings, "wan", "upload", "not-judged")
			r.wantCodes(findings, "wan", "download")
		})
		said := r.says(statusFine, []string{"delete filter u32 prio 49152 on wan, mirrors to lo (sqmctl did not install it)"}, "plan", "--take-over")
		if n := strings.Count(said, "mirrors to lo"); n != 1 {
			r.t.Errorf("the filter is %d filters to plan", n)
		}
	}},
}

// wantCountersOfTC compares the counters of wan's root with tc's, which must
// hold some of everything.
func (r *router) wantCountersOfTC(kind string) {
	r.t.Helper()
	var printed []struct{ Bytes, Packets, Drops, Overlimits, Requeues, Backlog, Qlen uint64 }
	if err := json.Unmarshal([]byte(r.Command("tc", "-s", "-j", "qdisc", "show", "dev", "wan", "root")), &printed); err != nil {
		r.t.Fatal(err)
	}
	var rows []struct {
		Direction string
		Qdisc     struct{ Stats plan.StatsJSON }
	}
	if err := json.Unmarshal([]byte(r.must("status", "--json", "wan")), &rows); err != nil {
		r.t.Fatal(err)
	}
	p := printed[0]
	want := plan.StatsJSON{Bytes: p.Bytes, Packets: p.Packets, Drops: p.Drops, Overlimits: p.Overlimits, Requeues: p.Requeues, Backlog: p.Backlog, Queued: p.Qlen}
	if diff := cmp.Diff(want, rows[0].Qdisc.Stats); diff != "" || rows[0].Direction != "upload" {
		r.t.Errorf("%s: counters (-tc +sqmctl):\n%s", kind, diff)
	}
	if p.Packets < 50 || p.Bytes < 50_000 {
		r.t.Errorf("%s: tc says %+v: too little to compare", kind, p)
	}
	r.t.Logf("%s: %+v", kind, p)
}

// sendUDP sends packets of 1000 bytes out of wan at once. Unlike SendIP it goes
// on when the qdisc drops one.
func (r *router) sendUDP(count int) {
	r.t.Helper()
	r.In(func() {
		socket, err := net.Dial("udp4", "192.0.2.2:9")
		if err != nil {
			r.t.Fatal(err)
		}
		defer socket.Close()
		for range count {
			_, _ = socket.Write(make([]byte, 1000-20-8)) // that nobody listens there is an error of the next one
		}
	})
	time.Sleep(2 * time.Second)
}

// rateOfTC is the rate of wan's CAKE, or of its class, as tc prints it.
func (r *router) rateOfTC(class bool) linklayer.Rate {
	r.t.Helper()
	words := []string{"qdisc", "show", "dev", "wan", "root"}
	if class {
		words = []string{"class", "show", "dev", "wan", "classid", r.device("wan").At(plan.HandleRoot).Handle.String() + "1"}
	}
	printed := r.Command("tc", words...)
	found := regexp.MustCompile(`(?:bandwidth|rate) (\d+)([KMG]?)bit `).FindStringSubmatch(printed)
	if found == nil {
		r.t.Fatalf("no rate in %s", printed)
	}
	n, err := strconv.ParseUint(found[1], 10, 64)
	if err != nil {
		r.t.Fatal(err)
	}
	return linklayer.Rate(n) * map[string]linklayer.Rate{"": 1, "K": linklayer.Kbit, "M": linklayer.Mbit, "G": linklayer.Gbit}[found[2]]
}
