package main

import (
	"fmt"
	"strings"
	"time"
)

// grades are by what load adds to 95 of 100 packets of a call, as the speed
// tests that grade bufferbloat have them.
var grades = []struct {
	letter string
	below  time.Duration
}{
	{"A+", 5 * time.Millisecond},
	{"A", 30 * time.Millisecond},
	{"B", 60 * time.Millisecond},
	{"C", 200 * time.Millisecond},
	{"D", 400 * time.Millisecond},
}

// tolerable is a delay that nobody in a call notices: grade A and better.
const tolerable = 30 * time.Millisecond

func grade(added time.Duration) string {
	for _, g := range grades {
		if added < g.below {
			return g.letter
		}
	}
	return "F"
}

// gradeWords are the thresholds.
func gradeWords() string {
	var all []string
	for _, g := range grades {
		all = append(all, fmt.Sprintf("%s below %d ms", g.letter, g.below.Milliseconds()))
	}
	return strings.Join(all, ", ") + ", F above"
}
