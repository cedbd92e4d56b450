package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/sim"
)

// variation is how the line's rate wanders.
func variation(c *cli.Context) (v sim.Vary, err error) {
	if c.String("trace") != "" {
		return recorded(c)
	}
	if c.String("wobble") == "" || c.String("wobble") == "off" {
		return v, nil
	}
	percent, err := parseWobble(c.String("wobble"))
	if err != nil {
		return v, err
	}
	word, err := oneOf(c, "wobble-shape", "sine", "triangle", "step")
	if err != nil {
		return v, err
	}
	v.Amplitude = percent / 100
	period, err := timeWithin(c, "wobble-period", 10*time.Millisecond, longestRun)
	switch word {
	case "sine":
		v.Shape, v.Period = sim.Sine, period
	case "triangle":
		v.Shape, v.Period = sim.Triangle, period
	case "step":
		v.Shape, v.At = sim.Step, period
	}
	return v, err
}

// parseWobble reads by how many percent a rate varies.
func parseWobble(text string) (float64, error) {
	percent, ok := parsePercent(text)
	if !ok || percent >= 100 {
		return 0, &usageError{text: fmt.Sprintf("--wobble %q is not a percentage below 100%%", text), hint: "for example: --wobble 15%"}
	}
	return percent, nil
}

// recorded reads a trace.
func recorded(c *cli.Context) (sim.Vary, error) {
	v := sim.Vary{Shape: sim.Trace}
	if c.String("wobble") != "" {
		return v, &usageError{text: "--wobble and --trace exclude each other", hint: "leave one out"}
	}
	file, err := os.Open(c.String("trace"))
	if err != nil {
		return v, &usageError{text: "--trace: " + err.Error(), hint: "name a file with a fraction of the rate a line, as 0.8"}
	}
	defer file.Close()
	if v.Trace, err = parseTrace(c.String("trace"), file); err != nil {
		return v, err
	}
	v.Interval, err = timeWithin(c, "trace-interval", time.Millisecond, longestRun)
	return v, err
}

// The least and the greatest part of the rate that a trace can have.
const (
	leastPart = 0.01
	mostPart  = 10
)

// parseTrace reads a part of the rate a line; empty lines don't count.
func parseTrace(name string, text io.Reader) (trace []float64, err error) {
	lines := bufio.NewScanner(text)
	for n := 1; lines.Scan(); n++ {
		word := strings.TrimSpace(lines.Text())
		if word == "" {
			continue
		}
		part, err := strconv.ParseFloat(word, 64)
		if err != nil || !(part >= leastPart && part <= mostPart) {
			return nil, &usageError{
				text: fmt.Sprintf("%s:%d: %.20q is not a number from %g to %g", name, n, word, leastPart, float64(mostPart)),
				hint: "write what the line gives then as a part of --rate, as 0.8",
			}
		}
		trace = append(trace, part)
	}
	if lines.Err() != nil || len(trace) == 0 {
		return nil, &usageError{text: fmt.Sprintf("--trace %s has no values", name), hint: "write a fraction of the rate a line, as 0.8"}
	}
	return trace, nil
}
