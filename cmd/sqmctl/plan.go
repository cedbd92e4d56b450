package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/netlinkqdisc"
	"github.com/sqmctl/sqmctl/plan"
)

func planCommand() *cli.Command {
	return &cli.Command{
		Name:      "plan",
		Usage:     "show what apply would install, in tc's words, and what would change",
		ArgsUsage: "[LINK…]",
		Description: `Reads the kernel and changes nothing; it needs no privilege. Lines that begin
with # are comments, so the output can be pasted into a shell.`,
		Flags: []cli.Flag{
			profileFlag, jsonFlag, takeOverFlag,
			&cli.BoolFlag{Name: "explain", Aliases: []string{"e"}, Usage: "give the reason for every value", DisableDefaultText: true},
		},
		Action: showPlan,
	}
}

var takeOverFlag = &cli.BoolFlag{Name: "take-over", Usage: "delete the filters of other programs on the way in (their root qdisc is replaced without it, and that is said)", DisableDefaultText: true}

func showPlan(c *cli.Context) error {
	found, err := readKernel()
	if err != nil {
		return err
	}
	wanted, err := loadPlan(c, found)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return errors.Join(json.NewEncoder(c.App.Writer).Encode(planJSON(c, wanted, found)), wanted.FirstProblem())
	}
	for i := range wanted.Links {
		if i > 0 {
			fmt.Fprintln(c.App.Writer)
		}
		printLink(c, &wanted.Links[i], found)
	}
	if memory := wanted.QueueMemory(); memory > 0 {
		fmt.Fprintf(c.App.Writer, "\n# waiting packets take at most %.1f MiB of memory\n", float64(memory)/(1<<20))
	}
	return wanted.FirstProblem()
}

// readKernel reads everything once.
func readKernel() (plan.State, error) {
	kernel, err := netlinkqdisc.Open()
	if err != nil {
		return plan.State{}, err
	}
	defer kernel.Close()
	return kernel.Read()
}

func printLink(c *cli.Context, link *plan.Link, found plan.State) {
	out := c.App.Writer
	if link.Problem != nil {
		fmt.Fprintf(out, "# %s: not planned: %v\n", link.Interface, link.Problem.Err)
		return
	}
	fmt.Fprintf(out, "# %s: %s, on %s\n%s", link.Interface, link.Title, link.On, plan.Format(*link))
	if c.Bool("explain") {
		fmt.Fprint(out, "\n", comment(plan.Explain(*link)))
	}
	fmt.Fprintln(out)
	steps, err := plan.Diff(*link, found, c.Bool("take-over"))
	var missing *plan.MissingDeviceError
	switch {
	case errors.As(err, &missing):
		fmt.Fprintf(out, "# apply would wait: %v\n", err)
	case err != nil:
		fmt.Fprintf(out, "# apply would stop: %v\n", err)
	case len(steps) == 0:
		fmt.Fprintln(out, "# the kernel is as planned: apply would change nothing")
	default:
		fmt.Fprintln(out, "# apply would:")
		printSteps(out, "#   ", steps)
	}
}

func printSteps(out io.Writer, indent string, steps []plan.Step) {
	for _, s := range steps {
		fmt.Fprintf(out, "%s%s\n", indent, s)
	}
}

// comment makes a text one that a shell passes over.
func comment(text string) string {
	return "# " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n# ") + "\n"
}
