package main

import (
	"fmt"
	"testing"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// killSituations are what an sqmctl finds that doesn't come to its end, and
// how many requests it takes.
var killSituations = []struct {
	name     string
	prepare  func(*router)
	command  string
	requests int
}{
	{"apply on a fresh device", func(*router) {}, "apply", 6},
	{"apply in place of a foreign htb", func(r *router) {
		r.Batch("tc", `qdisc add dev wan root handle 1: htb default 20
			class add dev wan parent 1: classid 1:1 htb rate 9mbit
			class add dev wan parent 1:1 classid 1:10 htb rate 5mbit ceil 9mbit prio 1
			class add dev wan parent 1:1 classid 1:20 htb rate 3mbit ceil 9mbit prio 2
			qdisc add dev wan parent 1:10 handle 10: sfq
			qdisc add dev wan parent 1:20 handle 20: fq_codel
			filter add dev wan parent 1: protocol ip prio 1 u32 match ip dport 22 0xffff flowid 1:10
		`)
	}, "apply", 6},
	{"apply of other rates", func(r *router) {
		r.write(profileOf("lte", "20 Mbit/s", "10 Mbit/s"))
		r.apply()
		r.write(killProfile)
	}, "apply", 2},
	{"remove", func(r *router) { r.apply() }, "remove", 4},
}

var killProfile = profileOf("docsis", "100 Mbit/s", "20 Mbit/s")

// Wherever an apply or a remove is killed, the next apply gets it done, and
// remove leaves nothing of either.
func TestKilledKernel(t *testing.T) {
	for _, s := range killSituations {
		t.Run(s.name, func(t *testing.T) {
			// On a virtual clock, which stands still as long as anything runs, the
			// kernel may never get to clean up behind a killed process.
			kernellab.RunRealTime(t, func(t *testing.T) {
				r := newRouter(t, killProfile)
				fresh, freshDump := r.objects(), r.dump()
				r.apply()
				clean, cleanDump := r.objects(), r.dump()
				r.remove()

				n, killed := 0, true
				for killed {
					n++
					s.prepare(r)
					killed = r.runUntilChange(n, s.command)
					when := fmt.Sprintf("%s was killed before request %d", s.command, n)
					r.apply()
					r.wantObjects(when+", after apply", clean)
					if !killed {
						r.wantAlike("in the end, after apply", cleanDump)
					}
					r.remove()
					r.wantObjects(when+", after remove", fresh)
				}
				r.wantSame("in the end, after remove", freshDump)
				if n-1 != s.requests {
					t.Errorf("killed at %d requests, should be %d", n-1, s.requests)
				}
			})
		})
	}
}
