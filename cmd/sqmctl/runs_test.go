package main

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim"
)

// Results come in the order of the scenarios, whichever run ends first.
func TestRunAll(t *testing.T) {
	var scenarios []sim.Scenario
	for n := range 8 {
		s := sim.Scenario{Delay: time.Duration(n+1) * time.Millisecond, Duration: time.Duration(9-n) * time.Second, Seed: 1}
		s.Ways[linklayer.Egress] = sim.Way{Line: sim.Line{Rate: 20 * linklayer.Mbit, Buffer: 64 << 10}, Load: sim.Load{Call: true}}
		scenarios = append(scenarios, s)
	}
	results, err := runAll(io.Discard, scenarios)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		if got := r.Ways[linklayer.Egress].Call.Median.Truncate(time.Millisecond); got != scenarios[i].Delay {
			t.Errorf("run %d: %v, should be %v", i, got, scenarios[i].Delay)
		}
	}
}

// One error, the first in order, is told.
func TestInParallelFails(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	err := inParallel(4, func(i int) error {
		switch i {
		case 1:
			time.Sleep(10 * time.Millisecond)
			return first
		case 2:
			return second
		}
		return nil
	})
	if err != first {
		t.Errorf("%v", err)
	}
}
