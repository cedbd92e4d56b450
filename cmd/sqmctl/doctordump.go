package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/plan"
	"github.com/sqmctl/sqmctl/tcdump"
	"github.com/sqmctl/sqmctl/verify"
)

// mostDumps is how many a difference is made of.
const mostDumps = 2

var dumpFlags = []cli.Flag{
	&cli.StringSliceFlag{Name: "dump", Usage: "judge what tc and ip printed into `FILE` (- is standard input), not this machine; twice: before and after"},
	&cli.DurationFlag{Name: "apart", Value: 10 * time.Second, Usage: "of two dumps, the second was made `TIME` after the first"},
}

// doctorOfDump judges what somebody pasted. It needs no kernel and no privilege,
// and the machine's own profile says nothing about another's dump.
func doctorOfDump(c *cli.Context) error {
	samples, err := readDumps(c)
	if err != nil {
		return err
	}
	last := samples[len(samples)-1]
	if namesProfile(c) {
		wanted, err := loadPlan(c, last)
		if err != nil {
			return err
		}
		return errors.Join(reportFindings(c, verify.Check(wanted, samples)), wanted.FirstProblem())
	}
	for _, name := range c.Args().Slice() {
		if last.Device(name) == nil {
			return &usageError{text: "there is no device " + name + " in the dump", hint: "its devices are: " + strings.Join(namesOf(&last), ", ")}
		}
	}
	observed := verify.Observed(last, c.Args().Slice()...)
	if len(observed.Links) == 0 {
		return fmt.Errorf("nothing to judge: the dump shows no shaper on %s; name a device, or paste the output of: %s", strings.Join(namesOf(&last), ", "), whatToPaste)
	}
	return reportFindings(c, verify.Check(observed, samples))
}

// namesProfile tells whether the command line names a profile. The one that the
// environment names is this machine's.
func namesProfile(c *cli.Context) bool {
	return slices.ContainsFunc(c.Lineage()[1].Args().Slice(), func(argument string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(argument, "-"), "=")
		return strings.HasPrefix(argument, "-") && (name == "profile" || name == "p")
	})
}

func readDumps(c *cli.Context) ([]plan.State, error) {
	files := c.StringSlice("dump")
	switch {
	case len(files) > mostDumps:
		return nil, &usageError{text: fmt.Sprintf("--dump can be given twice, not %d times", len(files)), hint: "name the dump from before the traffic, then the one from after it"}
	case len(files) == mostDumps && files[0] == files[1]:
		return nil, &usageError{text: "both dumps are " + files[0], hint: "name the dump from before the traffic, then the one from after it"}
	case c.Duration("apart") <= 0:
		return nil, &usageError{text: "--apart takes a time above zero", hint: "for example: --apart 10s"}
	case c.Bool("watch"):
		return nil, &usageError{text: "--watch looks at this machine, and --dump doesn't", hint: "leave --watch out"}
	case c.IsSet("for"):
		return nil, &usageError{text: "--for watches this machine, and --dump doesn't look at it", hint: "leave --for out; --apart says how much time lies between two dumps"}
	}
	var samples []plan.State
	for i, file := range files {
		state, err := readDump(c, file)
		if err != nil {
			return nil, err
		}
		state.Time = time.Unix(0, 0).Add(time.Duration(i) * c.Duration("apart"))
		samples = append(samples, state)
	}
	return samples, nil
}

// whatToPaste are the commands whose output says all that doctor asks for.
const whatToPaste = "tc -s -d qdisc show; tc filter show dev WAN parent ffff:; ip -s -d link"

// readDump reads a file, and names on standard error what it couldn't read.
func readDump(c *cli.Context, file string) (plan.State, error) {
	input, name, err := openDump(c, file)
	if err != nil {
		return plan.State{}, err
	}
	defer input.Close()
	dump, err := tcdump.Read(input, name)
	if err != nil {
		return plan.State{}, err
	}
	if dump.Empty() {
		return plan.State{}, fmt.Errorf("%s shows no qdisc and no device: paste the output of: %s", name, whatToPaste)
	}
	for _, line := range dump.Unread {
		fmt.Fprintf(c.App.ErrWriter, "sqmctl: %s:%d: not read: %s\n", name, line.Number, line.Text)
	}
	if dump.More > 0 {
		fmt.Fprintf(c.App.ErrWriter, "sqmctl: %s: %d more lines were not read\n", name, dump.More)
	}
	return dump.State, nil
}

func openDump(c *cli.Context, file string) (io.ReadCloser, string, error) {
	if file == "-" {
		return io.NopCloser(c.App.Reader), "standard input", nil
	}
	input, err := os.Open(file)
	return input, file, err
}

// namesOf are the devices of a state, for a message; of many the first.
func namesOf(s *plan.State) []string {
	const most = 12
	var names []string
	for i := range s.Devices {
		if i == most {
			return append(names, "…")
		}
		names = append(names, s.Devices[i].Name)
	}
	return names
}
