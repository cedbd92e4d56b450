// Command sqmctl ends bufferbloat on a router: it turns a profile of the line
// into queue disciplines, installs them over netlink, and says from the
// kernel's counters whether the shaper really is the bottleneck.
//
// This package is flags, words for people, JSON for machines and exit codes;
// what is decided is decided in the packages below it.
package main

import (
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"
)

func main() {
	// What «sqmctl confirm» sends must not end a command that doesn't wait for it.
	signal.Ignore(syscall.SIGUSR1)
	os.Exit(run(os.Args, os.Stdout, os.Stderr))
}

// run is main with its surroundings passed in; the result is the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	out := &checkedOutput{file: stdout}
	err := out.blame(newApp(out, stderr).Run(habitual(args)))
	report(stderr, err)
	return exitStatus(err)
}

// habitual takes what people type out of habit for what it means here.
func habitual(args []string) []string {
	switch {
	case len(args) == 2 && (args[1] == "--version" || args[1] == "-version"):
		return []string{args[0], "version"}
	case len(args) > 1 && args[1] == "help":
		return append(slices.Concat(args[:1], args[2:]), "--help")
	}
	return args
}

func newApp(stdout, stderr io.Writer) *cli.App {
	return &cli.App{
		Name:      "sqmctl",
		Usage:     "end bufferbloat: shape a line just below its rate, and prove that it works",
		UsageText: "sqmctl COMMAND [OPTIONS] [LINK…]",
		Description: `Describe the line in ` + defaultProfile + `, then:

   sqmctl check     is the profile right?
   sqmctl preview   what would it do to a call, by simulation
   sqmctl plan      what would be installed, and why
   sqmctl apply     install it; what is right already is not touched
   sqmctl doctor    is the shaper really the bottleneck?

Exit status: 0 fine, 1 failed, 2 wrong usage or profile, 3 findings, 4 waiting.`,
		Writer:                 stdout,
		ErrWriter:              stderr,
		HideVersion:            true,
		HideHelpCommand:        true,
		UseShortOptionHandling: true,

		DisableSliceFlagSeparator: true,                         // a file's name may have a comma
		ExitErrHandler:            func(*cli.Context, error) {}, // run reports, once
		OnUsageError:              onUsageError,
		Action:                    unknownCommand,
		Commands:                  commands(),
	}
}

func commands() []*cli.Command {
	all := []*cli.Command{
		checkCommand(), planCommand(), previewCommand(), applyCommand(), confirmCommand(), statusCommand(),
		doctorCommand(), removeCommand(), simulateCommand(), typesCommand(), exampleCommand(), versionCommand(),
	}
	for _, c := range all {
		c.HideHelpCommand = true
		c.OnUsageError = onUsageError
		c.Before = checkArguments
	}
	return all
}

// checkArguments refuses what the flag parser would pass over in silence.
func checkArguments(c *cli.Context) error {
	for _, argument := range c.Args().Slice() {
		switch {
		case len(argument) > 1 && argument[0] == '-':
			return &usageError{text: "options come before links, not " + argument + " behind one", hint: "write: sqmctl " + c.Command.Name + " " + argument + " …"}
		case c.Command.ArgsUsage == noArguments:
			return &usageError{text: c.Command.Name + " takes no arguments, not " + argument, hint: argumentHint(c, argument)}
		}
	}
	return nil
}

func argumentHint(c *cli.Context, argument string) string {
	if c.Command.Name == "check" {
		return "to name a profile, write: sqmctl check --profile " + argument
	}
	return "run: sqmctl " + c.Command.Name + " --help"
}

// noArguments is the ArgsUsage of a command that takes none.
const noArguments = " "

func onUsageError(c *cli.Context, err error, _ bool) error {
	if c.Command == nil || c.Command.Name == "" || c.Command.Name == c.App.Name {
		return &usageError{text: err.Error(), hint: "options come after the command; run: sqmctl --help"}
	}
	return &usageError{text: err.Error(), hint: valueHint(c, err)}
}

// valueHint tells what an option takes whose value the flag parser refuses.
func valueHint(c *cli.Context, err error) string {
	if _, rest, ok := strings.Cut(err.Error(), " for flag -"); ok && strings.HasPrefix(err.Error(), "invalid value") {
		name, _, _ := strings.Cut(rest, ":")
		for _, f := range c.Command.Flags {
			if !slices.Contains(f.Names(), name) {
				continue
			}
			switch f.(type) {
			case *cli.DurationFlag:
				return "write a time with its unit, such as 30s or 5m"
			case *cli.IntFlag, *cli.Uint64Flag:
				return "write a whole number, such as --" + name + " 4"
			}
		}
	}
	return "run: sqmctl " + c.Command.Name + " --help"
}

// unknownCommand runs when no command's name matches.
func unknownCommand(c *cli.Context) error {
	if !c.Args().Present() {
		return cli.ShowAppHelp(c)
	}
	return &usageError{text: "there is no command " + c.Args().First(), hint: "run: sqmctl --help"}
}
