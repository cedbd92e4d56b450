package sim

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sqmctl/sqmctl/linklayer"
)

// A run reports where it is, from the start to near the end, and its result is
// the same as that of one that doesn't.
func TestProgress(t *testing.T) {
	s := searchLine(38)
	s.Duration = 5 * time.Second
	s.Warmup = 1 * time.Second
	quiet, err := Run(s)
	if err != nil {
		t.Fatal(err)
	}
	var reports []time.Duration
	s.Progress = func(at time.Duration) { reports = append(reports, at) }
	loud, err := Run(s)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(quiet, loud); diff != "" {
		t.Errorf("progress changed the result (-without +with):\n%s", diff)
	}
	if n := len(reports); n < 45 || n > 51 {
		t.Errorf("%d reports in 5 s, should be one in about 100 ms", n)
	}
	if !slices.IsSorted(reports) || reports[0] > 100*time.Millisecond || reports[len(reports)-1] < s.Duration-200*time.Millisecond || slices.Max(reports) > s.Duration {
		t.Errorf("reports are from %v to %v", reports[0], reports[len(reports)-1])
	}
}

// The course covers the whole run, and its greatest values are those that are
// reported for the start and for the rest.
func TestCourse(t *testing.T) {
	s := searchLine(38)
	s.Duration, s.Warmup = 5050*time.Millisecond, time.Second
	r, err := Run(s)
	if err != nil {
		t.Fatal(err)
	}
	w := &r.Ways[linklayer.Egress]
	if len(w.Course) != 51 {
		t.Fatalf("%d values for 5.05 s", len(w.Course))
	}
	early, rest := slices.Max(w.Course[:10]), slices.Max(w.Course[10:])
	if early != w.Startup.Max || rest != w.Call.Max {
		t.Errorf("greatest %v and %v, should be %v and %v", early, rest, w.Startup.Max, w.Call.Max)
	}
	if slices.Min(w.Course) < w.Call.Idle {
		t.Errorf("least %v, below %v of an idle line", slices.Min(w.Course), w.Call.Idle)
	}
	if r.Ways[linklayer.Ingress].Course != nil {
		t.Error("a direction without a call has a course")
	}
}
