package main

import (
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
)

var troubledLinkLayer = []troubled{
	// CAKE shows "raw" and no overhead, because a size table has it, which tc
	// prints only when asked twice.
	{name: "overhead-in-size-table", profile: profileOf("adsl-pppoe-llcsnap", "off", "10 Mbit/s"), check: func(r *router) {
		r.Batch("tc", "qdisc add dev wan root stab linklayer atm overhead 44 cake bandwidth 9545kbit diffserv3 dual-srchost nat raw\n")
		r.says(statusFine, []string{"wan upload: shaped at 9.545 Mbit/s, size table with overhead 44 and ATM cells (wan, by another program)"}, "status", "wan")
		r.profileGone(func() { r.wantCodes(r.doctor(nil), "wan", "upload", "idle") })
		r.says(statusFindings, []string{"raw is raw, the profile says off", "overhead is 0, the profile says 40", "stab is mtu 2047 tsize 512 mpu 0 overhead 44 linklayer atm, the profile says none"}, "doctor", "--for", "1s")

		// CAKE's own on top of it counts everything twice.
		r.Batch("tc", "qdisc change dev wan root stab linklayer atm overhead 44 cake atm overhead 44\n")
		r.profileGone(func() {
			r.says(statusFine, []string{"overhead 44, size table with overhead 44 and ATM cells"}, "status", "wan")
			r.says(statusFindings, []string{"wan upload: error: overhead twice", "is counted twice: by a size table (stab), which adds 44 bytes and counts ATM cells, and by CAKE, which adds 44 and counts ATM cells"}, "doctor", "--for", "1s")
		})
		r.SendIP("wan", 1000, 1)
		r.wantLengths("wan", lengths{23*53 - 14, 23*53 - 14, 27 * 53, 27 * 53}) // the table's 23 cells, and 44 bytes on them
		r.apply()
		r.says(statusFine, []string{"wan upload: shaped at 9.5 Mbit/s, overhead 40 (wan, by sqmctl)"}, "status", "wan")
	}},
	// The figure of a size table was kept when CAKE came: the cells of short
	// packets were left out.
	{name: "size-table-value-in-cake", profile: profileOf("adsl-pppoa-vcmux", "off", "795 kbit/s", `headroom = "0 %"`), check: func(r *router) {
		r.Batch("ip", "link set wan mtu 1492\n")
		r.Batch("tc", "qdisc add dev wan root cake bandwidth 795kbit diffserv3 dual-dsthost ack-filter atm overhead -4\n")
		r.SendIP("wan", 76, 20)
		r.SendIP("wan", 300, 1)
		r.wantLengths("wan", lengths{76, 300, 106, 371})
		r.profileGone(func() {
			findings := r.doctor(func() { r.SendIP("wan", 300, 21) })
			r.wantCodes(findings, "wan", "upload", "overhead-negative", "isolation", "idle")
			if got := findings[0]; got.Severity != "warning" || !strings.Contains(got.Advice, "-4 + 14 = 10, which is type adsl-pppoa-vcmux") {
				r.t.Errorf("doctor says %+v", got)
			}
		})
		findings := r.doctor(func() { r.SendIP("wan", 300, 21) })
		r.wantCodes(findings, "wan", "upload", "not-as-planned", "idle")
		want := []string{
			"flowmode is dual-dsthost, the profile says dual-srchost", "nat is nonat, the profile says nat", "ack-filter is ack-filter, the profile says no-ack-filter",
			"overhead is -4, the profile says 10", "memlimit is 0, the profile says 4Mb",
		}
		if diff := cmp.Diff(want, findings[0].Evidence); diff != "" { // the target of 22.7 ms is right
			r.t.Error(diff)
		}
		r.apply()
		if got := r.device("wan").At(plan.HandleRoot).CakeStats.Tins[1].Target.Round(100 * time.Microsecond); got != 22700*time.Microsecond {
			r.t.Errorf("the target is %v", got)
		}
		r.SendIP("wan", 40, 5)
		r.wantLengths("wan", lengths{40, 40, 106, 106})
	}},
	// The catch-all 44 on a line where 34 is exact, and a shaper that was never
	// loaded: to say that it doesn't work would be a false alarm.
	{name: "generous-overhead-and-light-load", profile: profileOf("vdsl2-pppoe-vlan", "off", "40 Mbit/s", `headroom = "0 %"`), check: func(r *router) {
		r.Batch("tc", "qdisc add dev wan root cake bandwidth 40mbit diffserv4 dual-srchost nat ptm overhead 44\n")
		r.SendIP("wan", 36, 1)
		r.SendIP("wan", 1492, 1)
		r.wantLengths("wan", lengths{36, 1492, 82, 1560})
		var findings []findingJSON
		r.profileGone(func() {
			findings = r.doctor(func() {
				for range 300 {
					r.SendIP("wan", 76, 14)
					r.SendIP("wan", 1492, 1)
					time.Sleep(20 * time.Millisecond)
				}
			})
		})
		r.wantCodes(findings, "wan", "upload", "ptm-overhead", "idle")
		if text := findings[1].Text; !strings.Contains(text, "too little upload to tell") {
			r.t.Errorf("doctor says %q", text)
		}
		if s := r.device("wan").At(plan.HandleRoot).Stats; s.Packets < 4488 || s.Overlimits < 345 || s.Drops != 0 {
			r.t.Errorf("%+v: not what doctor should not be alarmed by", s)
		}
		r.says(statusFindings, []string{"wan upload: warning: not as planned", "overhead is 44, the profile says 34"}, "doctor", "--for", "1s")
		r.says(statusFine, []string{"right if the invoice is what the modem syncs at", `write framing = "plain"`}, "plan", "--explain")
	}},
	// Short packets filled the modem's queue although CAKE was below the line's
	// rate: the line pads them to 64 bytes, and nobody had told CAKE.
	{name: "no-minimum-on-cable", profile: profileOf("docsis", "25 Mbit/s", "2.5 Mbit/s", "mpu = 0"), check: func(r *router) {
		r.apply()
		r.write(profileOf("docsis", "25 Mbit/s", "2.5 Mbit/s"))
		r.SendIP("wan", 40, 1)
		r.wantLengths("wan", lengths{40, 40, 58, 58})
		findings := r.doctor(nil)
		for _, direction := range []string{"upload", "download"} {
			r.wantCodes(findings, "wan", direction, "not-as-planned", "idle")
		}
		for _, f := range findings {
			if f.Code == "not-as-planned" && !cmp.Equal(f.Evidence, []string{"mpu is 0, the profile says 64"}) {
				r.t.Errorf("doctor says %+v", f)
			}
		}
		r.apply()
		for _, device := range []string{"wan", "ifb4wan"} {
			if e := r.device(device).At(plan.HandleRoot).Cake.Encapsulation; e.Overhead != 18 || e.MPU != 64 {
				r.t.Errorf("%s has %+v", device, e)
			}
		}
		r.SendIP("wan", 28, 1)
		r.SendIP("wan", 1500, 1)
		r.wantLengths("wan", lengths{28, 1500, 64, 1518})
	}},
	// The device below PPPoE carries 8 bytes of it in what CAKE takes for the
	// packet, so the same line needs 8 less there.
	{name: "under-pppoe", profile: profileOf("vdsl2-pppoe", "off", "40 Mbit/s"), check: func(r *router) {
		r.Batch("ip", "link set wan arp off\n")
		kernellab.ConnectPPPoE(
			kernellab.PPPoEEnd{Namespace: r.Namespace, Below: "wan", Device: "ppp0", Address: "198.51.100.1"},
			kernellab.PPPoEEnd{Namespace: r.line, Below: "peer", Device: "ppp0", Address: "198.51.100.2"},
		)
		r.says(statusFine, []string{"less the 8 bytes of PPPoE and PPP, which wan carries already because PPP runs over it"}, "plan", "--explain")
		r.apply()
		r.write(strings.Replace(profileOf("vdsl2-pppoe", "off", "40 Mbit/s"), `"wan"`, `"ppp0"`, 1))
		r.apply()
		r.SendIP("ppp0", 36, 1)
		r.SendIP("ppp0", 1492, 1)
		r.wantLengths("ppp0", lengths{36, 1492, 68, 1546})
		r.wantLengths("wan", lengths{44, 1500, 68, 1546})
		r.Batch("tc", "qdisc change dev wan root cake overhead 30\n")
		r.profileGone(func() {
			findings := r.doctor(func() { r.SendIP("ppp0", 1492, 20) })
			r.wantCodes(findings, "ppp0", "upload", "double-shaped", "idle")
			r.wantCodes(findings, "wan", "upload", "overhead-lengths", "idle")
			r.says(statusFine, []string{"set CAKE's overhead to 30 − 8 = 22", "a full packet counts 1554 instead of 1546 bytes, 0.5 % too much"}, "doctor", "--for", "1s", "wan")
		})
	}},
}

// lengths are the shortest and the longest packet that CAKE has seen since it
// was last changed, in bytes: the IP packet, and what CAKE counts it as.
type lengths struct{ minNet, maxNet, minAdjusted, maxAdjusted int }

func (r *router) wantLengths(device string, want lengths) {
	r.t.Helper()
	time.Sleep(time.Second) // until all have been sent
	s := r.device(device).At(plan.HandleRoot).CakeStats
	got := lengths{s.MinNetworkLength, s.MaxNetworkLength, s.MinAdjustedLength, s.MaxAdjustedLength}
	if got != want {
		r.t.Errorf("%s counts %+v, should be %+v", device, got, want)
	}
}
