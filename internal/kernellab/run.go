package kernellab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Main is TestMain of a package with kernel tests:
//
//	func TestMain(m *testing.M) { kernellab.Main(m) }
//
// A TestMain that has more to do calls [Init] first of all instead.
func Main(m *testing.M) {
	Init()
	os.Exit(m.Run())
}

// Run runs body inside a fresh kernel with everything in it, on a virtual
// clock: time moves only when every process sleeps, so a body that spins until
// time has passed never ends.
//
// The body is the only process apart from init. Its working folder is the
// package's, as for any test; the host's files are there, and what it writes
// to them stays; $TMPDIR and /run are the guest's own. Its log lines, failures, skips and subtests come back as if
// they had run here. A kernel that dies is a failure, and so is one that takes
// more than two minutes of real time, or more than the test's deadline leaves.
//
// The guest finds the body by running the test again from its start, so what
// stands before Run runs twice: here and there. What stands after it runs only
// here.
func Run(t *testing.T, body func(t *testing.T)) {
	t.Helper()
	run(t, setting{kernel: "linux"}, body)
}

// RunOn is Run on another kernel: one that build-kernel builds, such as
// "no-cake", or CakeMQ.
func RunOn(t *testing.T, kernel string, body func(t *testing.T)) {
	t.Helper()
	run(t, setting{kernel: kernel}, body)
}

// RunRealTime is Run with a clock that runs as the host's does: for what
// measures the cost of computing, which a virtual clock doesn't see.
func RunRealTime(t *testing.T, body func(t *testing.T)) {
	t.Helper()
	run(t, setting{kernel: "linux", realTime: true}, body)
}

// RunCoarse is Run on a kernel whose timers come every 10 ms only.
func RunCoarse(t *testing.T, body func(t *testing.T)) {
	t.Helper()
	run(t, setting{kernel: "linux", coarse: true}, body)
}

const raceReason = "a kernel test can't run under the race detector; run it without -race"

type setting struct {
	kernel   string
	realTime bool
	coarse   bool // timers
}

// call names one call of Run: the n-th by the test of that name.
type call struct {
	Test string
	N    int
}

// calls counts the calls of Run by each test that is running.
var calls = struct {
	sync.Mutex
	made map[*testing.T]int
}{made: map[*testing.T]int{}}

func count(t *testing.T) call {
	calls.Lock()
	defer calls.Unlock()
	if calls.made[t] == 0 {
		t.Cleanup(func() {
			calls.Lock()
			defer calls.Unlock()
			delete(calls.made, t)
		})
	}
	calls.made[t]++
	return call{t.Name(), calls.made[t]}
}

func run(t *testing.T, s setting, body func(t *testing.T)) {
	t.Helper()
	if folder := os.Getenv(callWord); folder != "" {
		runInside(t, folder, body)
		return
	}
	if raceDetector {
		t.Skip(raceReason)
	}
	if !initCalled {
		t.Fatal("TestMain of this package must call kernellab.Main, or kernellab.Init first of all")
	}
	kernel, err := Kernel(s.kernel)
	if s.kernel == CakeMQ && errors.Is(err, errNotBuilt) {
		t.Skip("this kernel is built only where the source of Linux 7.0 or later is: see internal/kernellab/build-cake-mq")
	}
	if err != nil {
		t.Fatal(err)
	}
	boot(t, Machine{Kernel: kernel, RealTime: s.realTime, CoarseTimers: s.coarse})
}

// boot runs the call of Run that it is in inside a kernel and reports here how
// that went.
func boot(t *testing.T, m Machine) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := saveJSON(filepath.Join(folder, callFile), count(t)); err != nil {
		t.Fatal(err)
	}
	limit := wallLimit(t)
	m.Program, m.Args = self, guestFlags(t.Name(), m.RealTime, limit)
	m.Env = append(os.Environ(), callWord+"="+folder)
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit,
		fmt.Errorf("the test took more than %v of real time", limit.Round(time.Second)))
	defer cancel()
	var output bytes.Buffer
	err = Boot(ctx, m, &output)
	report(t, parse(output.String(), t.Name()), folder, err)
}

// wallLimit is how much real time a guest may take.
func wallLimit(t *testing.T) time.Duration {
	const limit = 2 * time.Minute
	deadline, ok := t.Deadline()
	if !ok {
		return limit
	}
	// Leave time to say which test it was, before the testing package panics.
	rest := time.Until(deadline)
	return min(limit, rest-min(5*time.Second, rest/4))
}

// guestFlags are the flags of the test binary in the guest: the one test, and
// everything here that changes what it does.
func guestFlags(name string, realTime bool, limit time.Duration) []string {
	// On a virtual clock a test that waits for what never comes reaches this
	// at once, and tells where each goroutine stood.
	timeout := time.Hour
	if realTime {
		timeout = limit - limit/10
	}
	flags := []string{
		"-test.v=test2json", "-test.paniconexit0", "-test.timeout=" + timeout.String(),
		"-test.run=" + guestPattern(name, flag.Lookup("test.run").Value.String()),
	}
	flag.Visit(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") || f.Name == "test.short" || f.Name == "test.skip" {
			flags = append(flags, "-"+f.Name+"="+f.Value.String())
		}
	})
	return flags
}

// callWord names, in the environment of a test in the guest, the folder with
// the call that brought it there.
const callWord = "SQMCTL_KERNELLAB_CALL"

// The files in that folder.
const (
	callFile = "call.json" // host to guest: whose body to run
	doneFile = "done.json" // guest to host: that it ran, and how it ended
)

// outcome is how a body ended.
type outcome struct{ Failed, Skipped bool }

// runInside runs the body in the guest if it is the one that is wanted here.
func runInside(t *testing.T, folder string, body func(t *testing.T)) {
	t.Helper()
	var wanted call
	if err := loadJSON(filepath.Join(folder, callFile), &wanted); err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(t.Name(), wanted.Test+"/") {
		t.Fatal("a body that runs in a kernel can't start another kernel")
	}
	if count(t) != wanted {
		return
	}
	returned := false
	t.Cleanup(func() {
		done := outcome{Failed: t.Failed(), Skipped: t.Skipped() && !returned}
		if err := saveJSON(filepath.Join(folder, doneFile), done); err != nil {
			t.Error(err)
		}
	})
	fmt.Println("\x16" + bodyBegins)
	body(t)
	returned = true
	t.SkipNow() // the rest is for the test outside
}

// report makes the test here look like the one in the guest.
func report(t *testing.T, ran *result, folder string, err error) {
	t.Helper()
	ran.replay(t)
	var done outcome
	missing := loadJSON(filepath.Join(folder, doneFile), &done)
	exit := (*ExitError)(nil)
	switch {
	case err != nil && !errors.As(err, &exit):
		t.Fatal(err)
	case missing != nil && err != nil:
		t.Fatalf("in the guest %v", err)
	case missing != nil:
		t.Fatal("the guest never came to the body of this test")
	case done.Failed:
		t.FailNow()
	case err != nil:
		t.Fatalf("in the guest %v", err)
	case done.Skipped:
		t.SkipNow()
	}
}

func saveJSON(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

func loadJSON(path string, value any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, value)
}
