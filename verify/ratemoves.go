package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/linklayer"
)

// rateMoves is a rate that changed while doctor looked; or, where no profile
// says what is meant, one that isn't the one that another program made CAKE
// with: its "capacity estimate" is that as long as autorate is off (cake_init and
// cake_change of the kernel's net/sched/sch_cake.c). sqmctl itself changes rates
// in place, so of its own it tells nothing.
func (d *direction) rateMoves() *Finding {
	root := d.root(d.last())
	if root.Cake != nil && root.Cake.Autorate {
		return nil // it is CAKE itself that moves it
	}
	const advice = "if it is meant, leave it; else stop the program that does it (cake-autorate, a cron job), then run: sqmctl apply"
	seen := d.ratesSeen()
	now := seen[len(seen)-1]
	if len(seen) > 1 {
		f := d.finding(RateMoves, Notice, advice, "another program keeps changing the rate: %d times while doctor looked", len(seen)-1)
		f.numbered("changes", float64(len(seen)-1)).numbered("rate_bit_per_s", float64(now))
		return d.with(f, fmt.Sprintf("first %s, now %s", rateWords(seen[0]), rateWords(now)))
	}
	if d.planned() || root.Handle.Owned() || root.Cake == nil || root.CakeStats == nil || now == 0 {
		return nil
	}
	made := root.CakeStats.Capacity
	if made == 0 || near1(float64(made)/float64(now)) {
		return nil
	}
	f := d.finding(RateMoves, Notice, advice, "%s on %s was made with %s and has %s now: another program changes the rate; sqmctl apply would set the profile's", root.Kind, root.Link, made, now)
	return f.numbered("made_bit_per_s", float64(made)).numbered("rate_bit_per_s", float64(now))
}

// ratesSeen are the shaper's rates, as they followed each other.
func (d *direction) ratesSeen() []linklayer.Rate {
	var seen []linklayer.Rate
	for i := range d.samples {
		if r := d.rate(&d.samples[i]); len(seen) == 0 || seen[len(seen)-1] != r {
			seen = append(seen, r)
		}
	}
	return seen
}

// planned tells a shaper of a profile from one that was only found.
func (d *direction) planned() bool { return d.shaper.Invoice != 0 }

// wantedRate is the plan's; 0 for a server's qdisc.
func (d *direction) wantedRate() linklayer.Rate {
	switch {
	case d.shaper.Qdisc.Cake != nil:
		return d.shaper.Qdisc.Cake.Rate
	case len(d.shaper.Classes) > 0:
		return d.shaper.Classes[0].HTB.Rate
	}
	return 0
}

// near1 allows for what tc rounds when it prints.
func near1(ratio float64) bool { return ratio > 0.998 && ratio < 1.002 }

func rateWords(r linklayer.Rate) string {
	if r == 0 {
		return "none"
	}
	return r.String()
}
