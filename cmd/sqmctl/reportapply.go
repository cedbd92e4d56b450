package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/netlinkqdisc"
	"github.com/sqmctl/sqmctl/plan"
)

type appliedJSON struct {
	Link     string          `json:"link"`
	Steps    []plan.StepJSON `json:"steps"`
	Requests int             `json:"requests"` // that changed something
	Error    string          `json:"error"`    // empty when all went well
}

// reportApplied tells what was done to each link: on stdout what was, on
// stderr what wasn't.
func reportApplied(c *cli.Context, all []applied) error {
	for _, a := range all {
		if a.err != nil {
			fmt.Fprintf(c.App.ErrWriter, "sqmctl: %s\n", a.complaint())
		}
	}
	if c.Bool("json") {
		return reportAppliedJSON(c, all)
	}
	for _, a := range all {
		var left *netlinkqdisc.UndoError
		switch {
		case a.err != nil && errors.As(a.err, &left):
			fmt.Fprintf(c.App.Writer, "%s: failed, and not everything could be taken back\n", a.link)
		case a.err != nil:
			fmt.Fprintf(c.App.Writer, "%s: failed; it is as it was before\n", a.link)
		case len(a.outcome.Steps) == 0:
			fmt.Fprintf(c.App.Writer, "%s: as planned already, nothing to do\n", a.link)
		default:
			fmt.Fprintf(c.App.Writer, "%s: applied and read back\n", a.link)
			printSteps(c.App.Writer, "  ", a.outcome.Steps)
		}
	}
	return nil
}

// complaint is the error, with the link's name before it unless it begins with
// that already.
func (a *applied) complaint() string {
	if text := a.err.Error(); strings.HasPrefix(text, a.link) {
		return text
	}
	return a.link + ": " + a.err.Error()
}

func reportAppliedJSON(c *cli.Context, all []applied) error {
	rows := []appliedJSON{}
	for _, a := range all {
		row := appliedJSON{Link: a.link, Steps: stepsJSON(a.outcome.Steps), Requests: a.outcome.Requests}
		if a.err != nil {
			row.Error = a.err.Error()
		}
		rows = append(rows, row)
	}
	return json.NewEncoder(c.App.Writer).Encode(rows)
}

func stepsJSON(steps []plan.Step) []plan.StepJSON {
	rows := []plan.StepJSON{}
	for _, s := range steps {
		rows = append(rows, plan.NewStepJSON(s))
	}
	return rows
}
