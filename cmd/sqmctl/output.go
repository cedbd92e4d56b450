package main

import (
	"errors"
	"fmt"
	"io"
)

// checkedOutput is stdout, and knows whether all that was written got there: a full
// disk must not look like a success.
type checkedOutput struct {
	file   io.Writer
	failed error // the first
}

func (o *checkedOutput) Write(text []byte) (int, error) {
	n, err := o.file.Write(text)
	if o.failed == nil && err != nil {
		o.failed = fmt.Errorf("what was printed is not complete: %w", err)
	}
	return n, err
}

// blame is what a command ended with, or what went wrong with its output.
func (o *checkedOutput) blame(err error) error {
	if o.failed != nil && (err == nil || errors.Is(err, errFindings)) {
		return o.failed
	}
	return err
}
