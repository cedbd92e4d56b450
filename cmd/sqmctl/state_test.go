package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/netlinkqdisc"
	"github.com/sqmctl/sqmctl/plan"
)

// readState is what the kernel has in a namespace.
func readState(t *testing.T, n *kernellab.Namespace) plan.State {
	t.Helper()
	return readBy(t, n, (*netlinkqdisc.Kernel).Read)
}

// readBy is readState in one way or another.
func readBy(t *testing.T, n *kernellab.Namespace, read func(*netlinkqdisc.Kernel) (plan.State, error)) plan.State {
	t.Helper()
	var state plan.State
	n.In(func() {
		kernel, err := netlinkqdisc.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer kernel.Close()
		if state, err = read(kernel); err != nil {
			t.Fatal(err)
		}
	})
	return state
}

// objects are the devices and all that hangs on them, without what differs
// between two that are made alike. They take a hundredth of the time of a dump.
type objects struct {
	state  plan.State
	qdiscs map[string][]any
}

func (r *router) objects() objects {
	r.t.Helper()
	o := objects{state: readState(r.t, r.Namespace)}
	r.In(func() { o.qdiscs = rawQdiscs(r.t) })
	o.state.Time = time.Time{}
	for i := range o.state.Devices {
		d := &o.state.Devices[i]
		d.Index, d.Counters = 0, plan.Counters{}
		for j := range d.Qdiscs {
			d.Qdiscs[j].Stats, d.Qdiscs[j].CakeStats = plan.Stats{}, nil
		}
		for j := range d.Classes {
			d.Classes[j].Stats = plan.Stats{}
		}
		for j := range d.Filters {
			d.Filters[j].Stats = plan.Stats{}
		}
	}
	return o
}

func (r *router) wantObjects(when string, want objects) {
	r.t.Helper()
	got := r.objects()
	if diff := cmp.Diff(want.state, got.state); diff != "" {
		r.t.Errorf("%s: the objects differ (-want +got):\n%s", when, diff)
	}
	if diff := cmp.Diff(want.qdiscs, got.qdiscs); diff != "" {
		r.t.Errorf("%s: the bytes of qdiscs differ (-want +got):\n%s", when, diff)
	}
}
