package main

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// cakeMQProfile shapes the upload of a line of 50 Mbit/s.
const cakeMQProfile = `schema = 1
[[link]]
interface = "wan"
type      = "ethernet"
qdisc     = "cake_mq"
invoice   = { upload = "%s Mbit/s", download = "off" }
headroom  = "0 %%"
`

// The CAKEs of cake_mq are judged as one shaper. Packets beside a transfer take a
// part of its rate, which cake_mq then doesn't use, so that the shaper never
// reaches its full rate: a call tells all the same where the queue stands.
func TestDoctorOfCakeMQ(t *testing.T) {
	for _, tt := range []struct {
		flows  int
		beside int // packets of 1200 bytes per second
		rate   string
		full   bool // the line's queue, for certain
	}{
		{1, 0, "47.5", false}, {1, 1000, "47.5", false}, {8, 0, "47.5", false}, {8, 2500, "47.5", false},
		{1, 0, "55", true}, {8, 0, "52.5", true}, {8, 1000, "55", true}, {8, 2500, "55", true},
	} {
		t.Run(fmt.Sprintf("%d flows, %d beside, %s Mbit", tt.flows, tt.beside, tt.rate), func(t *testing.T) {
			t.Parallel()
			kernellab.RunOn(t, kernellab.CakeMQ, func(t *testing.T) {
				facts := storyLine
				facts.Queues, facts.Up = 4, 50*linklayer.Mbit
				s := newStoryOn(t, fmt.Sprintf(cakeMQProfile, tt.rate), facts)
				s.apply()
				s.Upload(tt.flows, "cubic")
				s.trickle(tt.beside)
				call := s.Call(linklayer.Egress)
				time.Sleep(10 * time.Second)
				call.Discard()
				status, output := s.sqmctl("doctor", "-p", s.profile, "--for", "10s")
				median := call.Delay().Median
				if full := median > 3*facts.Delay; full != tt.full || median > facts.Delay+3*time.Millisecond && !full {
					t.Fatalf("a packet of the call takes %s", median)
				}
				want, code := "held packets back under load", statusFine
				if tt.full {
					want, code = "is not the bottleneck, the line's own queue is where the latency is", statusFindings
				}
				if !strings.Contains(output, want) || status != code {
					t.Errorf("doctor doesn't say that it %s", want)
				}
			})
		})
	}
}

// trickle sends so many packets of 1200 bytes a second, in three flows.
func (s *story) trickle(perSecond int) {
	s.t.Helper()
	if perSecond == 0 {
		return
	}
	for range 3 {
		var to net.Conn
		var err error
		s.Sender.In(func() { to, err = net.Dial("udp", "10.0.4.2:9") })
		if err != nil {
			s.t.Fatal(err)
		}
		done := make(chan struct{})
		s.t.Cleanup(func() { close(done); to.Close() })
		go func() {
			for every := time.NewTicker(3 * time.Second / time.Duration(perSecond)); ; {
				select {
				case <-done:
					every.Stop()
					return
				case <-every.C:
					to.Write(make([]byte, 1200)) // nobody listens there: every second one fails
				}
			}
		}()
	}
}
