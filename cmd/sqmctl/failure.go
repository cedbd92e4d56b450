package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/plan"
)

// Exit statuses, as --help documents them.
const (
	statusFine     = 0
	statusFailed   = 1
	statusUsage    = 2
	statusFindings = 3
	statusWaiting  = 4
)

// errFindings ends doctor when there is something to mend; the findings
// themselves are on stdout already.
var errFindings = errors.New("doctor has findings")

// errWaiting ends apply when nothing failed, but a device isn't there yet.
var errWaiting = errors.New("a device is not there yet")

// silent is an error that its command has told already, in its own form; only
// the exit status is left to give.
type silent struct{ error }

func (s *silent) Unwrap() error { return s.error }

// usageError is a command line that can't be carried out as written.
type usageError struct{ text, hint string }

func (e *usageError) Error() string { return e.text }

func exitStatus(err error) int {
	var usage *usageError
	var problems *config.Problems
	var problem *plan.ProblemError
	switch {
	case err == nil:
		return statusFine
	case errors.As(err, &problem):
		return statusUsage
	case errors.Is(err, errFindings):
		return statusFindings
	case errors.Is(err, errWaiting):
		return statusWaiting
	case errors.As(err, &usage), errors.As(err, &problems):
		return statusUsage
	}
	return statusFailed
}

// report prints an error a line each, with its hint.
func report(stderr io.Writer, err error) {
	var usage *usageError
	var problems *config.Problems
	var told *silent
	var problem *plan.ProblemError
	switch {
	case err == nil, errors.As(err, &told):
	case errors.As(err, &problem):
		fmt.Fprintln(stderr, problem.Error())
	case errors.Is(err, errFindings):
	case errors.As(err, &problems):
		fmt.Fprintln(stderr, problems.Error())
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "sqmctl: %s\nsqmctl: hint: %s\n", usage.text, usage.hint)
	default:
		fmt.Fprintf(stderr, "sqmctl: %v\n", err)
	}
}
