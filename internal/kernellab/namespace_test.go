package kernellab_test

import (
	"net"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// where tells which end of the cable the calling thread's namespace has.
func where() string {
	for _, device := range []string{"wan", "peer"} {
		if _, err := net.InterfaceByName(device); err == nil {
			return device
		}
	}
	return "neither"
}

func TestInIsThereAndBack(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		router, line := kernellab.NewVeth(t)
		var path []string
		note := func() { path = append(path, where()) }
		note()
		router.In(func() {
			note()
			line.In(note)
			note()
		})
		note()
		t.Run("a test that ends inside", func(t *testing.T) {
			router.In(func() { t.SkipNow() })
		})
		note()
		want := []string{"neither", "wan", "peer", "wan", "neither", "neither"}
		if diff := cmp.Diff(want, path); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
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
