package main

import (
	"slices"
	"testing"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// oracleProfiles are lines of different types, and every key that a profile
// can have.
var oracleProfiles = []struct{ name, profile string }{
	{"docsis", profileOf("docsis", "1 Gbit/s", "50 Mbit/s")},
	{"ethernet-pppoe", profileOf("ethernet-pppoe", "300 Mbit/s", "300 Mbit/s", `headroom = "2.5 %"`)},
	{"gpon", profileOf("gpon", "10 Gbit/s", "2.5 Gbit/s", `memory_limit = "48 MiB"`)},
	{"vdsl2-pppoe-vlan", profileOf("vdsl2-pppoe-vlan", "100 Mbit/s", "40 Mbit/s", `diffserv = { upload = "diffserv4" }`)},
	{"adsl at 1 Mbit/s", profileOf("adsl-pppoa-vcmux", "8 Mbit/s", "1 Mbit/s", `ack_filter = "on"`)},
	{"lte", profileOf("lte", "60 Mbit/s", "20.3 Mbit/s", `headroom = { download = "33.3 %", upload = "17 %" }`)},
	{"starlink", profileOf("starlink", "220 Mbit/s", "25 Mbit/s", `rtt = "oceanic"`)},
	{"conservative", profileOf("conservative", "16 Mbit/s", "1024 kbit/s", `nat = false`, `isolation = "triple-isolate"`)},
	{"raw", profileOf("raw", "90 Mbit/s", "30 Mbit/s", `mpu = 64`, `split_gso = false`)},
	{"upload off", profileOf("ethernet", "90 Mbit/s", "off", `fwmark = "0xff"`)},
	{"download off", profileOf("ethernet-vlan", "off", "90 Mbit/s", `overhead = -4`)},
	{"fq_codel", profileOf("ethernet", "50 Mbit/s", "20 Mbit/s", `qdisc = "fq_codel"`)},
	{"fq_codel on docsis", profileOf("docsis", "1 Gbit/s", "50 Mbit/s", `qdisc = "fq_codel"`, `rtt = "30 ms"`)},
	{"fq_codel on ATM", profileOf("adsl-pppoe-llcsnap", "8 Mbit/s", "0.8 Mbit/s", `qdisc = "fq_codel"`)},
	{"fq_codel on PTM", profileOf("vdsl2-pppoe", "100 Mbit/s", "40 Mbit/s", `qdisc = "fq_codel"`, `memory_limit = "2 MiB"`)},
	{"fq_codel, 10 Gbit/s", profileOf("gpon", "10 Gbit/s", "9.99 Gbit/s", `qdisc = "fq_codel"`, `overhead = { download = 0, upload = -5 }`)},
	{"fq_codel, 64 Gbit/s", profileOf("ethernet", "64 Gbit/s", "off", `qdisc = "fq_codel"`, `overhead = 14`, `mpu = 0`)},
	{"tiers", profileOf("docsis", "200 Mbit/s", "20 Mbit/s", `qdisc = "fq_codel"`, `diffserv = "diffserv3"`)},
	{"tiers of a slow upload", profileOf("adsl-pppoe-llcsnap", "8 Mbit/s", "0.8 Mbit/s", `qdisc = { upload = "fq_codel" }`, `diffserv = { upload = "diffserv3", download = "diffserv4" }`)},
	{"tiers, 10 Gbit/s", profileOf("ethernet", "10 Gbit/s", "40 Gbit/s", `qdisc = "fq_codel"`, `diffserv = "diffserv3"`)},
	{"download unshaped", profileOf("gpon", "2.5 Gbit/s", "500 Mbit/s", `qdisc = { download = "none" }`, `reason = "the processor"`)},
	{"fq_codel, raw", profileOf("raw", "90 Mbit/s", "1 Mbit/s", `qdisc = "fq_codel"`)},
	{"every key", profileOf("adsl-bridged-llcsnap", "24 Mbit/s", "3 Mbit/s",
		`qdisc        = "cake"`,
		`headroom     = { download = "12 %", upload = "0 %" }`,
		`overhead     = { download = 40, upload = -14 }`,
		`mpu          = { download = 96, upload = 53 }`,
		`framing      = { download = "ptm", upload = "atm" }`,
		`diffserv     = { download = "precedence", upload = "diffserv8" }`,
		`isolation    = { download = "dsthost", upload = "flows" }`,
		`nat          = { download = false, upload = true }`,
		`wash         = { download = false, upload = true }`,
		`ack_filter   = { download = "off", upload = "aggressive" }`,
		`rtt          = { download = "237 ms", upload = "999 µs" }`,
		`memory_limit = { download = "auto", upload = "1000000 B" }`,
		`split_gso    = { download = true, upload = false }`,
		`fwmark       = { download = "0xff0000", upload = 7 }`,
	)},
}

// What apply makes is what tc and ip make of the words that plan prints; to
// apply it again changes nothing; after remove all is as it was.
func TestOracleKernel(t *testing.T) {
	for _, p := range oracleProfiles {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			kernellab.Run(t, func(t *testing.T) {
				r := newRouter(t, p.profile)
				fresh := r.dump()
				events := r.listen()

				requests := r.apply()
				if heard := events.heard(); requests == 0 || len(heard) < requests {
					t.Errorf("%d requests, but only %q", requests, heard)
				}
				applied := r.dump()

				if again := r.apply(); again != 0 {
					t.Errorf("a second apply sent %d requests", again)
				}
				if heard := events.heard(); len(heard) > 0 {
					t.Errorf("a second apply changed something: %q", heard)
				}

				r.remove()
				r.wantSame("after remove", fresh)

				words := r.must("plan")
				r.In(func() { command(t, words, "sh", "-e") })
				r.wantAlike("after typing the plan", applied)
			})
		})
	}
}

// The profiles are as many and as different as they are meant to be.
func TestOracleProfilesDiffer(t *testing.T) {
	var seen []string
	for _, p := range oracleProfiles {
		if slices.Contains(seen, p.profile) {
			t.Errorf("%s is the same as another one", p.name)
		}
		seen = append(seen, p.profile)
	}
	if len(seen) < 12 {
		t.Errorf("only %d profiles", len(seen))
	}
}
