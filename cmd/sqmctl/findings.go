package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/verify"
)

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
		if !c.Bool("json") && !c.Bool("verbose") && f.Reassures() {
			continue
		}
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
