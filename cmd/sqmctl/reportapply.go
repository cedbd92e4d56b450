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
	State    string          `json:"state"` // "applied", "as planned", "waiting" or "failed"
	Steps    []plan.StepJSON `json:"steps"`
	Requests int             `json:"requests"` // that changed something
	Error    string          `json:"error"`    // empty when all went well
}

// reportApplied tells what was done to each link: on stdout what was, on
// stderr what wasn't.
func reportApplied(c *cli.Context, all []applied) error {
	for _, a := range all {
		if a.err != nil && !a.waiting() {
			fmt.Fprintf(c.App.ErrWriter, "sqmctl: %s\n", a.complaint())
		}
	}
	if c.Bool("json") {
		return reportAppliedJSON(c, all)
	}
	for _, a := range all {
		fmt.Fprintf(c.App.Writer, "%s: %s\n", a.link, a.words())
		printSteps(c.App.Writer, "  ", a.outcome.Steps)
	}
	return nil
}

// words is what became of a link, for people.
func (a *applied) words() string {
	var left *netlinkqdisc.UndoError
	switch {
	case a.waiting():
		return "waiting: " + a.err.Error()
	case a.err != nil && errors.As(a.err, &left):
		return "failed, and not everything could be taken back"
	case a.err != nil:
		return "failed; it is as it was before"
	case len(a.outcome.Steps) == 0:
		return "as planned already, nothing to do"
	}
	return "applied and read back"
}

// state is the same for machines.
func (a *applied) state() string {
	switch {
	case a.waiting():
		return "waiting"
	case a.err != nil:
		return "failed"
	case len(a.outcome.Steps) == 0:
		return "as planned"
	}
	return "applied"
}

// complaint is the error, with the link's name before it unless it has that
// already.
func (a *applied) complaint() string {
	var problem *plan.ProblemError
	text := a.err.Error()
	if strings.HasPrefix(text, a.link) || errors.As(a.err, &problem) {
		return text
	}
	return a.link + ": " + text
}

func reportAppliedJSON(c *cli.Context, all []applied) error {
	rows := []appliedJSON{}
	for _, a := range all {
		row := appliedJSON{Link: a.link, State: a.state(), Steps: stepsJSON(a.outcome.Steps), Requests: a.outcome.Requests}
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
