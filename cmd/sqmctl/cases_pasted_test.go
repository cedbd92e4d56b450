package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// What people pasted when they asked for help, reduced, with other numbers, and
// the right answer: testdata/pasted. A file says in its head what had happened,
// and under "want" what doctor must say: a line for each notice, warning and
// error, and none besides; an "ok" that is named must be there too.
func TestPastedCases(t *testing.T) {
	files, err := filepath.Glob("testdata/pasted/*.txtar")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { judgePasted(t, file) })
	}
}

func judgePasted(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	part := map[string]string{}
	for _, f := range archive.Files {
		part[f.Name] = string(f.Data)
	}
	dir := t.TempDir()
	args := append([]string{"sqmctl", "doctor", "--json", "--dump", inFile(t, dir, "paste", part["paste"])}, strings.Fields(part["args"])...)
	if part["profile"] != "" {
		args = slices.Insert(args, 2, "--profile", inFile(t, dir, "profile", part["profile"]))
	}
	var stdout, stderr bytes.Buffer
	status := run(args, &stdout, &stderr)
	var findings []findingJSON
	if err := json.Unmarshal(stdout.Bytes(), &findings); err != nil {
		t.Fatalf("%v: status %d\n%s", err, status, stderr.String())
	}
	want := strings.Split(strings.TrimSpace(part["want"]), "\n")
	for _, f := range findings {
		line := strings.Join([]string{f.Link, f.Direction, f.Severity, string(f.Code)}, " ")
		if i := slices.Index(want, line); i >= 0 {
			want = slices.Delete(want, i, i+1)
		} else if f.Severity != "ok" {
			t.Errorf("says %s: %s", line, f.Text)
		}
	}
	for _, line := range want {
		if line != "" {
			t.Errorf("doesn't say: %s\n%s", line, stdout.String())
		}
	}
}

func inFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
