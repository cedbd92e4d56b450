package main

import (
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

var docsisLine = profileOf("docsis", "300 Mbit/s", "25.2 Mbit/s")

// withoutRedirect is what a script left that made all but the redirect, and
// threw the error away.
const withoutRedirect = `qdisc add dev wan root handle 8001: cake bandwidth 24mbit diffserv4 dual-srchost nat ack-filter docsis
	qdisc add dev wan ingress
	qdisc add dev ifb4wan root handle 8002: cake bandwidth 264mbit besteffort dual-dsthost nat wash ingress docsis
`

// unseenDownload is what doctor says about such a download, with a profile and
// without one.
func (r *router) unseenDownload() {
	r.t.Helper()
	want := []string{
		"wan download: error: not redirected", "wan has no redirect filter to ifb4wan, so received packets take the normal way",
		"cake on ifb4wan: 0 packets",
	}
	r.says(statusFindings, want, "doctor", "--for", "1s")
	r.profileGone(func() { r.says(statusFindings, append(want, "wan upload: ok: idle"), "doctor", "--for", "1s") })
	r.says(statusFine, []string{"wan upload: shaped at 24 Mbit/s", "wan download: not shaped"}, "status", "wan")
}

var troubledIngress = []troubled{
	// Upload was shaped, download never was: the kernel can't redirect, and only
	// a command that nobody looked at had said so.
	{name: "mirred-missing", kernel: "no-mirred", profile: docsisLine, check: func(r *router) {
		r.Batch("ip", "link add ifb4wan up type ifb\n")
		r.Batch("tc", withoutRedirect)
		r.refused("filter add dev wan ingress protocol all prio 10 matchall action mirred egress redirect dev ifb4wan")
		r.unseenDownload()
		r.Batch("ip", "link del ifb4wan\n")
		before := r.dump()
		r.says(statusFailed, []string{"this kernel can't redirect packets", "act_mirred", `download = "off"`}, "apply")
		r.wantSame("after the failure", before)

		r.write(profileOf("docsis", "off", "25.2 Mbit/s"))
		r.apply()
		r.says(statusFine, []string{"wan upload: shaped at 23.94 Mbit/s"}, "status")
	}},
	// The same for want of matchall; u32, which the kernel has, does as well, and
	// for frames of every protocol.
	{name: "matchall-missing", kernel: "no-matchall", profile: docsisLine, check: func(r *router) {
		r.Batch("ip", "link add ifb4wan up type ifb\n")
		r.Batch("tc", withoutRedirect)
		r.refused("filter add dev wan ingress protocol all prio 10 matchall action mirred egress redirect dev ifb4wan")
		r.unseenDownload()
		r.Batch("ip", "link del ifb4wan\n")
		r.apply()
		f := r.device("wan").Filters
		if len(f) != 1 || f[0].Kind != "u32" || f[0].Protocol != 3 || f[0].Selective || f[0].Redirect != "ifb4wan" {
			r.t.Fatalf("filters on the way in: %+v", f)
		}
		const ethIP, ethIPv6, ethPPPoE = 0x0800, 0x86DD, 0x8864
		for _, protocol := range []uint16{ethIP, ethIPv6, ethPPPoE} {
			before := r.device("ifb4wan").At(plan.HandleRoot).Stats.Packets
			r.receive(protocol, 10)
			if n := r.device("ifb4wan").At(plan.HandleRoot).Stats.Packets - before; n != 10 {
				r.t.Errorf("%d of 10 frames of protocol %#x came to the IFB", n, protocol)
			}
		}
	}},
	// The firmware's own QoS had the way in already, one filter for each
	// protocol, and a second redirect would have idled either.
	{name: "foreign-redirect-there", profile: docsisLine, check: func(r *router) {
		r.Batch("ip", "link add wan-ifb up type ifb\n")
		r.Batch("tc", `qdisc add dev wan-ifb root handle 1: tbf rate 90mbit burst 20k latency 50ms
			qdisc add dev wan ingress
			filter add dev wan ingress protocol ip u32 match u32 0 0 flowid 1:1 action mirred egress redirect dev wan-ifb
			filter add dev wan ingress protocol ipv6 u32 match u32 0 0 flowid 1:1 action mirred egress redirect dev wan-ifb
		`)
		before := r.dump()
		filters := []string{"u32 prio 49151 protocol ipv6, redirects to wan-ifb", "u32 prio 49152 protocol ip, redirects to wan-ifb"}
		r.says(statusFailed, append(filters, "there are 2 filters on the way in that sqmctl did not install", "turn that QoS off, or run again with --take-over"), "apply")
		r.wantSame("after a refusal", before)
		r.says(statusFindings, []string{"wan redirects what it receives to wan-ifb, not to ifb4wan"}, "doctor", "--for", "1s")
		for _, f := range filters {
			r.says(statusFine, []string{"delete filter " + strings.Replace(f, ", ", " on wan, ", 1) + " (sqmctl did not install it)"}, "plan", "--take-over")
		}
		r.wantSame("after looking", before)

		r.says(statusFine, nil, "apply", "--take-over")
		if f := r.device("wan").Filters; len(f) != 1 || f[0].Redirect != "ifb4wan" {
			r.t.Errorf("filters on the way in: %+v", f)
		}
		if r.device("wan-ifb").At(plan.HandleRoot).Kind != "tbf" {
			r.t.Error("the other program's own device was touched")
		}
	}},
	// QoS for the upload alone took the ingress qdisc away, and with it the copy
	// of all traffic that another program sent to its monitor.
	{name: "foreign-mirror-deleted", profile: profileOf("docsis", "off", "20 Mbit/s"), check: func(r *router) {
		r.Batch("tc", `qdisc add dev wan root handle 1: htb r2q 10 default 2
			qdisc add dev wan ingress
			filter add dev wan ingress protocol all matchall action mirred egress mirror dev pc
			filter add dev wan ingress protocol all prio 7 bpf bytecode "1,6 0 0 0" flowid 1:1
		`)
		way := r.device("wan").Filters
		wantWay := func(when string) {
			r.t.Helper()
			d := r.device("wan")
			if len(way) != 2 || len(d.Filters) != 2 || d.At(plan.HandleIngress) == nil || d.Filters[1].Mirror != "pc" {
				r.t.Errorf("%s: the way in has %+v", when, d.Filters)
			}
		}
		r.apply()
		wantWay("after apply")
		r.write(profileOf("docsis", "off", "25 Mbit/s"))
		r.apply()
		wantWay("after another apply")
		r.remove()
		wantWay("after remove")

		r.write(docsisLine)
		all := []string{"bpf prio 7", "matchall prio 49152", "mirrors to pc"}
		r.says(statusFailed, all, "apply")
		wantWay("after a refusal")
		r.says(statusFine, append(all, "sqmctl did not install it"), "plan", "--take-over")
	}},
	// A filter of another program came after ours: ours goes, its stays, and so
	// does what it hangs on.
	{name: "foreign-filter-later", profile: docsisLine, check: func(r *router) {
		r.apply()
		r.Batch("tc", "filter add dev wan ingress protocol ip prio 20 matchall action mirred egress mirror dev pc\n")
		r.remove()
		d := r.device("wan")
		if len(d.Filters) != 1 || d.Filters[0].Mirror != "pc" || d.At(plan.HandleIngress) == nil {
			r.t.Errorf("after remove the way in has %+v", d.Filters)
		}
		r.Batch("tc", "filter del dev wan ingress protocol ip prio 20 matchall\n")
		r.apply() // what a remove left is in nobody's way
		r.remove()
	}},
}
