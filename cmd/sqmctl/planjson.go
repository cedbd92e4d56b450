package main

import (
	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/plan"
)

// plannedJSON is a link as planned, with what apply would do about it.
type plannedJSON struct {
	plan.LinkJSON
	Steps []plan.StepJSON `json:"steps"` // what apply would do; empty when all is as planned
	Stop  string          `json:"stop"`  // why apply would stop before it did anything; empty when it would not
}

func planJSON(c *cli.Context, wanted plan.Plan, found plan.State) []plannedJSON {
	rows := []plannedJSON{}
	for _, link := range wanted.Links {
		row := plannedJSON{LinkJSON: plan.NewLinkJSON(link)}
		steps, err := plan.Diff(link, found, c.Bool("take-over"))
		row.Steps = stepsJSON(steps)
		if err != nil {
			row.Stop = err.Error()
		}
		rows = append(rows, row)
	}
	return rows
}
