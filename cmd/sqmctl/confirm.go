package main

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/netlinkqdisc"
)

func confirmCommand() *cli.Command {
	return &cli.Command{
		Name:      "confirm",
		Usage:     "keep what «sqmctl apply --confirm TIME» installed",
		ArgsUsage: noArguments,
		Action:    confirm,
	}
}

func confirm(c *cli.Context) error {
	pid, err := netlinkqdisc.WaitingHolder()
	if err != nil {
		return fmt.Errorf("can't tell whether an apply waits: %w", err)
	}
	if pid == 0 {
		return errors.New("nothing waits to be confirmed: no sqmctl apply --confirm is running")
	}
	if err := syscall.Kill(pid, syscall.SIGUSR1); err != nil {
		return fmt.Errorf("confirm process %d: %w; run as the user who ran apply", pid, err)
	}
	for end := time.Now().Add(lockWait); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if holder, held := netlinkqdisc.LockHolder(); !held || holder != pid {
			_, err := fmt.Fprintf(c.App.Writer, "confirmed: what process %d applied stays\n", pid)
			return err
		}
	}
	return fmt.Errorf("process %d was told to keep what it applied and doesn't end: look at what it prints", pid)
}
