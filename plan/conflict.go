package plan

import (
	"fmt"
	"strings"
)

// ProblemError says why a link of the profile can't be planned.
type ProblemError struct {
	File   string
	Line   int // of [[link]]
	Device string
	Err    error
}

func (e *ProblemError) Error() string {
	return fmt.Sprintf("%s:%d: %s: %v", e.File, e.Line, e.Device, e.Err)
}

func (e *ProblemError) Unwrap() error { return e.Err }

// FirstProblem is the first problem of a plan's links; nil if there is none.
func (p *Plan) FirstProblem() error {
	for i := range p.Links {
		if problem := p.Links[i].Problem; problem != nil {
			return problem
		}
	}
	return nil
}

// MissingDeviceError says that the device of a link isn't there.
type MissingDeviceError struct{ Device string }

func (e *MissingDeviceError) Error() string {
	return e.Device + " does not exist: bring the interface up, then run sqmctl apply again, or correct interface in the profile"
}

// ConflictError says that something which sqmctl did not install is in the
// way, and that nothing was decided about it.
type ConflictError struct {
	Device  string        // of the link
	Filters []FilterState // on the way in, in the order in which they are asked; empty if the conflict is about Link
	Link    string        // a link that has the name of the IFB
	reason  string        // about Link
}

func (e *ConflictError) Error() string {
	if e.Link != "" {
		return fmt.Sprintf("%s: %s %s, and sqmctl needs that name for the download: stop the program that made it, or rename it",
			e.Device, e.Link, e.reason)
	}
	return fmt.Sprintf("%s: %s on the way in that sqmctl did not install (%s): turn that QoS off, or run again with --take-over",
		e.Device, countFilters(len(e.Filters)), e.list())
}

func (e *ConflictError) list() string {
	var all []string
	for i := range e.Filters {
		all = append(all, e.Filters[i].place()+e.Filters[i].effect())
	}
	return strings.Join(all, "; ")
}

func countFilters(n int) string {
	if n == 1 {
		return "there is a filter"
	}
	return fmt.Sprintf("there are %d filters", n)
}

// nameConflict is about a device that has the name of the IFB; nil if there is
// no such device or sqmctl may use it.
func nameConflict(link string, device *Device, found *State) *ConflictError {
	conflict := &ConflictError{Device: link}
	switch {
	case device == nil || owner(device) == link || looksInterrupted(device, found):
		return nil
	case device.Kind != "ifb":
		conflict.reason = "exists and is no IFB"
	case owner(device) != "":
		conflict.reason = "takes in the download of " + owner(device)
	default:
		conflict.reason = "is an IFB that sqmctl did not make"
	}
	conflict.Link = device.Name
	return conflict
}
