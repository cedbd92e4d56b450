package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// privileges are those who may not change the kernel.
var privileges = []struct {
	name string
	drop func(*exec.Cmd) error // in a thread that isn't used again
	want string                // what apply and remove are told to do
}{
	{"nobody", func(cmd *exec.Cmd) error {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		return nil
	}, "permission denied: run it as root"},
	{"root without CAP_NET_ADMIN", func(*exec.Cmd) error {
		return unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_NET_ADMIN, 0, 0, 0)
	}, "operation not permitted (EPERM): run it as root or with the capability CAP_NET_ADMIN"},
}

// Without privilege one may look, and whoever wants to change something is
// told in one line what it takes.
func TestWithoutPrivilegeKernel(t *testing.T) {
	for _, p := range privileges {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			kernellab.Run(t, func(t *testing.T) {
				if err := os.Chmod("/run", 0o755); err != nil { // as on any machine
					t.Fatal(err)
				}
				r := newRouter(t, profileOf("docsis", "100 Mbit/s", "20 Mbit/s"))
				fresh := r.dump()
				wantRefused(t, r.without(p.drop, "apply"), p.want)
				r.wantSame("after apply", fresh)

				r.apply()
				applied := r.dump()
				wantRefused(t, r.without(p.drop, "remove"), p.want)
				r.wantSame("after remove", applied)

				for _, look := range [][]string{{"plan"}, {"plan", "--explain"}, {"status"}, {"doctor", "--for", "1s"}} {
					want, got := r.sqmctl(look...), r.without(p.drop, look...)
					if got != want || got.status != statusFine || got.stdout == "" {
						t.Errorf("%v: %+v\nwith privilege: %+v", look, got, want)
					}
				}
			})
		})
	}
}

// without runs sqmctl as a process of its own after dropping privileges.
func (r *router) without(drop func(*exec.Cmd) error, args ...string) output {
	r.t.Helper()
	program, err := exec.LookPath("sqmctl")
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(filepath.Dir(program)), 0o755); err != nil { // it is for this user only
		r.t.Fatal(err)
	}
	ended := make(chan output)
	go func() {
		// What is dropped is dropped for the thread, which ends with this.
		runtime.LockOSThread()
		var stdout, stderr strings.Builder
		cmd := exec.Command(program, args...)
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		r.In(func() {
			if err = drop(cmd); err == nil {
				err = cmd.Run()
			}
		})
		ended <- output{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	}()
	o := <-ended
	if o.status < 0 {
		r.t.Fatalf("running sqmctl without privilege: %v", err)
	}
	return o
}

func wantRefused(t *testing.T, got output, want string) {
	t.Helper()
	if got.status != statusFailed || strings.Count(got.stderr, "\n") != 1 ||
		!strings.HasPrefix(got.stderr, "sqmctl: ") || !strings.HasSuffix(got.stderr, want+"\n") {
		t.Errorf("refused with %+v, should end with %q", got, want)
	}
}
