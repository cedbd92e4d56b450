package kernellab_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// shell is a machine that runs a script.
func shell(t *testing.T, script string) kernellab.Machine {
	t.Helper()
	kernellab.SkipUnderRaceDetector(t)
	kernel, err := kernellab.Kernel("linux")
	if err != nil {
		t.Fatal(err)
	}
	return kernellab.Machine{Kernel: kernel, Program: "/bin/sh", Args: []string{"-c", script}, Env: os.Environ(), Dir: "/usr"}
}

func TestBootRunsAProgram(t *testing.T) {
	var output bytes.Buffer
	err := kernellab.Boot(context.Background(), shell(t, "pwd; sleep 1000; echo done >&2; exit 3"), &output)
	if exit := (*kernellab.ExitError)(nil); !errors.As(err, &exit) || exit.Code != 3 {
		t.Errorf("error %v, want exit code 3", err)
	}
	if got := output.String(); got != "/usr\ndone\n" {
		t.Errorf("output %q", got)
	}
}

// signalled tells when it is first written to.
type signalled struct{ written chan struct{} }

func (s signalled) Write(p []byte) (int, error) {
	close(s.written)
	return len(p), nil
}

func TestBootPassesOutputOnAtOnce(t *testing.T) {
	m := shell(t, "echo begun; while :; do :; done")
	m.RealTime = true
	cause := errors.New("seen enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	output := signalled{make(chan struct{})}
	go func() {
		select {
		case <-output.written:
			cancel(cause)
		case <-time.After(time.Minute):
			cancel(errors.New("saw nothing for a minute"))
		}
	}()
	err := kernellab.Boot(ctx, m, output)
	if dead := (*kernellab.DeadError)(nil); !errors.As(err, &dead) || !errors.Is(err, cause) {
		t.Errorf("error %v, want %v", err, cause)
	}
}

func TestBootSaysWhyNothingRan(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(m *kernellab.Machine)
		want   string
	}{
		{"no kernel", func(m *kernellab.Machine) { m.Kernel = "/no/kernel" }, "starting a kernel: fork/exec /no/kernel: no such file"},
		{"no program", func(m *kernellab.Machine) { m.Program = "/no/program" }, "/no/program: no such file"},
		{"no folder", func(m *kernellab.Machine) { m.Dir = "/no/folder" }, "chdir /no/folder: no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := shell(t, "true")
			tt.change(&m)
			err := kernellab.Boot(context.Background(), m, &bytes.Buffer{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
		})
	}
}
