package netlinkqdisc

import (
	"testing"

	"github.com/sqmctl/sqmctl/internal/everyline"
	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// spreadProfiles are profiles with cake_mq, and others that it takes the place of
// or that take its place.
var spreadProfiles = []everyline.Profile{
	{Name: "cake", Text: everyline.Of("docsis", "100 Mbit/s", "40 Mbit/s")},
	{Name: "cake_mq", Text: everyline.Of("docsis", "100 Mbit/s", "40 Mbit/s", `qdisc = "cake_mq"`)},
	{Name: "cake_mq, every other option", Text: everyline.Of("adsl-pppoe-llcsnap", "16 Mbit/s", "2.4 Mbit/s", `qdisc = "cake_mq"`,
		`diffserv = { download = "precedence", upload = "diffserv8" }`, `isolation = { download = "dsthost", upload = "flows" }`,
		`nat = false`, `wash = true`, `ack_filter = "aggressive"`, `split_gso = false`, `fwmark = 7`, `memory_limit = "1 MiB"`, `rtt = "30 ms"`)},
	{Name: "cake_mq, raw", Text: everyline.Of("raw", "90 Mbit/s", "30 Mbit/s", `qdisc = "cake_mq"`)},
	{Name: "cake_mq, upload only", Text: everyline.Of("ethernet", "off", "30 Mbit/s", `qdisc = "cake_mq"`)},
	{Name: "cake_mq, download only", Text: everyline.Of("ethernet", "30 Mbit/s", "off", `qdisc = "cake_mq"`)},
	{Name: "cake_mq up, cake down", Text: everyline.Of("vdsl2", "100 Mbit/s", "20 Mbit/s", `qdisc = { upload = "cake_mq", download = "cake" }`)},
	{Name: "tiers up, cake_mq down", Text: everyline.Of("vdsl2", "100 Mbit/s", "20 Mbit/s", `qdisc = { upload = "fq_codel", download = "cake_mq" }`, `diffserv = { upload = "diffserv3" }`)},
	{Name: "fq_codel", Text: everyline.Of("gpon", "150 Mbit/s", "20 Mbit/s", `qdisc = "fq_codel"`)},
	{Name: "a server", Text: "schema = 1\n[[link]]\ninterface = \"wan\"\nrole = \"server\"\n"},
}

// Each profile is changed into each other one, as in
// TestProfilesChangeIntoEachOther: never is there a moment without a shaper.
func TestCakeMQChangesIntoOthersKernel(t *testing.T) {
	kernellab.RunOn(t, kernellab.CakeMQ, func(t *testing.T) {
		w := newWalk(t, "Ethernet", "numtxqueues 4 numrxqueues 4")
		clean := w.inventory()
		w.prepare(spreadProfiles)
		for from := range w.texts {
			for to := range w.texts {
				if from != to {
					w.change(from, to)
				}
			}
		}
		w.remove(clean)
		t.Logf("%d changes, %d looks between two requests", w.changes, w.probes)
		if n := len(w.texts); w.changes != n*(n-1) || w.probes < w.changes {
			t.Errorf("only %d changes and %d looks", w.changes, w.probes)
		}
	})
}
