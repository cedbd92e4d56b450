package kernellab_test

import (
	"net"
	"os"
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// devices are the names of the devices in the calling thread's namespace.
func devices(t *testing.T) string {
	t.Helper()
	all, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range all {
		names = append(names, d.Name)
	}
	return strings.Join(names, " ")
}

func TestInIsThereAndBack(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		router, line := kernellab.NewVeth(t)
		home := devices(t)
		router.In(func() {
			if got := devices(t); got != "lo wan" {
				t.Errorf("in router: %s", got)
			}
			line.In(func() {
				if got := devices(t); got != "lo peer" {
					t.Errorf("in line, in router: %s", got)
				}
			})
			if got := devices(t); got != "lo wan" {
				t.Errorf("back in router: %s", got)
			}
		})
		t.Run("a test that ends inside", func(t *testing.T) {
			router.In(func() { t.SkipNow() })
		})
		if got := devices(t); got != home {
			t.Errorf("at home: %s, want %s", got, home)
		}
	})
}

func TestNamespaceLastsAsLongAsItsTest(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		for range 2 {
			t.Run("again", func(t *testing.T) {
				router, _ := kernellab.NewVeth(t)
				if got := router.Command("ip", "netns", "list"); !strings.Contains(got, "router") {
					t.Errorf("ip netns doesn't know it: %q", got)
				}
				if got := router.Command("ip", "-brief", "address", "show", "wan"); !strings.Contains(got, "UP") || !strings.Contains(got, " 192.0.2.1/24") {
					t.Errorf("wan is %q", got)
				}
			})
		}
		if left, err := os.ReadDir("/run/netns"); err != nil || len(left) > 0 {
			t.Errorf("left over: %v %v", left, err)
		}
	})
}

func TestSysctlIsTheNamespaces(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		a, b := kernellab.NewNamespace(t, "a"), kernellab.NewNamespace(t, "b")
		a.Sysctl("net/ipv4/tcp_ecn", "1")
		for _, tt := range []struct {
			n    *kernellab.Namespace
			want string
		}{{a, "1\n"}, {b, "2\n"}} {
			if got := tt.n.Command("cat", "/proc/sys/net/ipv4/tcp_ecn"); got != tt.want {
				t.Errorf("tcp_ecn in %s is %q, want %q", tt.n.Name, got, tt.want)
			}
		}
	})
}
