package kernellab

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// verdict is how the program in a guest ended.
type verdict struct {
	Code    int    // its exit code
	Reason  string // empty if it ended well
	Problem string // why it could not be started
}

func (v verdict) save(folder string) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	// In one step, so that a kernel which dies here leaves no half verdict.
	path := filepath.Join(folder, verdictFile)
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// judge reads the verdict that the guest left. There is none if it died.
func judge(folder string, printed *console, killed error) error {
	text, err := os.ReadFile(filepath.Join(folder, verdictFile))
	if err != nil {
		return &DeadError{Cause: killed, Console: printed.last(30)}
	}
	var v verdict
	if err := json.Unmarshal(text, &v); err != nil {
		return &DeadError{Cause: fmt.Errorf("reading the guest's verdict: %w", err), Console: printed.last(30)}
	}
	switch {
	case v.Problem != "":
		return fmt.Errorf("setting up the guest: %s", v.Problem)
	case v.Reason != "":
		return &ExitError{Code: v.Code, Reason: v.Reason}
	}
	return nil
}

// ExitError is how a program ended that did not end with 0.
type ExitError struct {
	Code   int    // its exit code, -1 if a signal ended it
	Reason string // as "exit status 2" or "signal: killed"
}

func (e *ExitError) Error() string { return "the program ended with " + e.Reason }

// DeadError says that a kernel ended, or was ended, before its program did.
type DeadError struct {
	Cause   error    // why it was ended, if that came from outside
	Console []string // the last lines that it printed
}

func (e *DeadError) Error() string {
	what := "the kernel died"
	if e.Cause != nil {
		what = "the kernel was killed: " + e.Cause.Error()
	}
	if len(e.Console) == 0 {
		return what + "; its console is empty"
	}
	return what + "; the last lines of its console:\n" + strings.Join(e.Console, "\n")
}

func (e *DeadError) Unwrap() error { return e.Cause }
