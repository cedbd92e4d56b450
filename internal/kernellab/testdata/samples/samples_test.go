// Package samples holds tests that end in every way in which a test can end
// in a kernel. The lab's own tests run them and look at what came back.
package samples

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

func TestMain(m *testing.M) { kernellab.Main(m) }

func TestPass(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) { t.Log("in the guest") })
}

func TestFail(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		t.Log("before")
		check(t)
	})
}

func check(t *testing.T) {
	t.Helper()
	t.Error("first\nsecond")
}

func TestSkip(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) { t.Skip("no reason") })
}

func TestSubtests(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		t.Run("good one", func(t *testing.T) { t.Log("fine") })
		t.Run("bad", func(t *testing.T) {
			t.Run("deep/er", func(t *testing.T) { t.Fatal("wrong") })
		})
		t.Run("skipped", func(t *testing.T) { t.Skip("later") })
	})
}

func TestEachInItsKernel(t *testing.T) {
	for _, name := range []string{"one", "two"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kernellab.Run(t, func(t *testing.T) { markKernel(t, name) })
		})
	}
}

func TestTwice(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) { markKernel(t, "first") })
	kernellab.RunOn(t, "no-cake", func(t *testing.T) { markKernel(t, "second") })
}

// markKernel fails if another body has run in this kernel.
func markKernel(t *testing.T, name string) {
	t.Helper()
	const mark = "/run/mark"
	if _, err := os.Stat(mark); err == nil {
		t.Fatal("this kernel isn't fresh")
	}
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Log(name, "marked")
}

func TestPanic(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) { panic("out of luck") })
}

func TestPanicElsewhere(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		go func() { panic("out of luck") }()
		time.Sleep(time.Second)
	})
}

func TestExit(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) { os.Exit(0) })
}

// The body that waits for what never comes: on a virtual clock no time passes.
func TestWait(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) { select {} })
}

// The body that spins until time has passed: on a virtual clock, none does.
func TestSpin(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		fmt.Println("spinning")
		for start := time.Now(); time.Since(start) < time.Hour; {
		}
	})
}

// A signal that the Go runtime dies of ends init, and so the kernel.
func TestKernelPanic(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		t.Log("still here")
		syscall.Kill(1, syscall.SIGQUIT)
		time.Sleep(time.Hour)
	})
}

func TestPowerOff(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) { syscall.Reboot(syscall.LINUX_REBOOT_CMD_POWER_OFF) })
}

func TestNested(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		t.Run("again", func(t *testing.T) { kernellab.Run(t, func(t *testing.T) {}) })
	})
}

func TestOnlyOutside(t *testing.T) {
	if os.Getenv("SQMCTL_KERNELLAB_CALL") == "" {
		kernellab.Run(t, func(t *testing.T) { t.Log("never reached") })
	}
}

func TestAround(t *testing.T) {
	t.Log("before")
	set := false
	kernellab.Run(t, func(t *testing.T) {
		set = true
		t.Log("body")
		t.Run("parallel", func(t *testing.T) { t.Parallel(); t.Log("also") })
	})
	t.Log("after, set =", set)
}

func TestNoSuchKernel(t *testing.T) {
	kernellab.RunOn(t, "no-such", func(t *testing.T) {})
}
