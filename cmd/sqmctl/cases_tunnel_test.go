package main

import (
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// CAKE on a tunnel, without a rate, was to press back on what goes through it.
// It does nothing; the shaper at the line does, and to doctor that is no fault.
func TestTroubledByTunnel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		s := newStory(t, rightProfile)
		s.Router.Batch("ip", "link add wg0 up type wireguard\n")
		s.Router.Batch("tc", "qdisc add dev wg0 root cake unlimited raw\n")
		s.apply()
		s.Upload(1, "cubic")
		s.Router.SendIP("wg0", 1400, 2000)
		said := s.wantDoctor(statusFine, "wan upload: ok: engaged")
		for _, words := range []string{"wg0 upload: notice: unlimited", "cake on wg0 never queues", "remove it"} {
			if !strings.Contains(said, words) {
				t.Errorf("doctor doesn't say %q", words)
			}
		}
		// A tunnel that somebody does want to shape is another matter.
		s.write(strings.Replace(rightProfile, `"wan"`, `"wg0"`, 1))
		s.wantDoctor(statusFindings, "wg0 upload: error: unlimited", "-p", s.profile)
	})
}
