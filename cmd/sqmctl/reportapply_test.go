package main

import (
	"bytes"
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/netlinkqdisc"
)

// A link whose undo failed isn't called as it was before.
func TestReportAppliedOfAFailedUndo(t *testing.T) {
	refused := errors.New("create qdisc cake 7371: on wan: refused")
	left := &netlinkqdisc.UndoError{Left: []error{errors.New("filters on wan: refused")}}
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"taken back", refused, "wan: failed; it is as it was before\n"},
		{"not taken back", errors.Join(refused, left), "wan: failed, and not everything could be taken back\n"},
	}
	for _, test := range tests {
		var stdout, stderr bytes.Buffer
		c := cli.NewContext(newApp(&stdout, &stderr), flag.NewFlagSet("apply", flag.ContinueOnError), nil)
		if err := reportApplied(c, []applied{{link: "wan", err: test.err}}); err != nil {
			t.Fatal(err)
		}
		if stdout.String() != test.want || !strings.Contains(stderr.String(), "refused") {
			t.Errorf("%s: prints %q and %q", test.name, stdout.String(), stderr.String())
		}
	}
}
