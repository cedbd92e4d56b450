package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// What can't be written is a failure, whatever the command.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	for _, command := range []string{"simulate --duration 2s --warmup 1s", "types", "version --json", "--help"} {
		var stderr bytes.Buffer
		if status := run(append([]string{"sqmctl"}, strings.Fields(command)...), full, &stderr); status != statusFailed {
			t.Errorf("%s: status %d", command, status)
		}
		if !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%s: says %q", command, stderr.String())
		}
	}
}
