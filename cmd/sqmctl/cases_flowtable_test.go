package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// Software flow offloading with its hook at the hardware's device: what comes
// by a VLAN or by PPPoE goes to the LAN from there, so a shaper on the device
// above sees the upload alone. One on the hardware's device sees all.
func TestTroubledByFlowtable(t *testing.T) {
	tests := []struct {
		name    string
		arrange func(*story)
		link    string
		fault   string // "" if the shaper works all the same
	}{
		{"vlan", (*story).tag, "wan.7", "wan receives it and hands it on before it comes to wan.7"},
		{"below-vlan", (*story).tag, "wan", ""},
		{"pppoe", (*story).dial, "ppp0", "wan receives it and hands it on before it comes to ppp0"},
		{"below-pppoe", (*story).dial, "wan", ""},
		{"plain", func(*story) {}, "wan", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			kernellab.Run(t, func(t *testing.T) {
				profile := strings.Replace(rightProfile, `"wan"`, `"`+test.link+`"`, 1)
				if strings.Contains(test.name, "pppoe") {
					profile = strings.Replace(profile, `"ethernet"`, `"ethernet-pppoe"`, 1)
				}
				s := newStory(t, profile)
				test.arrange(s)
				s.apply()
				s.Download(1, "cubic")
				time.Sleep(2 * time.Second)
				s.wantDoctor(statusFine, test.link+" download: ok: engaged", "-p", s.profile)

				s.offload()
				s.Download(8, "cubic")
				if test.fault == "" {
					s.wantDoctor(statusFine, test.link+" download: ok: engaged", "-p", s.profile)
					return
				}
				said := s.wantDoctor(statusFindings, test.link+" download: error: flow offload", "-p", s.profile)
				if !strings.Contains(said, test.fault) {
					t.Error("doctor doesn't name the cause")
				}
				s.wantBetween(s.callMedian(linklayer.Ingress), 100*time.Millisecond, 200*time.Millisecond)
			})
		})
	}
}

// dial runs the line's first hop over PPPoE.
func (s *story) dial() {
	s.t.Helper()
	s.Router.Batch("ip", "address del 10.0.2.1/24 dev wan\n")
	s.Modem.Batch("ip", "address del 10.0.2.2/24 dev router\n")
	kernellab.ConnectPPPoE(
		kernellab.PPPoEEnd{Namespace: s.Router, Below: "wan", Device: "ppp0", Address: "10.0.2.1"},
		kernellab.PPPoEEnd{Namespace: s.Modem, Below: "router", Device: "ppp0", Address: "10.0.2.2"},
	)
	s.Router.Batch("ip", "route add default via 10.0.2.2\n")
	s.Modem.Batch("ip", "route add 10.0.1.0/24 via 10.0.2.1\n")
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
