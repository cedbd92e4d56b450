package netlinkqdisc

import (
	"errors"
	"fmt"
	"slices"
)

// Undo takes back what an Apply did. It belongs to the Kernel that did it.
type Undo struct {
	entries []undoEntry
}

type undoEntry struct {
	name string // of the object: "qdisc cake 7371: on wan"
	run  func() error
}

// add notes how to take back what is about to be done, or was just done.
func (u *Undo) add(name string, run func() error) {
	u.entries = append(u.entries, undoEntry{name, run})
}

// Run takes everything back, last thing first, and goes on where something
// can't be. What is left then is named in the error. A second Run does nothing.
func (u *Undo) Run() error {
	var left []error
	for _, e := range slices.Backward(u.entries) {
		err := e.run()
		if part := (*partError)(nil); errors.As(err, &part) {
			left = append(left, fmt.Errorf("%s: %s: %w", e.name, part.object, reason(part.cause)))
		} else if err != nil {
			left = append(left, fmt.Errorf("%s: %w", e.name, reason(err)))
		}
	}
	u.entries = nil
	if len(left) == 0 {
		return nil
	}
	return &UndoError{left}
}

// partError is about a part of what is made again: "class htb 1:10".
type partError struct {
	object string
	cause  error
}

func (e *partError) Error() string { return e.object + ": " + e.cause.Error() }

// UndoError says what could not be taken back.
type UndoError struct {
	Left []error // one for each object, that names it
}

func (e *UndoError) Error() string {
	text := ""
	for i, err := range e.Left {
		if i > 0 {
			text += "; "
		}
		text += err.Error()
	}
	return "not as it was before: " + text + "; compare with: tc -d qdisc, tc -d filter, ip -d link"
}

// Unwrap is for errors.Is and errors.As.
func (e *UndoError) Unwrap() []error { return e.Left }

// failed takes back what was done and joins what went wrong then to what went
// wrong before.
func (u *Undo) failed(err error) error {
	if left := u.Run(); left != nil {
		return fmt.Errorf("%w; %w", err, left)
	}
	return err
}
