package main

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/netlinkqdisc"
)

func confirmCommand() *cli.Command {
	return &cli.Command{
		Name:      "confirm",
		Usage:     "keep what «sqmctl apply --confirm TIME» installed",
		ArgsUsage: " ",
		Action:    confirm,
	}
}

func confirm(c *cli.Context) error {
	pid, waiting := netlinkqdisc.LockHolder()
	if !waiting {
		return errors.New("nothing waits to be confirmed: no sqmctl apply --confirm is running")
	}
	if err := syscall.Kill(pid, syscall.SIGUSR1); err != nil {
		return fmt.Errorf("confirm process %d: %w; run as the user who ran apply", pid, err)
	}
	return nil
}
