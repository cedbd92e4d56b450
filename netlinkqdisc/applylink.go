package netlinkqdisc

import (
	"fmt"

	"github.com/sqmctl/sqmctl/plan"
)

// Outcome is what an ApplyLink or a RemoveLink did.
type Outcome struct {
	Steps      []plan.Step // in their order; empty if all was as wanted
	Requests   int         // sent that changed something; 0 if all was as wanted
	RoundTrips int         // all requests, those that read included
	U32        bool        // the redirect is a u32, for want of matchall
	Undo       *Undo       // takes it back; never nil without an error
}

// ApplyLink makes the kernel as planned for one link: it reads, does what
// plan.Diff finds, reads again, and compares. Without a difference it changes
// nothing, and sends nothing that could. On any error all is as it was before,
// unless the error holds an *UndoError. Errors of plan.Diff come as they are;
// a request that the kernel refuses is an *Error.
func (k *Kernel) ApplyLink(link plan.Link, takeOver bool) (Outcome, error) {
	return k.converge(func(found plan.State) ([]plan.Step, error) {
		return plan.Diff(link, found, takeOver)
	})
}

// RemoveLink takes away what was installed for a device, and puts nothing in
// its place but the kernel's default. The device itself may have gone.
func (k *Kernel) RemoveLink(device string) (Outcome, error) {
	return k.converge(func(found plan.State) ([]plan.Step, error) {
		return plan.Teardown(device, found), nil
	})
}

// converge does what differs until nothing does, which must be at once.
func (k *Kernel) converge(differ func(plan.State) ([]plan.Step, error)) (Outcome, error) {
	requests, roundTrips := k.requests, k.roundTrips
	s, err := k.snapshot()
	if err != nil {
		return Outcome{}, fmt.Errorf("read the kernel's devices and qdiscs: %w", err)
	}
	steps, err := differ(s.state())
	if err != nil {
		return Outcome{}, err
	}
	a := newApplication(k, s)
	if len(steps) > 0 {
		if err := a.all(steps); err != nil {
			return Outcome{}, a.undo.failed(err)
		}
		if err := k.compare(differ); err != nil {
			return Outcome{}, a.undo.failed(err)
		}
	}
	return Outcome{steps, k.requests - requests, k.roundTrips - roundTrips, a.u32, a.undo}, nil
}

// compare reads the kernel and fails if anything still differs.
func (k *Kernel) compare(differ func(plan.State) ([]plan.Step, error)) error {
	s, err := k.snapshot()
	if err != nil {
		return fmt.Errorf("read back what was applied: %w", err)
	}
	left, err := differ(s.state())
	if err != nil {
		return fmt.Errorf("read back what was applied: %w", err)
	}
	if len(left) > 0 {
		return fmt.Errorf("the kernel took every request, but then still needs: %s; this is a fault of sqmctl or of the kernel, please report it", left[0])
	}
	return nil
}
