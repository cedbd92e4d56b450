package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim"
)

func previewCommand() *cli.Command {
	return &cli.Command{
		Name:      "preview",
		Usage:     "show what the profile would do to a call and to throughput, by simulation",
		ArgsUsage: "[PROFILE | LINK…]",
		Description: `Each direction of each link is simulated with some transfers and a call, as the
line is without a shaper and with the profile's. The kernel is not asked and
nothing is changed. What the profile doesn't tell is assumed, and printed.`,
		Flags: []cli.Flag{
			profileFlag, jsonFlag,
			&cli.StringFlag{Name: "html", DefaultText: "off", Usage: "write a page with the plots and the numbers to `FILE`, too"},
			&cli.StringFlag{Name: "real-rate", DefaultText: "the invoice", Usage: "what the line really gives: a `RATE` or a percentage of the invoice, for each direction: upload=18mbit,download=90%"},
			&cli.StringFlag{Name: "buffer", DefaultText: "by type", Usage: "the modem's and the provider's queue: a `SIZE` as 512KiB, or in packets as 100p, for each direction: upload=512KiB,download=1MiB"},
			&cli.DurationFlag{Name: "rtt", DefaultText: "by type", Usage: "round-trip `TIME` to the server without any queue"},
			&cli.IntFlag{Name: "flows", DefaultText: "4", Usage: "`NUMBER` of transfers"},
			&cli.StringFlag{Name: "wobble", DefaultText: "by type", Usage: "by how many `PERCENT` the line's rate varies, up and down"},
		},
		Action: preview,
	}
}

func preview(c *cli.Context) error {
	lines, err := previewLines(c)
	if err != nil {
		return err
	}
	previews, err := runPreviews(c, lines)
	if err != nil {
		return err
	}
	if name := c.String("html"); name != "" {
		if err := writeHTML(name, previews); err != nil {
			return err
		}
		fmt.Fprintf(c.App.ErrWriter, "sqmctl: the page is in %s\n", name)
	}
	if c.Bool("json") {
		return previewAsJSON(c.App.Writer, previews)
	}
	return printPreviews(c.App.Writer, previews)
}

// previewed is a line with what was seen of it.
type previewed struct {
	*previewLine
	directions []comparison // those that have a rate
}

// comparison is one direction, without the profile's shaper and with it.
type comparison struct {
	direction     linklayer.Direction
	of            *previewLine
	line          *sim.Line
	invoice       linklayer.Rate
	shaper        linklayer.Rate
	before, after *sim.WayResult
	acks          *sim.WayResult // the other direction before
	highest       linklayer.Rate // of a shaper that is the bottleneck, if the profile's isn't; else 0
}

func runPreviews(c *cli.Context, lines []previewLine) ([]previewed, error) {
	var scenarios []sim.Scenario
	var all []previewed
	for i := range lines {
		p := previewed{previewLine: &lines[i]}
		for d := range p.lines {
			d := linklayer.Direction(d)
			shaper := p.shaper(d)
			if shaper == nil || p.config.IsServer() {
				continue
			}
			scenarios = append(scenarios, p.scenario(d, false), p.scenario(d, true))
			p.directions = append(p.directions, comparison{direction: d, of: p.previewLine, line: &p.lines[d], invoice: shaper.Invoice, shaper: shaper.Rate()})
		}
		all = append(all, p)
	}
	results, err := runAll(c.App.ErrWriter, scenarios)
	if err != nil {
		return nil, err
	}
	var failing []search
	for i := range all {
		for j := range all[i].directions {
			cp := &all[i].directions[j]
			cp.acks = &results[0].Ways[linklayer.Egress+linklayer.Ingress-cp.direction]
			cp.before, cp.after = &results[0].Ways[cp.direction], &results[1].Ways[cp.direction]
			results = results[2:]
			if !cp.engaged() {
				failing = append(failing, search{cp, all[i].scenario(cp.direction, true)})
			}
		}
	}
	return all, searchAll(c.App.ErrWriter, failing)
}

// search is for the rate that would do where the profile's doesn't.
type search struct {
	of       *comparison
	scenario sim.Scenario
}

func searchAll(stderr io.Writer, searches []search) error {
	var total time.Duration
	for _, s := range searches {
		total += sim.SearchRuns * s.scenario.Duration
	}
	bar := startProgress(stderr, total)
	defer bar.stop()
	return inParallel(len(searches), func(i int) (err error) {
		s := &searches[i]
		s.scenario.Progress = bar.part()
		s.of.highest, err = sim.HighestShaper(s.scenario, s.of.direction)
		return err
	})
}

// engaged tells whether the queue stands in the router with the profile.
func (c *comparison) engaged() bool { return c.after.Managed(c.line.Rate) }

// writeHTML writes the page to a file.
func writeHTML(name string, previews []previewed) error {
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("--html: %w; name a file in a folder that you may write to", err)
	}
	return errors.Join(renderHTML(file, previews), file.Close())
}
