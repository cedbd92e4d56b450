package kernellab_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

func TestGuestIsAsATestExpects(t *testing.T) {
	t.Setenv("LAB_TEST_WORD", "passed through")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	kernellab.Run(t, func(t *testing.T) {
		if there, err := os.Getwd(); there != here || err != nil {
			t.Errorf("working folder %q, %v, want %q", there, err, here)
		}
		if got := os.Getenv("LAB_TEST_WORD"); got != "passed through" {
			t.Errorf("an environment word is %q", got)
		}
		if os.Getuid() != 0 || os.Getpid() == 1 {
			t.Errorf("user %d, process %d", os.Getuid(), os.Getpid())
		}
		if got := t.TempDir(); !strings.HasPrefix(got, "/run/tmp/") {
			t.Errorf("the folder for temporary files is %s", got)
		}
		for _, path := range []string{"/proc/net/psched", "/sys/class/net/lo", "/run/netns", "/dev/null", "testdata/samples"} {
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
		}
		lo, err := net.InterfaceByName("lo")
		if err != nil || lo.Flags&net.FlagUp == 0 {
			t.Errorf("loopback: %v %v", lo, err)
		}
		if path := filepath.SplitList(os.Getenv("PATH")); !strings.Contains(strings.Join(path, ":"), "/usr/sbin") {
			t.Errorf("PATH is %s", path)
		}
	})
}

func TestVirtualTimeCostsNothing(t *testing.T) {
	start := time.Now()
	kernellab.Run(t, func(t *testing.T) {
		start := time.Now()
		time.Sleep(10 * time.Minute)
		if took := time.Since(start); took < 10*time.Minute || took > 10*time.Minute+time.Second {
			t.Errorf("a sleep of ten minutes took %v there", took)
		}
	})
	if took := time.Since(start); took > time.Minute {
		t.Errorf("a sleep of ten minutes took %v here", took)
	}
}

func TestRealTimeIsTheHosts(t *testing.T) {
	start := time.Now()
	kernellab.RunRealTime(t, func(t *testing.T) { time.Sleep(2 * time.Second) })
	if took := time.Since(start); took < 2*time.Second {
		t.Errorf("a sleep of 2 s took %v here", took)
	}
}
