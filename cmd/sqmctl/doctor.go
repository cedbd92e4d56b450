package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
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
			&cli.DurationFlag{Name: "for", Value: 10 * time.Second, Usage: "watch for `TIME`"},
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
	first, err := kernel.Read()
	if err != nil {
		return err
	}
	wanted, err := wantedOrObserved(c, first)
	if err != nil {
		return err
	}
	samples, err := watch(c, kernel, first)
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

// watch takes samples for the time asked, or until it is interrupted.
func watch(c *cli.Context, kernel *netlinkqdisc.Kernel, first plan.State) ([]plan.State, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	fmt.Fprintf(c.App.ErrWriter, "sqmctl: watching for %s; load the line now\n", c.Duration("for"))
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
		state, err := kernel.Read()
		if err != nil {
			return nil, err
		}
		samples = append(samples, state)
		if ctx.Err() != nil || !next.Before(end) {
			return samples, nil
		}
	}
}

type findingJSON struct {
	Code      verify.Code    `json:"code"`
	Severity  string         `json:"severity"`
	Link      string         `json:"link"`
	Direction string         `json:"direction"`
	Text      string         `json:"text"`
	Evidence  []string       `json:"evidence"`
	Numbers   verify.Numbers `json:"numbers"`
	Advice    string         `json:"advice"`
}

func newFindingJSON(f *verify.Finding) findingJSON {
	numbers := f.Numbers
	if numbers == nil {
		numbers = verify.Numbers{}
	}
	return findingJSON{
		Code: f.Code, Severity: f.Severity.String(), Link: f.Link, Direction: f.Direction.String(),
		Text: f.Text, Evidence: append([]string{}, f.Evidence...), Numbers: numbers, Advice: f.Advice,
	}
}

func reportFindings(c *cli.Context, findings []verify.Finding) error {
	rows := []findingJSON{}
	worst := verify.Fine
	for _, f := range findings {
		worst = max(worst, f.Severity)
		rows = append(rows, newFindingJSON(&f))
	}
	if c.Bool("json") {
		if err := json.NewEncoder(c.App.Writer).Encode(rows); err != nil {
			return err
		}
	} else {
		printFindings(c.App.Writer, rows)
	}
	if worst >= verify.Warning {
		return errFindings
	}
	return nil
}

func printFindings(out io.Writer, rows []findingJSON) {
	for i, r := range rows {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s %s: %s: %s\n  %s\n", r.Link, r.Direction, r.Severity, words(r.Code), r.Text)
		for _, e := range r.Evidence {
			fmt.Fprintf(out, "    %s\n", e)
		}
		if r.Advice != "" {
			fmt.Fprintf(out, "  do: %s\n", r.Advice)
		}
	}
}

// words is a code as people read it: "not the bottleneck".
func words(code verify.Code) string {
	return strings.ReplaceAll(string(code), "-", " ")
}
