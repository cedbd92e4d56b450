package netlinkqdisc

import (
	"errors"
	"fmt"
	"strings"

	mdlayher "github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// Error is a request that the kernel refused.
type Error struct {
	Action string     // "create", "change", "replace", "delete"
	Object string     // its name: "qdisc cake 7371: on wan"
	Device string     // "wan"
	Errno  unix.Errno // 0 if the request did not get as far as the kernel
	Text   string     // the kernel's own words (NETLINK_EXT_ACK); "" if it gave none
	Advice string     // what to do; "" if nothing better is known
	cause  error
}

// Error is one line: "create qdisc cake 7371: on wan: no such file or directory
// (ENOENT: Specified qdisc kind is unknown): this kernel has no CAKE; …".
func (e *Error) Error() string {
	line := e.Action + " " + e.Object + ": " + reason(e.cause).Error()
	if e.Advice != "" {
		line += ": " + e.Advice
	}
	return line
}

// Unwrap is for errors.Is with an errno.
func (e *Error) Unwrap() error { return e.cause }

// failure is the error of a step.
func failure(s *plan.Step, err error) *Error {
	e := &Error{
		Action: s.Action.String(),
		Object: s.Object.Name(),
		Device: s.Object.Device(),
		Text:   kernelText(err),
		cause:  err,
	}
	errors.As(err, &e.Errno)
	e.Advice = advice(s, e.Errno, e.Text)
	return e
}

// reason is an errno in words, its name, and the kernel's text.
func reason(err error) error {
	var errno unix.Errno
	if !errors.As(err, &errno) {
		return err
	}
	name := unix.ErrnoName(errno)
	if errno == unix.EOPNOTSUPP {
		name = "EOPNOTSUPP" // as kernel people call it; ENOTSUP is the same number
	}
	if t := kernelText(err); t != "" {
		name += ": " + t
	}
	return fmt.Errorf("%w (%s)", errno, name)
}

// kernelText is what the kernel said beside the errno. go-tc passes on the
// error of its netlink package; nl puts the text behind the errno's.
func kernelText(err error) string {
	if op := (*mdlayher.OpError)(nil); errors.As(err, &op) {
		return strings.TrimSpace(op.Message)
	}
	var errno unix.Errno
	if !errors.As(err, &errno) {
		return ""
	}
	_, t, _ := strings.Cut(err.Error(), errno.Error()+": ")
	return strings.TrimSpace(t)
}
