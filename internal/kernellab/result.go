package kernellab

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
)

// result is one test of the guest as its output tells it.
type result struct {
	name  string // whole, as "TestX/sub"
	state string // PASS, FAIL or SKIP; empty if it never ended
	lines []string
	subs  []*result
}

// framed is a line by which the testing package says where a test stands. It
// marks these lines with a byte of their own under -test.v=test2json.
var framed = regexp.MustCompile(`^\x16\s*(?:=== (RUN|PAUSE|CONT|NAME|ATTR|ARTIFACTS)|--- (PASS|FAIL|SKIP|BENCH):)\s+(\S*)`)

// bodyBegins is what a guest prints, after a mark of the same kind, when it
// comes to the body: what the test printed before was printed here too.
const bodyBegins = "=== BODY"

// parse reads the output of a guest that ran the test called name. What was
// printed outside of any test belongs to that one.
func parse(output, name string) *result {
	root := &result{name: name}
	known := map[string]*result{name: root}
	now := root
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\n")
		// A test that prints a line without its end puts it before the mark.
		before, rest, marked := strings.Cut(line, "\x16")
		if root.state != "" && strings.HasPrefix(line, "coverage: ") {
			continue // of the guest's part, which says little
		}
		if rest == bodyBegins {
			root.lines, before = nil, ""
		}
		if before != "" || !marked {
			now.lines = append(now.lines, strings.TrimPrefix(before, "    "))
		}
		if f := framed.FindStringSubmatch("\x16" + rest); marked && f != nil {
			now = root.find(known, f[3])
			if f[2] != "" {
				now.state = f[2]
			}
		}
	}
	return root
}

// find returns the test of a name, made if it is new and runs below root.
// Tests above root are told apart from it by nobody.
func (root *result) find(known map[string]*result, name string) *result {
	if r := known[name]; r != nil {
		return r
	}
	if !strings.HasPrefix(name, root.name+"/") {
		return &result{name: name}
	}
	r := &result{name: name}
	known[name] = r
	parent := root
	for i := len(root.name); i < len(name); i++ {
		if p := known[name[:i]]; name[i] == '/' && p != nil {
			parent = p
		}
	}
	parent.subs = append(parent.subs, r)
	return r
}

// replay makes t and its subtests print what the guest's did, and fails and
// skips the subtests as there. How t itself ended is for the caller to say.
func (r *result) replay(t *testing.T) {
	t.Helper()
	for _, line := range r.lines {
		io.WriteString(t.Output(), line+"\n")
	}
	for _, sub := range r.subs {
		t.Run(strings.TrimPrefix(sub.name, r.name+"/"), func(t *testing.T) {
			sub.replay(t)
			switch sub.state {
			case "FAIL":
				t.Fail()
			case "SKIP":
				t.SkipNow()
			case "":
				fmt.Fprintln(t.Output(), "this test was running when the guest ended")
				t.Fail()
			}
		})
	}
}
