package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

func TestMain(m *testing.M) {
	kernellab.Init()
	testscript.Main(m, map[string]func(){"sqmctl": main})
}

// The scripts that need nothing of the kernel.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

// The scripts that do, each as root in a kernel of its own, which has two
// Ethernet devices, wan and lan, with nothing on them.
func TestKernelScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/kernel/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			kernellab.RunOn(t, kernelOf(t, file), func(t *testing.T) {
				testscript.Run(t, testscript.Params{Files: []string{file}, Setup: makeDevices})
			})
		})
	}
}

// kernelOf is the kernel that a script's first line asks for: "# kernel no-cake".
func kernelOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if name, ok := strings.CutPrefix(first, "# kernel "); ok {
		return name
	}
	return "linux"
}
