package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// scene is a line with traffic, in a kernel of its own, on which one situation
// follows another.
type scene struct {
	name    string
	kernel  string                                    // "" for one with everything
	line    func(t *testing.T, profile string) *story // nil: situationLine
	profile string                                    // applied at first, unless it is ""
	begin   func(*story)                              // then
	load    func(*story)                              // and then, for all that follows
	then    []situation
}

// situation is what is the case on a line, and what doctor has to say about it.
// It differs in one detail from the one before, mostly.
type situation struct {
	name    string
	tc      string       // the router's tc does this first
	do      func(*story) // then this is done
	profile bool         // doctor is given the profile, and judges what is there otherwise
	devices []string     // that doctor is asked about; nil: all
	want    judgement
	says    string // words that tell the cause
}

// judgement is all that doctor says, as it prints it, of each direction of each
// link: "wan upload" is "error not-as-planned, ok idle".
type judgement map[string]string

// The line of these situations, which is slow since it is the packets that take
// the time. It charges a packet as Ethernet does.
var situationLine = kernellab.LineFacts{
	Up: 10 * linklayer.Mbit, UpBuffer: 256 << 10,
	Down: 20 * linklayer.Mbit, DownBuffer: 512 << 10,
	Delay: 12 * time.Millisecond,
}

// situationProfile is right for the line, with some more lines.
func situationProfile(more ...string) string {
	return profileOf("ethernet", "20 Mbit/s", "10 Mbit/s", append([]string{`headroom = { download = "10 %", upload = "5 %" }`}, more...)...)
}

// Doctor tells every way in which a shaper fails from what looks like it and is
// right: it misses nothing and raises no false alarm.
func TestSituations(t *testing.T) {
	heard := openHeard(t)
	t.Run("scenes", func(t *testing.T) {
		for _, s := range scenes {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				kernellab.RunOn(t, cmp.Or(s.kernel, "linux"), func(t *testing.T) { s.play(t, heard) })
			})
		}
	})
	heard.report(t)
}

func (s *scene) play(t *testing.T, heard heard) {
	story := s.start(t)
	for i := range s.then {
		then := &s.then[i]
		said := then.doctor(story)
		heard.add(t, s.name+", "+then.name, then.want, said)
	}
}

func (s *scene) start(t *testing.T) *story {
	make := s.line
	if make == nil {
		make = func(t *testing.T, profile string) *story { return newStoryOn(t, profile, situationLine) }
	}
	story := make(t, s.profile)
	if s.profile != "" {
		story.apply()
	}
	if s.begin != nil {
		s.begin(story)
	}
	if s.load != nil {
		s.load(story)
	}
	return story
}

// doctor brings the situation about and lets doctor judge it.
func (s *situation) doctor(story *story) judgement {
	story.t.Helper()
	if s.tc != "" {
		story.Router.Batch("tc", s.tc)
	}
	if s.do != nil {
		s.do(story)
	}
	time.Sleep(8 * time.Second) // until TCP has settled
	args := []string{"doctor", "--json"}
	if s.profile {
		args = append(args, "-p", story.profile)
	}
	said, text := story.judge(append(args, s.devices...))
	s.compare(story.t, said, text)
	return said
}

// judge runs doctor, and returns what it says, briefly and in full.
func (s *story) judge(args []string) (judgement, string) {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	s.Router.In(func() { run(append([]string{"sqmctl"}, args...), &stdout, &stderr) })
	var findings []findingJSON
	if err := json.Unmarshal(stdout.Bytes(), &findings); err != nil {
		s.t.Fatalf("doctor: %v\n%s%s", err, stdout.String(), stderr.String())
	}
	said := judgement{}
	for _, f := range findings {
		said.add(f.Link+" "+f.Direction, f.Severity+" "+string(f.Code))
	}
	var full strings.Builder
	printFindings(&full, findings)
	return said, full.String()
}

func (j judgement) add(where, what string) {
	if j[where] != "" {
		what = j[where] + ", " + what
	}
	j[where] = what
}

// findings are what is said of one direction.
func (j judgement) findings(where string) []string {
	if j[where] == "" {
		return nil
	}
	return strings.Split(j[where], ", ")
}

func (s *situation) compare(t *testing.T, said judgement, text string) {
	t.Helper()
	wrong := !alike(s.want, said)
	if !strings.Contains(text, s.says) {
		wrong = true
		t.Errorf("%s: doctor doesn't say %q", s.name, s.says)
	}
	if wrong {
		t.Errorf("%s: doctor says %v, should be %v\n%s", s.name, said, s.want, text)
	}
}

// alike tells whether the same is said, in whatever order.
func alike(a, b judgement) bool {
	sorted := func(j judgement, where string) []string { return slices.Sorted(slices.Values(j.findings(where))) }
	for _, where := range union(a, b) {
		if !slices.Equal(sorted(a, where), sorted(b, where)) {
			return false
		}
	}
	return true
}

// scenes are all of them.
var scenes = slices.Concat(uploadScenes, downloadScenes, settingScenes, lineScenes, hostScenes)
