// Package docs is the manual, and the tests that keep it true: its profiles are
// parsed, its tables are compared with what the program has, and its examples
// are run in a real kernel.
package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// programWord names, in the environment, the program that is documented. The
// guest finds the one that was built here.
const programWord = "SQMCTL_DOCS_PROGRAM"

func TestMain(m *testing.M) {
	kernellab.Init()
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	if os.Getenv(programWord) == "" {
		folder, err := os.MkdirTemp("", "docs")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(folder)
		if err := build(filepath.Join(folder, "sqmctl")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}

// build builds the program as a release is built.
func build(path string) error {
	cmd := exec.Command("go", "build", "-buildvcs=false", "-tags", "urfave_cli_no_docs",
		"-ldflags", "-X main.version=1.0.0", "-o", path, "../cmd/sqmctl")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building sqmctl: %w\n%s", err, out)
	}
	return os.Setenv(programWord, path)
}

// program is the path of the program. The result of a test is cached until a
// file that the test looked at changes, and what the compiler looks at doesn't
// count.
func program(t *testing.T) string {
	t.Helper()
	for _, pattern := range []string{"../*/*.go", "../cmd/*/*.go", "../go.mod"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, file := range files {
			if _, err := os.Stat(file); err != nil {
				t.Fatal(err)
			}
		}
	}
	return os.Getenv(programWord)
}

// help is what a command says about itself; the program does without one.
func help(t *testing.T, command ...string) string {
	t.Helper()
	out, err := exec.Command(program(t), append(command, "--help")...).Output()
	if err != nil {
		t.Fatalf("sqmctl %s --help: %v", strings.Join(command, " "), err)
	}
	return string(out)
}

// The documents, by path from here.
func documents(t *testing.T) []*document {
	t.Helper()
	paths, err := filepath.Glob("*.md")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	var all []*document
	for _, path := range append(paths, "../README.md") {
		all = append(all, read(t, path))
	}
	return all
}

// Every link to a file of the repository leads to one.
func TestLinks(t *testing.T) {
	for _, d := range documents(t) {
		for _, target := range d.links() {
			path, _, _ := strings.Cut(target, "#")
			if path == "" || strings.Contains(path, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(d.path), path)); err != nil {
				t.Errorf("%s: link to %s: %v", d.path, target, err)
			}
		}
	}
}
