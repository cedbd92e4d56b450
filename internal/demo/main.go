// Command demo is what make demo runs: a line with a bufferbloated modem in a
// throwaway Linux kernel, an upload with a call beside it, and sqmctl on the
// router. It shows the call before and after, and every command on the way.
//
// It is for people who want to see sqmctl work before they install it. It
// needs no privilege and touches nothing of the machine's network.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// limit is how long the demonstration may take in real time.
const limit = 3 * time.Minute

// readyKernel is that of Debian's package user-mode-linux. It has no virtual
// clock.
const readyKernel = "/usr/bin/linux.uml"

func main() {
	kernellab.Init()
	var err error
	if len(os.Args) == 3 && os.Args[1] == "inside" {
		err = inside(os.Args[2])
	} else {
		err = outside()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// outside boots a kernel with this program in it.
func outside() error {
	kernel, realTime, err := findKernel()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	sqmctl, err := filepath.Abs("sqmctl")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return kernellab.Boot(ctx, kernellab.Machine{
		Kernel: kernel, RealTime: realTime,
		Program: self, Args: []string{"inside", sqmctl}, Env: os.Environ(),
	}, os.Stdout)
}

// findKernel prefers the test kernel, whose clock is virtual.
func findKernel() (path string, realTime bool, err error) {
	if path, err = kernellab.Kernel("linux"); err == nil {
		return path, false, nil
	}
	if _, err = os.Stat(readyKernel); err == nil {
		return readyKernel, true, nil
	}
	return "", false, errors.New("there is no kernel to run it in; run: make demo")
}
