package main

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/everyline"
	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// What apply makes is what tc and ip make of the words that plan prints; to
// apply it again changes nothing; after remove all is as it was.
func TestOracleKernel(t *testing.T) {
	for _, p := range everyline.Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			kernellab.Run(t, func(t *testing.T) {
				r := newRouter(t, p.Text)
				r.makeDevice(p.Device)
				r.checkOracle()
			})
		})
	}
}

func (r *router) checkOracle() {
	t := r.t
	t.Helper()
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
}

// makeDevice makes wan into another kind of device.
func (r *router) makeDevice(kind string) {
	r.t.Helper()
	lines, ok := everyline.Devices[kind]
	if !ok {
		r.t.Fatalf("no device %q", kind)
	}
	if lines != "" {
		r.Batch("ip", lines)
		time.Sleep(3 * time.Second)
	}
}
