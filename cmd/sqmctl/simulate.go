package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim"
)

func simulateCommand() *cli.Command {
	return &cli.Command{
		Name:      "simulate",
		Usage:     "simulate a line, packet by packet, and say what a call on it would notice",
		ArgsUsage: noArguments,
		Description: `No option at all: a line of 20 Mbit/s whose modem can queue 512 KiB, a router
without a shaper, one upload, and a call beside it. The kernel is not asked and
nothing is changed. The same options give the same figures, on every machine.`,
		Flags: append(simulateFlags(),
			&cli.StringFlag{Name: "sweep", DefaultText: "off", Usage: "`OPTION=VALUE,…`: a run for each value, as shaper=off,105%,98%,95%, and a table of them"},
			jsonFlag),
		Action: simulate,
	}
}

func simulate(c *cli.Context) error {
	simulations, err := simulationsOf(c)
	if err != nil {
		return err
	}
	var scenarios []sim.Scenario
	for _, s := range simulations {
		scenarios = append(scenarios, s.scenario)
	}
	results, err := runAll(c.App.ErrWriter, scenarios)
	if err != nil {
		return err
	}
	var rows []simulated
	for i, s := range simulations {
		for _, d := range s.loaded {
			rows = append(rows, simulated{s.setting, d, &s.scenario.Ways[d], &results[i].Ways[d]})
		}
	}
	switch {
	case c.Bool("json"):
		return simulatedAsJSON(c.App.Writer, rows)
	case c.String("sweep") != "":
		return printSweep(c.App.Writer, rows)
	}
	for _, r := range rows {
		r.print(c.App.Writer)
	}
	return nil
}

// simulated is one direction of a run.
type simulated struct {
	setting   string
	direction linklayer.Direction
	way       *sim.Way
	result    *sim.WayResult
}

func (s *simulated) print(out io.Writer) {
	r := s.result
	fmt.Fprintf(out, "%s: %s, %s\n", s.direction, s.lineWords(), s.routerWords())
	fmt.Fprintf(out, "  call        median %s, 95 %% below %s, at most %s; %s on an idle line%s\n",
		msWords(r.Call.Median), msWords(r.Call.P95), msWords(r.Call.Max), msWords(r.Call.Idle), lossWords(r))
	if r.Startup.Count > 0 {
		fmt.Fprintf(out, "  at start    95 %% below %s, at most %s\n", msWords(r.Startup.P95), msWords(r.Startup.Max))
	}
	fmt.Fprintf(out, "  throughput  %.2f Mbit/s of payload, %.2f Mbit/s of frames, the line busy %.1f %% of the time\n", r.Goodput/1e6, r.Frames/1e6, r.Busy*100)
	fmt.Fprintf(out, "  router      queues %s on average, %s at most; %d drops, %d marks\n", msWords(r.Router.Mean), msWords(r.Router.Max), r.Signals.Dropped(), r.Signals.Marks)
	fmt.Fprintf(out, "  %-10s  queues %s on average, %s at most; %d drops\n", s.far(), msWords(r.Modem.Mean), msWords(r.Modem.Max), r.Modem.Dropped)
	fmt.Fprintln(out, s.verdict())
}

func printSweep(out io.Writer, rows []simulated) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SETTING\tDIRECTION\tCALL MEDIAN\tP95\tMAX\tLOST\tAT START\tPAYLOAD\tROUTER QUEUES\tMODEM QUEUES\tDROPS\tBOTTLENECK")
	for _, s := range rows {
		r := s.result
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.2f Mbit/s\t%s\t%s\t%d\t%s\n", s.setting, s.direction, msWords(r.Call.Median), msWords(r.Call.P95), msWords(r.Call.Max),
			percentWords(r.Call.LostPart()*100), msWords(r.Startup.Max), r.Goodput/1e6, msWords(r.Router.Mean), msWords(r.Modem.Mean), r.Signals.Dropped()+r.Modem.Dropped, s.where())
	}
	return w.Flush()
}

// timeWords is a time that somebody chose, for people.
func timeWords(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.4g ms", ms(d))
	}
	return fmt.Sprintf("%.5g s", d.Seconds())
}

func msWords(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
