package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// The line of these stories: 20 Mbit/s up with 512 KiB of buffer in the modem,
// 50 Mbit/s down with a megabyte at the provider, 24 ms there and back.
var storyLine = kernellab.LineFacts{
	Up: 20 * linklayer.Mbit, UpBuffer: 512 << 10,
	Down: 50 * linklayer.Mbit, DownBuffer: 1_000_000,
	Delay: 12 * time.Millisecond,
}

// The line charges a packet as Ethernet does, 38 bytes more than its IP size.
const (
	rightProfile = `schema = 1
[[link]]
interface = "wan"
type      = "ethernet"
invoice   = { download = "50 Mbit/s", upload = "20 Mbit/s" }
headroom  = { download = "10 %", upload = "5 %" }
`
	optimistProfile = `schema = 1
[[link]]
interface = "wan"
type      = "ethernet"
invoice   = { download = "off", upload = "22 Mbit/s" }
headroom  = "0 %"
`
)

// story is a line with a profile, on which sqmctl is run as on a router.
type story struct {
	*kernellab.Line
	t       *testing.T
	profile string
}

func newStory(t *testing.T, profile string) *story { return newStoryOn(t, profile, storyLine) }

func newStoryOn(t *testing.T, profile string, line kernellab.LineFacts) *story {
	s := &story{kernellab.NewLine(t, line), t, filepath.Join(t.TempDir(), "sqm.toml")}
	s.write(profile)
	return s
}

// write replaces the profile.
func (s *story) write(profile string) {
	s.t.Helper()
	if err := os.WriteFile(s.profile, []byte(profile), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// sqmctl runs a command on the router and returns its exit status and output.
func (s *story) sqmctl(args ...string) (status int, output string) {
	var stdout, stderr bytes.Buffer
	s.Router.In(func() { status = run(append([]string{"sqmctl"}, args...), &stdout, &stderr) })
	s.t.Logf("sqmctl %s → %d\n%s%s", strings.Join(args, " "), status, stderr.String(), stdout.String())
	return status, stdout.String()
}

func (s *story) apply() {
	s.t.Helper()
	if status, _ := s.sqmctl("apply", "-p", s.profile); status != statusFine {
		s.t.Fatal("apply failed")
	}
}

// callMedian is the call's one-way delay under a transfer that has settled.
func (s *story) callMedian(d linklayer.Direction) time.Duration {
	call := s.Call(d)
	defer call.Stop()
	time.Sleep(10 * time.Second)
	call.Discard()
	time.Sleep(50 * time.Second)
	delay := call.Delay()
	s.t.Logf("call, %s: %d packets, %d lost, median %v, 95th percentile %v", d, delay.Count, delay.Lost, delay.Median, delay.P95)
	if delay.Count < 2400 {
		s.t.Fatalf("only %d packets of the call arrived", delay.Count)
	}
	return delay.Median
}

func (s *story) wantBetween(median, low, high time.Duration) {
	s.t.Helper()
	if median < low || median > high {
		s.t.Errorf("the call's median is %v, should be between %v and %v", median, low, high)
	}
}

// wantDoctor runs doctor and expects its words on the exit status given.
func (s *story) wantDoctor(want int, words string, args ...string) string {
	s.t.Helper()
	status, output := s.sqmctl(append([]string{"doctor", "--for", "10s"}, args...)...)
	if status != want || !strings.Contains(output, words) {
		s.t.Errorf("doctor ended with %d, should be %d with %q", status, want, words)
	}
	return output
}

func TestUploadWithoutShaper(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		s := newStory(t, rightProfile)
		s.Upload(1, "cubic")
		s.wantBetween(s.callMedian(linklayer.Egress), 183*time.Millisecond, 191*time.Millisecond)
	})
}

func TestUploadThroughIdleFqCodel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		s := newStory(t, rightProfile)
		s.Router.Command("tc", "qdisc", "replace", "dev", "wan", "root", "fq_codel")
		s.Upload(1, "cubic")
		s.wantBetween(s.callMedian(linklayer.Egress), 183*time.Millisecond, 191*time.Millisecond)
		s.wantDoctor(statusFindings, "wan upload: error: not the bottleneck", "wan")
		// With the profile the cause is that it isn't applied.
		s.wantDoctor(statusFindings, "wan upload: error: not applied", "-p", s.profile)
	})
}

func TestUploadApplied(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		s := newStory(t, rightProfile)
		s.apply()
		s.Upload(1, "cubic")
		s.wantBetween(s.callMedian(linklayer.Egress), 12*time.Millisecond, 14*time.Millisecond)
		s.wantDoctor(statusFine, "wan upload: ok: engaged", "-p", s.profile)
	})
}

// HTB and fq_codel do as well on a line as fast as this, both ways.
func TestTreeApplied(t *testing.T) {
	profile := strings.Replace(rightProfile, "invoice", "qdisc = \"fq_codel\"\ninvoice", 1)
	for _, d := range []linklayer.Direction{linklayer.Egress, linklayer.Ingress} {
		t.Run(d.String(), func(t *testing.T) {
			kernellab.Run(t, func(t *testing.T) {
				s := newStory(t, profile)
				s.apply()
				if d == linklayer.Egress {
					s.Upload(8, "cubic")
				} else {
					s.Download(8, "cubic")
				}
				s.wantBetween(s.callMedian(d), 12*time.Millisecond, 14*time.Millisecond)
				s.wantDoctor(statusFine, "wan "+d.String()+": ok: engaged", "-p", s.profile)
			})
		})
	}
}

// A rate above the line's: CAKE counts a drop or two and shapes nothing.
func TestUploadAboveLine(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		s := newStory(t, optimistProfile)
		s.apply()
		s.Upload(1, "cubic")
		// The start, when CAKE drops, is watched too.
		s.wantDoctor(statusFindings, "wan upload: error: not the bottleneck", "-p", s.profile)
		if median := s.callMedian(linklayer.Egress); median < 150*time.Millisecond {
			t.Errorf("the call's median is %v, should be above 150ms", median)
		}
		s.wantDoctor(statusFindings, "wan upload: error: not the bottleneck", "-p", s.profile)
		if drops := s.drops("wan"); drops == 0 {
			t.Error("CAKE counted no drop: this line doesn't show what it should")
		}
	})
}

// CAKE drops a few percent of what many senders send, and charges them too.
func TestDownloadOfManyApplied(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		s := newStory(t, rightProfile)
		s.apply()
		s.Download(16, "cubic")
		s.wantDoctor(statusFine, "wan download: ok: engaged", "-p", s.profile)
		s.wantDoctor(statusFine, "wan download: ok: engaged", "-p", s.profile)
		if drops := s.drops("ifb4wan"); drops < 1000 {
			t.Errorf("CAKE dropped %d packets: too few to tell whether they are charged", drops)
		}
	})
}

func TestDownloadApplied(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		s := newStory(t, rightProfile)
		s.apply()
		s.Download(1, "cubic")
		s.wantBetween(s.callMedian(linklayer.Ingress), 12*time.Millisecond, 14*time.Millisecond)
		s.wantDoctor(statusFine, "wan download: ok: engaged", "-p", s.profile)

		s.Router.Command("tc", "filter", "del", "dev", "wan", "ingress")
		output := s.wantDoctor(statusFindings, "wan download: error: not redirected", "-p", s.profile)
		if !strings.Contains(output, "no redirect filter") {
			t.Error("doctor doesn't name the cause")
		}
		if n := strings.Count(output, "error"); n != 1 {
			t.Errorf("doctor reports %d errors, should report the cause alone", n)
		}
		s.wantBetween(s.callMedian(linklayer.Ingress), 100*time.Millisecond, 200*time.Millisecond)
	})
}
