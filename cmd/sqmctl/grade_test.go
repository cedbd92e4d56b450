package main

import (
	"testing"
	"time"
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
