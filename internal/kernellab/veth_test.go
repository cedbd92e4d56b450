package kernellab_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// CAKE reports the smallest and largest packet that it saw, as they are and
// with the overhead that was asked for.
func TestSendIPSendsTheSize(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		router, line := kernellab.NewVeth(t)
		for _, tt := range []struct {
			at     *kernellab.Namespace
			device string
		}{{router, "wan"}, {line, "peer"}} {
			for _, size := range []int{20, 61, 576, 1500} {
				tt.at.Command("tc", "qdisc", "replace", "dev", tt.device, "root", "cake", "unlimited", "overhead", "38")
				tt.at.SendIP(tt.device, size, 3)
				stats := tt.at.Command("tc", "-s", "qdisc", "show", "dev", tt.device)
				for _, want := range []string{
					fmt.Sprintf("min/max network layer size: %12d / %7d", size, size),
					fmt.Sprintf("min/max overhead-adjusted size: %8d / %7d", size+38, size+38),
					fmt.Sprintf("Sent %d bytes 3 pkt", 3*(size+14)),
				} {
					if !strings.Contains(stats, want) {
						t.Errorf("%d bytes on %s: no %q in\n%s", size, tt.device, want, stats)
					}
				}
				tt.at.Command("tc", "qdisc", "del", "dev", tt.device, "root")
			}
		}
	})
}

// What is sent at one end arrives at the other, and nothing else does.
func TestVethIsQuiet(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		router, line := kernellab.NewVeth(t)
		router.SendIP("wan", 1000, 7)
		var devices string
		line.In(func() {
			text, err := os.ReadFile("/proc/thread-self/net/dev")
			if err != nil {
				t.Fatal(err)
			}
			devices = string(text)
		})
		_, counters, _ := strings.Cut(devices, "peer:")
		fields := strings.Fields(counters)
		if len(fields) < 10 || fields[0] != "7098" || fields[1] != "7" || fields[9] != "0" {
			t.Errorf("want 7 packets of 1014 bytes received and none sent, got %q", fields)
		}
	})
}
