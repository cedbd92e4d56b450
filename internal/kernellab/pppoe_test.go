package kernellab_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// A line under PPPoE gives a transfer what its framing leaves of a packet of
// 1492 bytes, both ways; when nobody uses it, it has its delay and is quiet.
func TestPPPoELineCarriesWhatItsFramingLeaves(t *testing.T) {
	for _, e := range []linklayer.Encapsulation{
		{Overhead: 30, Framing: linklayer.PTM}, {Overhead: 40, Framing: linklayer.ATM}, {Overhead: 46},
	} {
		t.Run(e.Framing.String(), func(t *testing.T) {
			kernellab.Run(t, func(t *testing.T) {
				const rate = 20 * linklayer.Mbit
				l := kernellab.NewPPPoELine(t, kernellab.LineFacts{
					Up: rate, UpBuffer: 200_000, Down: rate, DownBuffer: 200_000,
					Delay: 12 * time.Millisecond, Encapsulation: e,
				})
				wantQuiet(t, l)
				const packet, payload = 1492, 1492 - 20 - 32
				allowed := float64(rate) / 1e6 * payload / float64(e.WireSize(packet))
				for _, start := range []func(int, string) *kernellab.Transfer{l.Upload, l.Download} {
					transfer := start(1, "cubic")
					time.Sleep(5 * time.Second)
					transfer.Discard()
					time.Sleep(20 * time.Second)
					near(t, "goodput in Mbit/s", float64(transfer.Goodput())/1e6, allowed, 0.002)
					transfer.Stop()
				}
			})
		})
	}
}

func wantQuiet(t *testing.T, l *kernellab.Line) {
	t.Helper()
	up, down := l.Call(linklayer.Egress), l.Call(linklayer.Ingress)
	time.Sleep(time.Second) // until neighbours know each other
	up.Discard()
	down.Discard()
	time.Sleep(10 * time.Second)
	for _, call := range []*kernellab.Call{up, down} {
		d := call.Delay()
		if d.Count != 500 || d.Lost != 0 || d.Median < 12*time.Millisecond || d.Max > 12100*time.Microsecond {
			t.Errorf("the call on an idle line: %+v", d)
		}
		call.Stop()
	}
	time.Sleep(2 * time.Second)
	const counters = "/proc/thread-self/net/dev"
	sent := l.Router.Command("cat", counters)
	time.Sleep(time.Minute)
	if after := l.Router.Command("cat", counters); after != sent {
		t.Errorf("the router has traffic that nobody sent:\n%s%s", sent, after)
	}
}

// What an end of PPPoE sends as an IP packet of a size has 8 bytes more on the
// Ethernet device below, and the header of Ethernet.
func TestPPPoEAddsItsHeader(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		l := kernellab.NewPPPoELine(t, kernellab.LineFacts{
			Up: linklayer.Mbit, UpBuffer: 100_000, Down: linklayer.Mbit, DownBuffer: 100_000, Delay: time.Millisecond,
		})
		for _, size := range []int{20, 61, 576, 1492} {
			l.Router.Command("tc", "qdisc", "replace", "dev", "wan", "root", "pfifo")
			l.Router.SendIP(kernellab.PPPoEDevice, size, 3)
			stats := l.Router.Command("tc", "-s", "qdisc", "show", "dev", "wan")
			if want := fmt.Sprintf("Sent %d bytes 3 pkt", 3*(size+8+14)); !strings.Contains(stats, want) {
				t.Errorf("%d bytes: no %q in\n%s", size, want, stats)
			}
			l.Router.Command("tc", "qdisc", "del", "dev", "wan", "root")
		}
	})
}
