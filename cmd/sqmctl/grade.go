package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/sim"
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

// A call that loses more than a hundredth of its packets crackles, and more than
// 3 % is beyond what ITU-T G.1010, table I.1, allows one; however fast the rest is.
const (
	audibleLoss   = 0.01
	mostLoss      = 0.03
	gradeWithLoss = "C"
)

// gradeOf is the grade of what a run did to its call.
func gradeOf(r *sim.WayResult) string {
	letter := grade(added(r))
	switch lost := r.Call.LostPart(); {
	case lost > mostLoss:
		return "F"
	case lost > audibleLoss && strings.Contains("A+ B", letter):
		return gradeWithLoss
	}
	return letter
}

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
	return fmt.Sprintf("%s, F above; at best %s if more than %g %% of them are lost, and F if more than %g %%",
		strings.Join(all, ", "), gradeWithLoss, audibleLoss*100, mostLoss*100)
}
