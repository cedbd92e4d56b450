package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// Software flow offloading on the device below the shaped one: the upload went
// through the shaper, the download round it. On the lower device both work.
func TestTroubledByFlowtable(t *testing.T) {
	for _, below := range []bool{false, true} {
		name := "flowtable-below-the-link"
		if below {
			name = "flowtable-at-the-link"
		}
		t.Run(name, func(t *testing.T) {
			kernellab.Run(t, func(t *testing.T) {
				s := newStory(t, strings.Replace(rightProfile, `"wan"`, `"wan.7"`, 1))
				s.tag()
				link := "wan.7"
				if below {
					link = "wan"
					s.write(rightProfile)
				}
				s.apply()
				s.Download(1, "cubic")
				time.Sleep(2 * time.Second)
				s.wantDoctor(statusFine, link+" download: ok: engaged", "-p", s.profile)

				s.offload()
				s.Download(8, "cubic")
				if below {
					s.wantDoctor(statusFine, link+" download: ok: engaged", "-p", s.profile)
					return
				}
				s.wantDoctor(statusFindings, "wan.7 download: error: not redirected", "-p", s.profile)
				s.wantDoctor(statusFindings, "wan receives it and hands it on before it comes to wan.7", "-p", s.profile)
				s.wantBetween(s.callMedian(linklayer.Ingress), 100*time.Millisecond, 200*time.Millisecond)
			})
		})
	}
}

// tag moves the line's first hop into VLAN 7.
func (s *story) tag() {
	s.t.Helper()
	s.Router.Batch("ip", `link add link wan name wan.7 up type vlan id 7
		address del 10.0.2.1/24 dev wan
		address add 10.0.2.1/24 dev wan.7
		route add default via 10.0.2.2
	`)
	s.Modem.Batch("ip", `link add link router name router.7 up type vlan id 7
		address del 10.0.2.2/24 dev router
		address add 10.0.2.2/24 dev router.7
		route add 10.0.1.0/24 via 10.0.2.1
	`)
}

// offload is software flow offloading as a firewall sets it up: the hook is at
// the hardware's devices.
func (s *story) offload() {
	s.t.Helper()
	cmd := exec.Command("nft", "-f", "-")
	cmd.Stdin = strings.NewReader(`table inet fw {
		flowtable ft { hook ingress priority filter; devices = { lan, wan }; }
		chain forward { type filter hook forward priority filter; meta l4proto { tcp, udp } flow add @ft; }
	}`)
	var out []byte
	var err error
	s.Router.In(func() { out, err = cmd.CombinedOutput() })
	if err != nil {
		s.t.Fatalf("nft: %v\n%s", err, out)
	}
}
