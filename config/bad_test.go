package config

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what is said about the profiles in testdata/bad")

// Each profile in testdata/bad has problems; the text beside it says which.
func TestBadProfiles(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d profiles, %v; there are more than a hundred", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".toml"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			profile, err := Parse("sqm.toml", data)
			var problems *Problems
			if profile != nil || !errors.As(err, &problems) {
				t.Fatalf("%+v, %v", profile, err)
			}
			checkProblems(t, string(data), problems)
			compare(t, strings.TrimSuffix(file, ".toml")+".txt", problems.Error()+"\n")
		})
	}
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// checkProblems holds problems to what every reader of them relies on.
func checkProblems(t *testing.T, text string, problems *Problems) {
	t.Helper()
	lines := strings.Split(text, "\n")
	if len(problems.List) == 0 {
		t.Error("problems without a problem")
	}
	previous := 0
	for _, p := range problems.List {
		if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > len(lines[p.Line-1])+1 {
			t.Errorf("%+v isn't in the file", p)
		}
		if p.Text == "" || p.Advice == "" || strings.ContainsAny(p.String(), "\n\r") {
			t.Errorf("%q is no line of text and advice", p)
		}
		if p.Line < previous {
			t.Errorf("line %d comes after line %d", p.Line, previous)
		}
		previous = p.Line
	}
}
