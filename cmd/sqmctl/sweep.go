package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// mostSweeps bounds the values of a sweep.
const mostSweeps = 1000

// unswept are options that describe no part of a run.
var unswept = []string{"sweep", "json", "help"}

// simulationsOf is one simulation, or one for each value of a sweep.
func simulationsOf(c *cli.Context) ([]simulation, error) {
	if c.String("sweep") == "" {
		s, err := simulationOf(c)
		return []simulation{s}, err
	}
	option, values, err := parseSweep(c.String("sweep"))
	if err != nil {
		return nil, err
	}
	if !canVary(c, option) {
		return nil, &usageError{text: fmt.Sprintf("--sweep: %q is no option to vary", option), hint: sweepHint}
	}
	var all []simulation
	for _, value := range values {
		if err := c.Set(option, value); err != nil {
			return nil, &usageError{text: fmt.Sprintf("--sweep %s: %q is no value of --%s", c.String("sweep"), value, option), hint: "run: sqmctl simulate --help"}
		}
		s, err := simulationOf(c)
		if err != nil {
			return nil, err
		}
		s.setting = option + "=" + value
		all = append(all, s)
	}
	return all, nil
}

const sweepHint = "for example: --sweep shaper=off,105%,98%,95%"

func canVary(c *cli.Context, option string) bool {
	known := slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), option) })
	return known && !slices.Contains(unswept, option)
}

// parseSweep reads "shaper=off,98%,95%".
func parseSweep(text string) (option string, values []string, err error) {
	option, list, _ := strings.Cut(text, "=")
	option = strings.TrimLeft(strings.TrimSpace(option), "-")
	values = strings.Split(list, ",")
	for i := range values {
		values[i] = strings.TrimSpace(values[i])
	}
	switch {
	case option == "" || slices.Contains(values, ""):
		return "", nil, &usageError{text: fmt.Sprintf("--sweep %q lacks a value", text), hint: sweepHint}
	case len(values) > mostSweeps:
		return "", nil, &usageError{text: fmt.Sprintf("--sweep has %d values, more than %d", len(values), mostSweeps), hint: "take fewer steps"}
	}
	return option, values, nil
}
