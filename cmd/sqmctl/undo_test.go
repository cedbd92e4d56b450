package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
)

// inTheWay are foreign things that the kernel protects only when the last step
// of an apply comes to them.
var inTheWay = []struct {
	name    string
	profile string
	tc      string
	flags   []string
	want    string // of the error
}{
	{
		name:    "an ingress qdisc that shares its filters",
		profile: profileOf("docsis", "100 Mbit/s", "off"),
		tc: `qdisc add dev wan ingress_block 22 ingress
			qdisc add dev pc ingress_block 22 ingress
		`,
		want: "create filter matchall prio 10 on wan",
	},
	{
		name:    "all handles taken",
		profile: profileOf("docsis", "100 Mbit/s", "20 Mbit/s"),
		tc:      handlesTaken(),
		want:    "replace qdisc cake 737f: on wan",
	},
	{
		name:    "all handles taken, and filters that are replaced before",
		profile: profileOf("docsis", "100 Mbit/s", "20 Mbit/s"),
		tc: handlesTaken() + `qdisc add dev wan ingress
			filter add dev wan ingress protocol all prio 5 matchall action mirred egress mirror dev pc
			filter add dev wan ingress protocol ip prio 10 u32 match ip src 192.0.2.9 action drop
		`,
		flags: []string{"--take-over"},
		want:  "replace qdisc cake 737f: on wan",
	},
}

// handlesTaken is a root qdisc with children that have every handle which
// sqmctl could choose.
func handlesTaken() string {
	script := "qdisc add dev wan root handle 1: drr\n"
	for n := range 15 {
		script += fmt.Sprintf("class add dev wan parent 1: classid 1:%x drr\n", n+1)
		script += fmt.Sprintf("qdisc add dev wan parent 1:%x handle %v pfifo limit %d\n", n+1, plan.HandleOwned+plan.Handle(n)<<16, n+10)
	}
	return script
}

// An apply that fails at its last step leaves all as it was before.
func TestFailureAtTheLastStepKernel(t *testing.T) {
	for _, w := range inTheWay {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			kernellab.Run(t, func(t *testing.T) {
				r := newRouter(t, w.profile)
				r.Batch("tc", w.tc)
				before := r.dump()
				planned, _, _ := strings.Cut(r.must(append([]string{"plan"}, w.flags...)...), "\n\n# waiting packets")
				if last := planned[strings.LastIndex(strings.TrimSpace(planned), "\n")+1:]; !strings.Contains(last, w.want) {
					t.Errorf("the last step is %q, should be %q", last, w.want)
				}
				events := r.listen()
				got := r.sqmctl(append([]string{"apply"}, w.flags...)...)
				if got.status != statusFailed || strings.Count(got.stderr, "\n") != 1 || !strings.HasPrefix(got.stderr, "sqmctl: wan: "+w.want) {
					t.Errorf("apply ended with %+v, should fail at %q", got, w.want)
				}
				if got.stdout != "wan: failed; it is as it was before\n" {
					t.Errorf("apply says %q", got.stdout)
				}
				if heard := events.heard(); len(heard) < 6 {
					t.Errorf("only %q happened before the failure", heard)
				}
				r.wantSame("after the failure", before)
			})
		})
	}
}
