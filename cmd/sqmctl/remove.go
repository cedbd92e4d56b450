package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/netlinkqdisc"
	"github.com/sqmctl/sqmctl/plan"
)

func removeCommand() *cli.Command {
	return &cli.Command{
		Name:      "remove",
		Usage:     "take away what sqmctl installed, and nothing else",
		ArgsUsage: "[LINK…]",
		Description: `Without a link: everything that sqmctl owns on this machine. No profile is
needed. The kernel puts its default qdisc back by itself; a root qdisc of another
program that apply replaced doesn't come back.`,
		Action: remove,
	}
}

func remove(c *cli.Context) error {
	return changeKernel(func(kernel *netlinkqdisc.Kernel) error {
		found, err := kernel.Read()
		if err != nil {
			return err
		}
		links := c.Args().Slice()
		if err := refuseIFBs(links, found); err != nil {
			return err
		}
		if len(links) == 0 {
			links = plan.Owned(found)
		}
		if len(links) == 0 {
			fmt.Fprintln(c.App.ErrWriter, "sqmctl: nothing to remove: sqmctl has installed nothing here")
		}
		var failed error
		for _, link := range links {
			failed = errors.Join(failed, removeLink(c, kernel, link))
		}
		return failed
	})
}

// refuseIFBs keeps remove from taking the qdisc of an IFB away under a
// redirect that goes on: the download would be unshaped without a word.
func refuseIFBs(links []string, found plan.State) error {
	for _, name := range links {
		device := found.Device(name)
		if device == nil || device.Kind != "ifb" {
			continue
		}
		if link, _, ours := plan.ParseOwnerAlias(device.Alias); ours {
			return &usageError{text: name + " takes in the download of " + link + " and is no link", hint: "run: sqmctl remove " + link}
		}
	}
	return nil
}

func removeLink(c *cli.Context, kernel *netlinkqdisc.Kernel, link string) error {
	outcome, err := kernel.RemoveLink(link)
	if err != nil {
		return err
	}
	if len(outcome.Steps) == 0 {
		fmt.Fprintf(c.App.Writer, "%s: nothing of sqmctl's is there\n", link)
		return nil
	}
	fmt.Fprintf(c.App.Writer, "%s: removed\n", link)
	printSteps(c.App.Writer, "  ", outcome.Steps)
	return nil
}
