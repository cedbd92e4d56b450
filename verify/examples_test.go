package verify

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the examples of ../docs/doctor.md anew")

// examples are, of each code, the first of the gravest findings that the tests here
// came by. The
// manual shows them, so that it can't show what doctor doesn't say.
var examples = map[Code]Finding{}

func record(findings ...Finding) {
	for _, f := range findings {
		if known, ok := examples[f.Code]; !ok || f.Severity > known.Severity {
			examples[f.Code] = f
		}
	}
}

// TestMain runs the tests, and if that were all, compares their examples with
// the manual's.
func TestMain(m *testing.M) {
	status := m.Run()
	if status == 0 && flag.Lookup("test.run").Value.String() == "" {
		if err := compareExamples(); err != nil {
			fmt.Println(err)
			status = 1
		}
	}
	os.Exit(status)
}

const (
	manual        = "../docs/doctor.md"
	examplesBegin = "<!-- examples: written by go test ./verify -update -->\n"
	examplesEnd   = "<!-- end of examples -->\n"
)

func compareExamples() error {
	b, err := os.ReadFile(manual)
	if err != nil {
		return err
	}
	before, rest, ok1 := strings.Cut(string(b), examplesBegin)
	_, after, ok2 := strings.Cut(rest, examplesEnd)
	if !ok1 || !ok2 {
		return fmt.Errorf("%s has no place for the examples", manual)
	}
	written, err := writtenExamples()
	if err != nil {
		return err
	}
	want := before + examplesBegin + written + examplesEnd + after
	if *update {
		return os.WriteFile(manual, []byte(want), 0o644)
	}
	if want != string(b) {
		return fmt.Errorf("%s: its examples aren't what doctor says now: run go test ./verify -update, and look at what changed", manual)
	}
	return nil
}

// writtenExamples has every code in the order of finding.go, as doctor prints it.
func writtenExamples() (string, error) {
	source, err := os.ReadFile("finding.go")
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, m := range regexp.MustCompile(`\bCode = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1) {
		f, ok := examples[Code(m[1])]
		if !ok {
			return "", fmt.Errorf("no test comes by the code %s", m[1])
		}
		fmt.Fprintf(&out, "\n### %s\n\n```text\n%s %s: %s: %s\n  %s\n", m[1], f.Link, f.Direction, f.Severity, strings.ReplaceAll(m[1], "-", " "), f.Text)
		for _, line := range f.Evidence {
			fmt.Fprintf(&out, "    %s\n", line)
		}
		if f.Advice != "" {
			fmt.Fprintf(&out, "  do: %s\n", f.Advice)
		}
		out.WriteString("```\n")
	}
	return out.String() + "\n", nil
}
