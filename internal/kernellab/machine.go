package kernellab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Machine describes one guest: a kernel, and a program that runs in it.
type Machine struct {
	// Kernel is the path of a User-Mode Linux kernel; see [Kernel].
	Kernel string
	// Program runs as root once the guest is set up; when it ends, so does
	// the guest. It is an absolute path in the host's file tree.
	Program string
	Args    []string
	// Env is the program's whole environment, except that the guest adds the
	// system's folders to PATH and puts TMPDIR on a file system of its own.
	Env []string
	// Dir is the program's working folder; empty is the caller's.
	Dir string
	// RealTime makes the guest's clock that of the host. Otherwise it is
	// virtual, which needs a kernel with UML_TIME_TRAVEL_SUPPORT.
	RealTime bool
	// CoarseTimers makes the guest's timers come every 10 ms only, as those of a
	// kernel without high-resolution ones.
	CoarseTimers bool
}

// Boot runs a machine to its end and copies what its program prints, on
// standard output and standard error alike, to output as it comes. The
// calling program is the guest's init, so its main must begin with [Init].
//
// The error is nil if the program ended with 0, an [ExitError] if it ended
// otherwise, and a [DeadError] if the kernel ended before it. Ending ctx kills
// the machine.
func Boot(ctx context.Context, m Machine, output io.Writer) error {
	folder, err := os.MkdirTemp("", "kernellab-")
	if err != nil {
		return fmt.Errorf("making a folder for the guest: %w", err)
	}
	defer os.RemoveAll(folder)
	if err := m.save(folder); err != nil {
		return err
	}
	printed, err := os.Create(filepath.Join(folder, outputFile))
	if err != nil {
		return err
	}
	defer printed.Close()

	ended := make(chan struct{})
	copied := make(chan error, 1)
	go func() { copied <- follow(output, printed, ended) }()
	console, err := m.run(ctx, folder)
	close(ended)
	if err := errors.Join(err, <-copied); err != nil {
		return err
	}
	return judge(folder, console, context.Cause(ctx))
}

// The files in a guest's folder, which host and guest share.
const (
	machineFile = "machine.json" // host to guest: what to run
	outputFile  = "output"       // guest to host: what it printed
	verdictFile = "verdict.json" // guest to host: how it ended
)

func (m Machine) save(folder string) error {
	if m.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return err
		}
		m.Dir = dir
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, machineFile), text, 0o600)
}

// run boots the kernel, waits for its end and returns what it printed.
func (m Machine) run(ctx context.Context, folder string) (*console, error) {
	// Pdeathsig counts from the thread that starts the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	printed := &console{}
	cmd := exec.CommandContext(ctx, m.Kernel, m.words(self, folder)...)
	cmd.Stdout, cmd.Stderr = printed, printed
	cmd.Env = append(os.Environ(), "TMPDIR="+memoryFolder())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	// A process of the kernel's own that holds the console open after its end
	// must not keep this one waiting.
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting a kernel: %w", err)
	}
	// How a kernel ends says nothing: the verdict does.
	_ = cmd.Wait()
	return printed, nil
}

// words is the kernel's command line.
func (m Machine) words(self, folder string) []string {
	w := []string{
		"mem=" + memory, "rootfstype=hostfs", "rw", "quiet", "panic=-1",
		"con=null", "con0=null,fd:1", "ssl=null", quote("uml_dir", folder),
		quote("init", self), quote(guestWord, folder),
	}
	if !m.RealTime {
		w = append(w, "time-travel=inf-cpu")
	}
	if m.CoarseTimers {
		w = append(w, "highres=off")
	}
	return w
}

// quote writes a word of the kernel's command line, which is split at spaces.
func quote(key, value string) string {
	if strings.ContainsAny(value, " \t") {
		return key + `="` + value + `"`
	}
	return key + "=" + value
}

// follow copies what is appended to a file until ended is closed.
func follow(to io.Writer, file *os.File, ended <-chan struct{}) error {
	// The guest's file system tells nobody about a change, so look.
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			_, err := io.Copy(to, file)
			return err
		case <-tick.C:
			if _, err := io.Copy(to, file); err != nil {
				return err
			}
		}
	}
}
