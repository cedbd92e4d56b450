package main

import (
	"bytes"
	"testing"
	"time"
)

// Two runs, of which one has been through a first round of the same length.
func TestProgressLine(t *testing.T) {
	p := &progress{total: 400 * time.Second}
	first, second := p.part(), p.part()
	first(50 * time.Second)
	second(10 * time.Second)
	second(20 * time.Second)
	first(100 * time.Second)
	second(0) // starts again
	second(30 * time.Second)
	if got, want := p.line(2500*time.Millisecond), "[###########...................]  38 %, 2s"; got != want {
		t.Errorf("%q, should be %q", got, want)
	}
	first(time.Hour)
	if got, want := p.line(time.Minute), "[##############################] 100 %, 1m0s"; got != want {
		t.Errorf("%q, should be %q", got, want)
	}
}

// What isn't a terminal gets no bar.
func TestProgressElsewhere(t *testing.T) {
	var out bytes.Buffer
	p := startProgress(&out, time.Second)
	p.part()(time.Second)
	p.stop()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}
