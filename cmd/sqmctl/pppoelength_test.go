package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// pppoePlaces are where a shaper of a line with PPPoE can be: on the PPP device,
// and on the Ethernet device under it.
var pppoePlaces = []string{kernellab.PPPoEDevice, "wan"}

// newPPPoEStory is a line with PPPoE, as a type has it, and a profile for it at
// a device.
func newPPPoEStory(t *testing.T, device, access, qdisc string, up, down linklayer.Rate) *story {
	t.Helper()
	a, ok := linklayer.AccessByName(access)
	if !ok {
		t.Fatalf("no type %s", access)
	}
	profile := fmt.Sprintf("schema = 1\n[[link]]\ninterface = %q\ntype = %q\nqdisc = %q\ninvoice = { download = %q, upload = %q }\n",
		device, access, qdisc, down, up)
	path := filepath.Join(t.TempDir(), "sqm.toml")
	if err := os.WriteFile(path, []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	line := kernellab.NewPPPoELine(t, kernellab.LineFacts{
		Up: up, UpBuffer: 512 << 10, Down: down, DownBuffer: 512 << 10,
		Delay: 12 * time.Millisecond, Encapsulation: a.Encapsulation,
	})
	return &story{line, t, path}
}

// On the PPP device and under it, on both ways, a packet costs what the line
// takes for it, whatever its size.
func TestPPPoELengthsKernel(t *testing.T) {
	for _, place := range pppoePlaces {
		for _, access := range []string{"vdsl2-pppoe", "adsl-pppoe-llcsnap", "ethernet-pppoe", "ethernet-pppoe-vlan"} {
			for _, qdisc := range []string{"cake", "fq_codel"} {
				t.Run(fmt.Sprintf("%s/%s/%s", place, access, qdisc), func(t *testing.T) {
					kernellab.Run(t, func(t *testing.T) {
						s := newPPPoEStory(t, place, access, qdisc, 8*linklayer.Mbit, 8*linklayer.Mbit)
						s.apply()
						e := linkType(access).Encapsulation
						s.wantLengths(s.Router, kernellab.PPPoEDevice, place, e)
						s.wantLengths(s.Net, "ppp", plan.IFBName(place), e)
					})
				})
			}
		}
	}
}

func linkType(name string) linklayer.Access {
	a, _ := linklayer.AccessByName(name)
	return a
}

// wantLengths sends packets from a device, which pass a shaper at another one.
func (s *story) wantLengths(from *kernellab.Namespace, device, shaper string, e linklayer.Encapsulation) {
	s.t.Helper()
	for size := 20; size <= 1492; size += 23 {
		before := s.charged(shaper)
		from.SendIP(device, size, 1)
		time.Sleep(100 * time.Millisecond)
		after := s.charged(shaper)
		if after.packets != before.packets+1 {
			s.t.Fatalf("%s: %d packets passed, should be 1", shaper, after.packets-before.packets)
		}
		line := e
		if after.tree && e.Framing == linklayer.PTM {
			line.Framing = linklayer.Plain // the rate makes up for it
		}
		got, want := after.length, line.WireSize(size)
		if after.tree {
			got -= before.length
		}
		if got != want {
			s.t.Fatalf("%s: a packet of %d bytes costs %d, should be %d", shaper, size, got, want)
		}
	}
}

// passed is what a shaper has counted: the bytes of all packets for a tree, the
// length of the longest for CAKE.
type passed struct {
	tree            bool
	packets, length int
}

func (s *story) charged(shaper string) passed {
	s.t.Helper()
	found := readState(s.t, s.Router)
	device := found.Device(shaper)
	if device == nil {
		s.t.Fatalf("no device %s", shaper)
	}
	root := device.At(plan.HandleRoot)
	if root.CakeStats != nil {
		return passed{packets: int(root.Stats.Packets), length: root.CakeStats.MaxAdjustedLength}
	}
	stats := device.Classes[0].Stats
	return passed{tree: true, packets: int(stats.Packets), length: int(stats.Bytes)}
}
