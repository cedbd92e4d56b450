package kernellab

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// T is what a namespace, and all that is built of them, needs of the test that
// it belongs to. The demonstration, which is no test, provides its own.
type T interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Namespace is a network namespace of the guest. `ip netns` knows it by name.
// IPv6 is off in it, so that nothing sends what no test asked for; switch it
// on with Sysctl("net/ipv6/conf/all/disable_ipv6", "0").
type Namespace struct {
	Name string
	t    T
	file *os.File
}

// NewNamespace makes a network namespace that lasts as long as the test. It is
// for bodies that run in the guest.
func NewNamespace(t T, name string) *Namespace {
	t.Helper()
	path := filepath.Join("/run/netns", name)
	if err := makeNamespace(path); err != nil {
		t.Fatalf("making the namespace %s: %v", name, err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		file.Close()
		if err := unix.Unmount(path, unix.MNT_DETACH); err != nil {
			t.Errorf("removing the namespace %s: %v", name, err)
		}
		os.Remove(path)
	})
	n := &Namespace{Name: name, t: t, file: file}
	if _, err := os.Stat("/proc/sys/net/ipv6"); err == nil {
		n.Sysctl("net/ipv6/conf/default/disable_ipv6", "1")
		n.Sysctl("net/ipv6/conf/all/disable_ipv6", "1")
	}
	return n
}

// makeNamespace makes a namespace with its loopback up, and keeps it at path.
func makeNamespace(path string) error {
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return err
	}
	made := make(chan error)
	go func() {
		// The thread is not used again: it ends, locked, with this goroutine.
		runtime.LockOSThread()
		made <- func() error {
			if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
				return err
			}
			if err := raiseLoopback(); err != nil {
				return err
			}
			return unix.Mount("/proc/thread-self/ns/net", path, "", unix.MS_BIND, "")
		}()
	}()
	return <-made
}

// In calls f with the calling thread in the namespace: the sockets that f
// opens and the commands that it starts belong there. Goroutines that f starts
// do not. /proc/sys/net is the namespace's, /sys/class/net and /proc/net are
// not. f may end the test.
func (n *Namespace) In(f func()) {
	n.t.Helper()
	runtime.LockOSThread()
	home, err := os.Open("/proc/thread-self/ns/net")
	if err != nil {
		n.t.Fatal(err)
	}
	defer home.Close()
	if err := unix.Setns(int(n.file.Fd()), unix.CLONE_NEWNET); err != nil {
		n.t.Fatalf("entering the namespace %s: %v", n.Name, err)
	}
	defer func() {
		// A thread that can't go home stays locked, and ends with its goroutine.
		if unix.Setns(int(home.Fd()), unix.CLONE_NEWNET) == nil {
			runtime.UnlockOSThread()
		}
	}()
	f()
}

// do calls f in the namespace. An error ends the test.
func (n *Namespace) do(what string, f func() error) {
	n.t.Helper()
	var err error
	n.In(func() { err = f() })
	if err != nil {
		n.t.Fatalf("%s in %s: %v", what, n.Name, err)
	}
}

// Command runs a command in the namespace and returns its standard output. A
// command that fails ends the test.
func (n *Namespace) Command(name string, args ...string) string {
	n.t.Helper()
	return n.run(exec.Command(name, args...))
}

// Batch runs the lines of a script with `ip -batch` or `tc -batch`.
func (n *Namespace) Batch(tool, script string) {
	n.t.Helper()
	cmd := exec.Command(tool, "-batch", "-")
	cmd.Stdin = strings.NewReader(script)
	n.run(cmd)
}

func (n *Namespace) run(cmd *exec.Cmd) string {
	n.t.Helper()
	var said strings.Builder
	cmd.Stderr = &said
	var out []byte
	var err error
	n.In(func() { out, err = cmd.Output() })
	if err != nil {
		n.t.Fatal(fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, out, said.String()))
	}
	return string(out)
}

// Sysctl sets a key below /proc/sys, as "net/ipv4/tcp_ecn", for the namespace.
func (n *Namespace) Sysctl(key, value string) {
	n.t.Helper()
	var err error
	n.In(func() { err = os.WriteFile("/proc/sys/"+key, []byte(value), 0) })
	if err != nil {
		n.t.Fatal(err)
	}
}
