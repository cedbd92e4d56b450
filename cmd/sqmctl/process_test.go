package main

import (
	"bytes"
	"errors"
	"os/exec"
)

// process is an sqmctl that runs by itself.
type process struct {
	r              *router
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
}

// start starts sqmctl on the router.
func (r *router) start(args ...string) *process {
	r.t.Helper()
	p := &process{r: r, cmd: exec.Command("sqmctl", args...)}
	p.cmd.Stdout, p.cmd.Stderr = &p.stdout, &p.stderr
	var err error
	r.In(func() { err = p.cmd.Start() })
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	return p
}

// wait waits for the end.
func (p *process) wait() output {
	p.r.t.Helper()
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		p.r.t.Fatal(err)
	}
	return output{p.cmd.ProcessState.ExitCode(), p.stdout.String(), p.stderr.String()}
}
