package kernellab_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

func TestMain(m *testing.M) {
	kernellab.Init()
	code := m.Run()
	if samples.folder != "" {
		os.RemoveAll(samples.folder)
	}
	os.Exit(code)
}

// samples is the test binary of testdata/samples, built once.
var samples struct {
	once   sync.Once
	folder string
	err    error
}

func buildSamples(t *testing.T) {
	t.Helper()
	kernellab.SkipUnderRaceDetector(t)
	samples.once.Do(func() {
		if samples.folder, samples.err = os.MkdirTemp("", "samples-"); samples.err != nil {
			return
		}
		build := exec.Command("go", "test", "-c", "-o", filepath.Join(samples.folder, "samples"), "./testdata/samples")
		if out, err := build.CombinedOutput(); err != nil {
			samples.err = errors.Join(err, errors.New(string(out)))
		}
	})
	if samples.err != nil {
		t.Fatal(samples.err)
	}
}

// runSamples runs the samples with flags in a folder for temporary files, and
// returns what they printed, with the durations taken out, and whether they
// passed.
func runSamples(t *testing.T, temporary string, flags ...string) (output string, passed bool) {
	t.Helper()
	buildSamples(t)
	cmd := exec.Command(filepath.Join(samples.folder, "samples"), flags...)
	cmd.Dir = "testdata/samples"
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return regexp.MustCompile(`\(\d+\.\d+s\)`).ReplaceAllString(string(out), "(T)"), err == nil
}

func TestOutputIsThatOfATestHere(t *testing.T) {
	for _, tt := range []struct {
		name   string
		flags  []string
		passed bool
		want   string
	}{
		{"pass", []string{"-test.run=^TestPass$"}, true, "PASS\n"},
		{"pass, verbose", []string{"-test.v", "-test.run=^TestPass$"}, true, `=== RUN   TestPass
    samples_test.go:18: in the guest
--- PASS: TestPass (T)
PASS
`},
		{"pass, twice", []string{"-test.v", "-test.count=2", "-test.run=^TestPass$"}, true, `=== RUN   TestPass
    samples_test.go:18: in the guest
--- PASS: TestPass (T)
=== RUN   TestPass
    samples_test.go:18: in the guest
--- PASS: TestPass (T)
PASS
`},
		{"fail", []string{"-test.run=^TestFail$"}, false, `--- FAIL: TestFail (T)
    samples_test.go:23: before
    samples_test.go:24: first
        second
FAIL
`},
		{"skip", []string{"-test.v", "-test.run=^TestSkip$"}, true, `=== RUN   TestSkip
    samples_test.go:34: no reason
--- SKIP: TestSkip (T)
PASS
`},
		{"subtests", []string{"-test.run=^TestSubtests$"}, false, `--- FAIL: TestSubtests (T)
    --- FAIL: TestSubtests/bad (T)
        --- FAIL: TestSubtests/bad/deep/er (T)
            samples_test.go:41: wrong
FAIL
`},
		{"one subtest, verbose", []string{"-test.v", "-test.run=^TestSubtests$/^good_one$"}, true, `=== RUN   TestSubtests
=== RUN   TestSubtests/good_one
    samples_test.go:39: fine
--- PASS: TestSubtests (T)
    --- PASS: TestSubtests/good_one (T)
PASS
`},
		{"a skipped subtest", []string{"-test.v", "-test.run=^TestSubtests$/skip"}, true, `=== RUN   TestSubtests
=== RUN   TestSubtests/skipped
    samples_test.go:43: later
--- PASS: TestSubtests (T)
    --- SKIP: TestSubtests/skipped (T)
PASS
`},
		{"two kernels in a test", []string{"-test.v", "-test.run=^TestTwice$"}, true, `=== RUN   TestTwice
    samples_test.go:57: first marked
    samples_test.go:58: second marked
--- PASS: TestTwice (T)
PASS
`},
		{"what stands around it", []string{"-test.v", "-test.run=^TestAround$"}, true, `=== RUN   TestAround
    samples_test.go:129: before
    samples_test.go:133: body
=== RUN   TestAround/parallel
    samples_test.go:134: also
=== NAME  TestAround
    samples_test.go:136: after, set = false
--- PASS: TestAround (T)
    --- PASS: TestAround/parallel (T)
PASS
`},
		{"parallel kernels", []string{"-test.run=^TestEachInItsKernel$"}, true, "PASS\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			output, passed := runSamples(t, t.TempDir(), tt.flags...)
			if diff := cmp.Diff(tt.want, output); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			if passed != tt.passed {
				t.Errorf("passed = %t, want %t", passed, tt.passed)
			}
		})
	}
}

// Whatever goes wrong in a guest is a failure, and says what it was.
func TestTroubleIsAFailure(t *testing.T) {
	for _, tt := range []struct {
		test string
		want []string
	}{
		{"TestPanic", []string{"panic: out of luck", "samples_test.go:75 ", "exit status 2"}},
		{"TestPanicElsewhere", []string{"panic: out of luck", "samples_test.go:80 ", "exit status 2"}},
		{"TestExit", []string{"unexpected call to os.Exit(0)"}},
		{"TestWait", []string{"test timed out after 1h0m0s", "samples_test.go:91 "}},
		{"TestKernelPanic", []string{"    samples_test.go:106: still here\n", "samples_test.go:105: the kernel died", "Kernel panic - not syncing: Attempted to kill init!"}},
		{"TestPowerOff", []string{"samples_test.go:113: the kernel died"}},
		{"TestNested", []string{"samples_test.go:118: a body that runs in a kernel can't start another kernel"}},
		{"TestOnlyOutside", []string{"samples_test.go:124: the guest never came to the body of this test"}},
		{"TestNoSuchKernel", []string{"samples_test.go:140: no test kernel ", "; run: make kernel\n"}},
	} {
		t.Run(tt.test, func(t *testing.T) {
			output, passed := runSamples(t, t.TempDir(), "-test.run=^"+tt.test+"$")
			for _, want := range append(tt.want, "--- FAIL: "+tt.test+" (T)\n") {
				if !strings.Contains(output, want) {
					t.Errorf("no %q in the output", want)
				}
			}
			if strings.Contains(output, "setup_one_line") {
				t.Error("the kernel's noise is in the output")
			}
			if passed {
				t.Error("it passed")
			}
			if t.Failed() {
				t.Log(output)
			}
		})
	}
}

func TestHangIsEndedInTime(t *testing.T) {
	temporary := t.TempDir()
	buildSamples(t)
	start := time.Now()
	output, passed := runSamples(t, temporary, "-test.run=^TestSpin$", "-test.timeout=4s")
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	const want = "    spinning\n    samples_test.go:96: the kernel was killed: the test took more than 3s of real time"
	if passed || !strings.Contains(output, want) {
		t.Errorf("passed = %t, output:\n%s\nwant %q in it", passed, output, want)
	}
	for _, line := range processes(t) {
		if strings.Contains(line, temporary) {
			t.Errorf("still running: %s", line)
		}
	}
}

// processes returns the command line of every process.
func processes(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(files) == 0 {
		t.Fatal("no processes found", err)
	}
	var lines []string
	for _, file := range files {
		// One that has ended in the meantime has none.
		if text, err := os.ReadFile(file); err == nil {
			lines = append(lines, string(bytes.ReplaceAll(text, []byte{0}, []byte{' '})))
		}
	}
	return lines
}
