package main

import (
	"cmp"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
)

// troubled is a situation in which somebody's shaper didn't do what it should,
// and what sqmctl does about it.
type troubled struct {
	name    string
	kernel  string // that it takes; "" for one with everything
	profile string
	check   func(*router)
}

// Each situation is made again with ip and tc, in a kernel of its own.
func TestTroubledKernel(t *testing.T) {
	for _, s := range slices.Concat(troubledApply, troubledIngress, troubledLinkLayer, troubledNetlink, troubledCakeMQ) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			kernellab.RunOn(t, cmp.Or(s.kernel, "linux"), func(t *testing.T) { s.check(newRouter(t, s.profile)) })
		})
	}
}

// says runs a command that must end with a status, and say all the words, on
// whichever output.
func (r *router) says(status int, words []string, args ...string) string {
	r.t.Helper()
	got := r.sqmctl(args...)
	text := got.stdout + got.stderr
	if got.status != status {
		r.t.Errorf("sqmctl %s ended with %d, should be %d\n%s", strings.Join(args, " "), got.status, status, text)
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			r.t.Errorf("sqmctl %s doesn't say %q:\n%s", strings.Join(args, " "), w, text)
		}
	}
	return text
}

// profileGone does something while there is no profile: an empty word is none,
// where one that isn't set would leave what this process was told before.
func (r *router) profileGone(f func()) {
	r.t.Helper()
	for _, path := range []string{"", routerProfile} {
		if err := os.Setenv("SQMCTL_PROFILE", path); err != nil {
			r.t.Fatal(err)
		}
		if path == "" {
			f()
		}
	}
}

// doctor is what doctor says while nothing but packets does.
func (r *router) doctor(packets func(), args ...string) []findingJSON {
	r.t.Helper()
	done := make(chan output)
	go func() { done <- r.sqmctl(append([]string{"doctor", "--json", "--for", "10s"}, args...)...) }()
	if packets != nil {
		packets()
	}
	got := <-done
	var findings []findingJSON
	if err := json.Unmarshal([]byte(got.stdout), &findings); err != nil {
		r.t.Fatalf("doctor: %v: %+v", err, got)
	}
	return findings
}

// refused is what a command of tc says that the kernel must not take.
func (r *router) refused(words string) string {
	r.t.Helper()
	var said []byte
	var err error
	r.In(func() { said, err = exec.Command("tc", strings.Fields(words)...).CombinedOutput() })
	if err == nil {
		r.t.Errorf("the kernel took: tc %s", words)
	}
	return string(said)
}

// device is a device that must be there.
func (r *router) device(name string) *plan.Device {
	r.t.Helper()
	found := readState(r.t, r.Namespace)
	d := found.Device(name)
	if d == nil {
		r.t.Fatalf("no device %s", name)
	}
	return d
}

// receive lets wan receive frames of a protocol from the line.
func (r *router) receive(protocol uint16, count int) {
	r.t.Helper()
	r.line.In(func() {
		peer, err := net.InterfaceByName("peer")
		if err != nil {
			r.t.Fatal(err)
		}
		socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			r.t.Fatal(err)
		}
		defer unix.Close(socket)
		everybody := &unix.SockaddrLinklayer{
			Protocol: protocol<<8 | protocol>>8, Ifindex: peer.Index, Halen: 6, Addr: [8]byte{255, 255, 255, 255, 255, 255},
		}
		for range count {
			if err := unix.Sendto(socket, make([]byte, 100), 0, everybody); err != nil {
				r.t.Fatal(err)
			}
		}
	})
	time.Sleep(time.Second)
}
