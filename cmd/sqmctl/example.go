package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/config"
)

func exampleCommand() *cli.Command {
	return &cli.Command{
		Name:      "example",
		Usage:     "print a profile to start from, with comments",
		ArgsUsage: noArguments,
		Description: `To begin with it:

   sqmctl example > ` + defaultProfile,
		Action: func(c *cli.Context) error {
			_, err := fmt.Fprint(c.App.Writer, config.Example())
			return err
		},
	}
}
