package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/netlinkqdisc"
	"github.com/sqmctl/sqmctl/plan"
)

// lockWait is how long a command waits for another sqmctl to finish. An apply
// takes milliseconds.
const lockWait = 10 * time.Second

func applyCommand() *cli.Command {
	return &cli.Command{
		Name:      "apply",
		Usage:     "make the kernel as the profile says",
		ArgsUsage: "[LINK…]",
		Description: `What is right already is not touched, and a changed rate is changed in place:
no packet is lost. If a step fails, that link is put back as it was; the others
are not concerned. A link whose device isn't there yet is waiting for it. Exit
status 1: a link failed; 4: none failed, but one is waiting.`,
		Flags: []cli.Flag{
			profileFlag, takeOverFlag, jsonFlag,
			&cli.DurationFlag{Name: "confirm", DefaultText: "off", Usage: "put everything back after `TIME` unless «sqmctl confirm» is run before: for a router at the far end of the line you shape"},
		},
		Action: apply,
	}
}

func apply(c *cli.Context) error {
	if c.IsSet("confirm") && c.Duration("confirm") <= 0 {
		return &usageError{text: "--confirm takes a time above zero", hint: "for example: --confirm 60s"}
	}
	confirmed := make(chan os.Signal, 1)
	if c.Duration("confirm") > 0 {
		// Losing the terminal is what this guards against.
		signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE)
		signal.Notify(confirmed, syscall.SIGUSR1)
	}
	// A bad profile is worth saying before anything about the kernel.
	if _, err := loadProfile(c); err != nil {
		return err
	}
	return changeKernel(func(kernel *netlinkqdisc.Kernel) error {
		found, err := kernel.Read()
		if err != nil {
			return err
		}
		wanted, err := loadPlan(c, found)
		if err != nil {
			return err
		}
		outcomes, failed := applyLinks(c, kernel, wanted)
		if c.Duration("confirm") > 0 && anyChanged(outcomes) {
			return errors.Join(failed, awaitConfirmation(c, outcomes, confirmed))
		}
		return failed
	})
}

// changeKernel runs what changes the kernel with the one lock held.
func changeKernel(change func(*netlinkqdisc.Kernel) error) error {
	unlock, err := netlinkqdisc.Lock(lockWait)
	if err != nil {
		return err
	}
	defer unlock()
	kernel, err := netlinkqdisc.Open()
	if err != nil {
		return err
	}
	defer kernel.Close()
	return change(kernel)
}

// applied is what happened to one link.
type applied struct {
	link    string
	outcome netlinkqdisc.Outcome
	err     error
}

func applyLinks(c *cli.Context, kernel *netlinkqdisc.Kernel, wanted plan.Plan) ([]applied, error) {
	var all []applied
	for _, link := range wanted.Links {
		outcome, err := kernel.ApplyLink(link, c.Bool("take-over"))
		all = append(all, applied{link.Interface, outcome, err})
	}
	return all, errors.Join(reportApplied(c, all), worst(all))
}

// worst is what the exit status has to tell: a failure before a problem of the
// profile, and that before a device that isn't there.
func worst(all []applied) error {
	var waiting, problem, failed error
	for _, a := range all {
		var p *plan.ProblemError
		switch {
		case a.err == nil:
		case a.waiting():
			waiting = &silent{errWaiting}
		case errors.As(a.err, &p):
			problem = &silent{a.err}
		default:
			failed = &silent{a.err}
		}
	}
	return cmp.Or(failed, problem, waiting)
}

// waiting tells whether all that is wrong with a link is that its device isn't
// there, as before PPPoE has connected.
func (a *applied) waiting() bool {
	var missing *plan.MissingDeviceError
	return errors.As(a.err, &missing)
}

func anyChanged(outcomes []applied) bool {
	return slices.ContainsFunc(outcomes, func(a applied) bool { return len(a.outcome.Steps) > 0 })
}

// awaitConfirmation undoes everything unless it is confirmed in time.
func awaitConfirmation(c *cli.Context, outcomes []applied, confirmed <-chan os.Signal) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := netlinkqdisc.NoteWaiting(); err != nil {
		return errors.Join(err, undo(outcomes))
	}
	fmt.Fprintf(c.App.ErrWriter, "sqmctl: everything is put back in %s unless you run, in a new session: sqmctl confirm\n", c.Duration("confirm"))
	select {
	case <-confirmed:
		return kept(c)
	case <-ctx.Done():
	case <-time.After(c.Duration("confirm")):
	}
	// From here on sqmctl confirm is told that it comes too late.
	noted := netlinkqdisc.NoteWorking()
	select {
	case <-confirmed:
		return kept(c)
	default:
		return errors.Join(noted, undo(outcomes))
	}
}

func kept(c *cli.Context) error {
	fmt.Fprintln(c.App.ErrWriter, "sqmctl: confirmed")
	return nil
}

func undo(outcomes []applied) error {
	var failed error
	for _, a := range outcomes {
		if a.outcome.Undo != nil {
			failed = errors.Join(failed, a.outcome.Undo.Run())
		}
	}
	if failed != nil {
		return failed
	}
	return errors.New("not confirmed: everything is as it was before")
}
