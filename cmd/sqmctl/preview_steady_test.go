package main

import (
	"testing"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
	"github.com/sqmctl/sqmctl/sim"
)

// The manual says how far one seed's figures are from another's.
func TestPreviewIsSteady(t *testing.T) {
	const within = 0.07
	for _, typeOf := range []string{"docsis", "lte"} {
		l := lineOf(t, typeOf)
		for _, d := range []linklayer.Direction{linklayer.Egress, linklayer.Ingress} {
			for _, shaped := range []bool{false, true} {
				first := figuresOf(t, l, d, shaped, 1)
				for seed := uint64(2); seed <= 4; seed++ {
					for i, v := range figuresOf(t, l, d, shaped, seed) {
						if off := v/first[i] - 1; off < -within || off > within {
							t.Errorf("%s %s, shaped %v, seed %d: %s is %.4g instead of %.4g", typeOf, d, shaped, seed, []string{"median", "p95", "throughput"}[i], v, first[i])
						}
					}
				}
			}
		}
	}
}

// lineOf is a line of a type as preview takes it without any option.
func lineOf(t *testing.T, typeOf string) *previewLine {
	t.Helper()
	profile, err := config.Parse("f", []byte("schema = 1\n[[link]]\ninterface = \"wan\"\ntype = \""+typeOf+"\"\ninvoice = { download = \"40 Mbit/s\", upload = \"10 Mbit/s\" }\n"))
	if err != nil {
		t.Fatal(err)
	}
	planned := plan.Compile(profile, plan.State{})
	l := &previewLine{config: &profile.Links[0], plan: planned.Links[0], assumed: assumptionFor(profile.Links[0].Type), flows: usualFlows}
	l.rtt, l.wobble = l.assumed.rtt, l.assumed.wobble
	for d := range l.lines {
		if l.lines[d], err = l.line(linklayer.Direction(d), "", ""); err != nil {
			t.Fatal(err)
		}
	}
	l.takeTime()
	return l
}

func figuresOf(t *testing.T, l *previewLine, d linklayer.Direction, shaped bool, seed uint64) [3]float64 {
	t.Helper()
	s := l.scenario(d, shaped)
	s.Seed = seed
	r, err := sim.Run(s)
	if err != nil {
		t.Fatal(err)
	}
	w := &r.Ways[d]
	return [3]float64{ms(w.Call.Median), ms(w.Call.P95), mbit(w.Goodput)}
}

// A run is long enough for its queues, in whole periods of a rate that varies.
func TestTakeTime(t *testing.T) {
	for _, typeOf := range linklayer.AccessNames() {
		l := lineOf(t, typeOf)
		if l.warmup < leastWarmup || l.duration-l.warmup < leastTime || l.duration%wobbleTime != 0 || l.warmup%wobbleTime != 0 {
			t.Errorf("%s: %v, of which %v", typeOf, l.duration, l.warmup)
		}
		for i := range l.lines {
			if fill := l.rtt + drain(&l.lines[i]); l.warmup < 8*fill || l.duration-l.warmup < 16*fill {
				t.Errorf("%s: %v, of which %v, for a queue of %v", typeOf, l.duration, l.warmup, fill)
			}
		}
	}
	l := lineOf(t, "ethernet")
	l.rtt = longestRTT
	if l.takeTime(); l.duration > longestRun || l.warmup >= l.duration {
		t.Errorf("the longest path: %v, of which %v", l.duration, l.warmup)
	}
}
