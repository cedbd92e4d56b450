package main

import (
	"fmt"
	"os"
	"slices"
)

// A stage is a kernellab.T: what goes wrong ends the demonstration.

// Helper does nothing.
func (s *stage) Helper() {}

// Cleanup is run at the end, last one first.
func (s *stage) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

// Errorf ends the demonstration like Fatalf: nothing goes on after an error.
func (s *stage) Errorf(format string, args ...any) { s.Fatalf(format, args...) }

// Fatal says what is wrong and ends.
func (s *stage) Fatal(args ...any) { s.Fatalf("%s", fmt.Sprint(args...)) }

// Fatalf says what is wrong and ends.
func (s *stage) Fatalf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "demo: "+format+"\n", args...)
	os.Exit(1)
}

func (s *stage) clean() {
	for _, f := range slices.Backward(s.cleanups) {
		f()
	}
}
