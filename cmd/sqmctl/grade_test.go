package main

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/sim"
)

func TestGrade(t *testing.T) {
	for _, tt := range []struct {
		below time.Duration
		is    string
		next  string
	}{
		{5 * time.Millisecond, "A+", "A"}, {30 * time.Millisecond, "A", "B"}, {60 * time.Millisecond, "B", "C"},
		{200 * time.Millisecond, "C", "D"}, {400 * time.Millisecond, "D", "F"},
	} {
		if is, next := grade(tt.below-1), grade(tt.below); is != tt.is || next != tt.next {
			t.Errorf("below %v: %s, from there on %s; should be %s and %s", tt.below, is, next, tt.is, tt.next)
		}
	}
	if got := grade(0); got != "A+" {
		t.Errorf("no delay at all: %s", got)
	}
}

// Lost packets lower a grade, and never raise it.
func TestGradeWithLoss(t *testing.T) {
	for _, tt := range []struct {
		p95  time.Duration
		lost int // of 1000
		want string
	}{
		{0, 0, "A+"}, {0, 10, "A+"}, {0, 11, "C"}, {50 * time.Millisecond, 30, "C"}, {0, 31, "F"},
		{100 * time.Millisecond, 11, "C"}, {300 * time.Millisecond, 11, "D"}, {500 * time.Millisecond, 11, "F"}, {0, 1000, "F"},
	} {
		r := &sim.WayResult{Call: sim.Delay{Count: 1000 - tt.lost, Lost: tt.lost, P95: tt.p95}}
		if got := gradeOf(r); got != tt.want {
			t.Errorf("%v added and %d of 1000 lost: %s, should be %s", tt.p95, tt.lost, got, tt.want)
		}
	}
}
