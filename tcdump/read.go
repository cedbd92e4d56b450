package tcdump

import (
	"fmt"
	"io"

	"github.com/sqmctl/sqmctl/plan"
)

// Bounds of a paste. A router with a thousand devices prints a few MiB.
const (
	mostBytes   = 8 << 20
	mostDevices = 2048
	mostObjects = 1 << 15 // qdiscs, classes and filters of all devices
	mostLine    = 64 << 10
	mostUnread  = 36  // lines that are named; the rest is counted
	mostShown   = 100 // characters of such a line
)

// Dump is what a paste shows.
type Dump struct {
	State  plan.State // its Time is the zero time
	Unread []Line     // what couldn't be read, in order; only the first few dozen
	More   int        // lines that couldn't be read either
}

// Line is a line of a paste, or a word of it, that couldn't be read.
type Line struct {
	Number int // from 1
	Text   string
}

// Empty tells whether nothing was found that a shaper could be judged by.
func (d *Dump) Empty() bool { return len(d.State.Devices) == 0 }

// Read reads a paste; name is for errors. It fails only if the paste can't be
// read at all or is too large to be one.
func Read(input io.Reader, name string) (Dump, error) {
	text, err := io.ReadAll(io.LimitReader(input, mostBytes+1))
	switch {
	case err != nil:
		return Dump{}, fmt.Errorf("read %s: %w", name, err)
	case len(text) > mostBytes:
		return Dump{}, fmt.Errorf("%s is larger than %d MiB, which no router prints: keep only what tc and ip say", name, mostBytes>>20)
	}
	r := newReader(string(text))
	for r.next() {
		r.readLine()
		if what := r.tooMany(); what != "" {
			return Dump{}, fmt.Errorf("%s:%d: %s: keep only the output of one router", name, r.number, what)
		}
	}
	return r.finish(), nil
}
