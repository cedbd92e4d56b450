package main

import (
	"fmt"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// makeDevices gives a script wan and lan, the near ends of two cables.
func makeDevices(*testscript.Env) error {
	cmd := exec.Command("ip", "-batch", "-")
	cmd.Stdin = strings.NewReader(`link add wan type veth peer name far
link add lan type veth peer name pc
link set wan up
link set far up
link set lan up
link set pc up
`)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("making devices: %w\n%s", err, out)
	}
	return nil
}
