package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	progressAfter = time.Second // shorter work needs no bar
	progressEvery = 100 * time.Millisecond
	progressWidth = 30
)

// progress is a bar on a terminal while simulations take long. Libraries for
// it bring a third of a megabyte and more to a router.
type progress struct {
	out   io.Writer
	total time.Duration // to simulate
	done  atomic.Int64  // of that
	end   chan struct{}
	ended chan struct{}
}

// startProgress shows a bar, if out is a terminal. The caller must stop it.
func startProgress(out io.Writer, total time.Duration) *progress {
	p := &progress{out: out, total: total, end: make(chan struct{}), ended: make(chan struct{})}
	go p.show()
	return p
}

// part is a Scenario.Progress for one run, or for several, one after the other.
func (p *progress) part() func(at time.Duration) {
	var last time.Duration
	return func(at time.Duration) {
		if at < last { // the next run
			last = 0
		}
		p.done.Add(int64(at - last))
		last = at
	}
}

// stop takes the bar away.
func (p *progress) stop() {
	close(p.end)
	<-p.ended
}

func (p *progress) show() {
	defer close(p.ended)
	if !isTerminal(p.out) {
		return
	}
	start := time.Now()
	next := time.NewTimer(progressAfter)
	for shown := false; ; shown = true {
		select {
		case <-p.end:
			if shown {
				fmt.Fprint(p.out, "\r\x1b[K")
			}
			return
		case <-next.C:
			fmt.Fprintf(p.out, "\r%s", p.line(time.Since(start)))
			next.Reset(progressEvery)
		}
	}
}

func (p *progress) line(elapsed time.Duration) string {
	part := min(float64(p.done.Load())/float64(p.total), 1)
	full := int(part * progressWidth)
	return fmt.Sprintf("[%s%s] %3.0f %%, %s", strings.Repeat("#", full), strings.Repeat(".", progressWidth-full), part*100, elapsed.Truncate(time.Second))
}

func isTerminal(out io.Writer) bool {
	if o, ok := out.(*checkedOutput); ok {
		out = o.file
	}
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(file.Fd()), unix.TCGETS)
	return err == nil
}
