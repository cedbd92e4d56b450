package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/netlinkqdisc"
	"github.com/sqmctl/sqmctl/plan"
	"github.com/sqmctl/sqmctl/verify"
)

// sampleEvery is how often doctor looks at the backlog: often enough to tell a
// standing queue from a passing one, rarely enough to cost a router nothing.
const sampleEvery = 200 * time.Millisecond

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:      "doctor",
		Usage:     "say whether the shaper really is the bottleneck, from the kernel's counters",
		ArgsUsage: "[LINK…]",
		Description: `Run it while the line is loaded, with a speed test for example. With a profile,
what is installed is compared with it; without one, what the kernel shows is
judged. Exit status 3: a finding is a warning or an error.`,
		Flags: append([]cli.Flag{
			profileFlag, jsonFlag,
			&cli.DurationFlag{Name: "for", Value: 10 * time.Second, Usage: "look for `TIME`"},
			&cli.BoolFlag{Name: "watch", Usage: "keep looking, a stretch of --for after the other, and say what changes; ends when interrupted"},
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "say too what looks odd and is right"},
		}, dumpFlags...),
		Action: doctor,
	}
}

func doctor(c *cli.Context) error {
	if c.IsSet("dump") {
		return doctorOfDump(c)
	}
	if c.IsSet("apart") {
		return &usageError{text: "--apart says how much time lies between two dumps", hint: "name them: sqmctl doctor --apart TIME --dump FILE --dump FILE"}
	}
	if c.Duration("for") <= 0 {
		return &usageError{text: "--for takes a time above zero", hint: "for example: --for 10s"}
	}
	kernel, err := netlinkqdisc.Open()
	if err != nil {
		return err
	}
	defer kernel.Close()
	first, err := readHost(kernel)
	if err != nil {
		return err
	}
	wanted, err := wantedOrObserved(c, first)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if c.Bool("watch") {
		return watch(ctx, c, kernel, wanted, first)
	}
	fmt.Fprintf(c.App.ErrWriter, "sqmctl: watching for %s; load the line now\n", c.Duration("for"))
	samples, err := look(ctx, c, kernel, first)
	if err != nil {
		return err
	}
	return errors.Join(reportFindings(c, verify.Check(wanted, samples)), wanted.FirstProblem())
}

// wantedOrObserved is the profile's plan, or else what the kernel shows.
func wantedOrObserved(c *cli.Context, found plan.State) (plan.Plan, error) {
	if haveProfile(c) {
		return loadPlan(c, found)
	}
	for _, name := range c.Args().Slice() {
		if found.Device(name) == nil {
			return plan.Plan{}, unknownDevice(name)
		}
	}
	observed := verify.Observed(found, c.Args().Slice()...)
	if len(observed.Links) == 0 {
		return plan.Plan{}, fmt.Errorf("nothing to judge: there is no profile at %s and no shaper on any device; write a profile, or name a device", profilePath(c))
	}
	return observed, nil
}

// look takes samples for the time asked, or until it is interrupted. Between the
// first and the last it reads no more than the counters.
func look(ctx context.Context, c *cli.Context, kernel *netlinkqdisc.Kernel, first plan.State) ([]plan.State, error) {
	bar := startProgress(c.App.ErrWriter, c.Duration("for"))
	defer bar.stop()
	done := bar.part()
	samples := []plan.State{first}
	end := first.Time.Add(c.Duration("for"))
	for next := first.Time.Add(sampleEvery); ; next = next.Add(sampleEvery) {
		if next.After(end) {
			next = end
		}
		select {
		case <-time.After(time.Until(next)):
		case <-ctx.Done():
		}
		last := ctx.Err() != nil || !next.Before(end)
		read := (*netlinkqdisc.Kernel).ReadCounters
		if last {
			read = readHost
		}
		state, err := read(kernel)
		if err != nil {
			return nil, err
		}
		done(next.Sub(first.Time))
		samples = append(samples, state)
		if last {
			return samples, nil
		}
	}
}

// watch looks again and again, and reports a stretch whose findings aren't those
// of the one before. With --json each stretch is a line. It ends as the last
// stretch does.
func watch(ctx context.Context, c *cli.Context, kernel *netlinkqdisc.Kernel, wanted plan.Plan, first plan.State) error {
	fmt.Fprintf(c.App.ErrWriter, "sqmctl: watching, %s at a time; interrupt it to end\n", c.Duration("for"))
	var said []string
	var result error
	for ctx.Err() == nil {
		samples, err := look(ctx, c, kernel, first)
		if err != nil {
			return err
		}
		first = samples[len(samples)-1]
		findings := verify.Check(wanted, samples)
		now := marksOf(findings)
		if slices.Equal(said, now) && !c.Bool("json") || ctx.Err() != nil && said != nil {
			continue
		}
		if !c.Bool("json") {
			fmt.Fprintf(c.App.Writer, "%s\n", first.Time.Format(time.TimeOnly))
		}
		said, result = now, reportFindings(c, findings)
		if result != nil && !errors.Is(result, errFindings) {
			return result
		}
		if !c.Bool("json") {
			fmt.Fprintln(c.App.Writer)
		}
	}
	return errors.Join(result, wanted.FirstProblem())
}

// marksOf are what makes findings others than those before: not their figures.
func marksOf(findings []verify.Finding) []string {
	marks := []string{}
	for i := range findings {
		f := &findings[i]
		marks = append(marks, fmt.Sprint(f.Link, f.Direction, f.Code, f.Severity))
	}
	return marks
}
