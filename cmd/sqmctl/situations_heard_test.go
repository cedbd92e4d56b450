package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// heard is a folder, which the guests share with the host, with a file for each
// situation.
type heard string

// openHeard is the host's folder, in the guests too.
func openHeard(t *testing.T) heard {
	const word = "SQMCTL_HEARD"
	folder := os.Getenv(word)
	if folder == "" {
		folder = t.TempDir()
		if err := os.Setenv(word, folder); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Unsetenv(word) })
	}
	return heard(folder)
}

// heardOf is one situation's file.
type heardOf struct {
	Name       string
	Want, Said judgement
}

func (h heard) add(t *testing.T, name string, want, said judgement) {
	t.Helper()
	text, err := json.Marshal(heardOf{name, want, said})
	if err == nil {
		err = os.WriteFile(filepath.Join(string(h), fmt.Sprintf("%x.json", name)), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// report prints the confusion matrix of all situations that there were.
func (h heard) report(t *testing.T) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(string(h), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var c confusion
	for _, file := range files {
		text, err := os.ReadFile(file)
		var of heardOf
		if err == nil {
			err = json.Unmarshal(text, &of)
		}
		if err != nil {
			t.Fatal(err)
		}
		c.add(of.Want, of.Said)
	}
	for _, line := range c.table() {
		t.Log("situations: " + line)
	}
}
