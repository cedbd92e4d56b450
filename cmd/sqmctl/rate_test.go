package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// rates are the upload rates of a profile, one after the other. The line
// itself has 100 Mbit/s.
var rates = []linklayer.Rate{50 * linklayer.Mbit, 40 * linklayer.Mbit, 60 * linklayer.Mbit}

var rateLine = kernellab.LineFacts{
	Up: 100 * linklayer.Mbit, UpBuffer: 1 << 20,
	Down: 100 * linklayer.Mbit, DownBuffer: 1 << 20,
	Delay: 5 * time.Millisecond,
}

// rateChange is a line whose upload rate changes.
type rateChange struct {
	story
	first plan.QdiscState // of wan, when the profile was first applied
	last  plan.QdiscState // when it was last looked at
}

func newRateChange(t *testing.T) *rateChange {
	t.Helper()
	c := &rateChange{story: story{kernellab.NewLine(t, rateLine), t, filepath.Join(t.TempDir(), "sqm.toml")}}
	c.applyRate(rates[0])
	c.first = c.root()
	c.last = c.first
	return c
}

func (c *rateChange) root() plan.QdiscState {
	c.t.Helper()
	found := readState(c.t, c.Router)
	return *found.Device("wan").At(plan.HandleRoot)
}

// applyRate applies the profile at a rate. Of an applied one it changes only what
// depends on the rate: one qdisc, in one request.
func (c *rateChange) applyRate(rate linklayer.Rate) {
	c.t.Helper()
	profile := profileOf("ethernet", "90 Mbit/s", fmt.Sprintf("%d Mbit/s", rate/linklayer.Mbit), `headroom = "0 %"`)
	if err := os.WriteFile(c.profile, []byte(profile), 0o600); err != nil {
		c.t.Fatal(err)
	}
	status, output := c.sqmctl("apply", "-p", c.profile, "--json")
	if status != statusFine {
		c.t.Fatal("apply failed")
	}
	if c.first.Handle != 0 && !strings.Contains(output, `"requests":1,`) {
		c.t.Errorf("a change of rate took more than one request")
	}
}

// look reads the qdisc at wan, which must still be the first one.
func (c *rateChange) look() plan.QdiscState {
	c.t.Helper()
	now := c.root()
	if now.Handle != c.first.Handle || now.Handle != plan.HandleOwned {
		c.t.Errorf("the handle is %v, was %v", now.Handle, c.first.Handle)
	}
	was := c.last.Stats
	for _, n := range []struct {
		name     string
		was, now uint64
	}{
		{"bytes", was.Bytes, now.Stats.Bytes},
		{"packets", was.Packets, now.Stats.Packets},
		{"drops", was.Drops, now.Stats.Drops},
		{"overlimits", was.Overlimits, now.Stats.Overlimits},
		{"marks", was.Marks, now.Stats.Marks},
		{"packets of its tins", tinPackets(&c.last), tinPackets(&now)},
	} {
		if n.now < n.was {
			c.t.Errorf("%s went back from %d to %d", n.name, n.was, n.now)
		}
	}
	c.last = now
	return now
}

func tinPackets(q *plan.QdiscState) (sum uint64) {
	for _, tin := range q.CakeStats.Tins {
		sum += tin.SentPackets
	}
	return sum
}

// A stream of 20 Mbit/s goes through while the rate changes, just when packets
// are waiting: none is lost, doubled or overtaken.
func TestRateChangeLosesNothingKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		c := newRateChange(t)
		s := newStream(t, c.Line)
		const frame, packets = 5 * time.Millisecond, 10 // × 1250 bytes: 20 Mbit/s
		const frames = 400                              // at each rate
		for i, rate := range rates {
			for n := range frames {
				s.send(packets)
				if n == 0 && i > 0 {
					c.changeUnderLoad(rate)
				}
				if n%20 == 0 {
					c.look()
				}
				time.Sleep(frame)
				s.collect()
			}
			if c.look().Cake.Rate != rate {
				t.Errorf("the rate is %v, should be %v", c.last.Cake.Rate, rate)
			}
		}
		time.Sleep(time.Second)
		s.wantAll()
		if end := c.look().Stats; end.Packets-c.first.Stats.Packets < s.sent || end.Drops > 0 || end.Queued > 0 {
			t.Errorf("%d packets were sent, CAKE says %+v", s.sent, end)
		}
	})
}

// changeUnderLoad changes the rate while packets are waiting, and expects that
// they wait on or are sent.
func (c *rateChange) changeUnderLoad(rate linklayer.Rate) {
	c.t.Helper()
	before := c.look()
	c.applyRate(rate)
	after := c.look()
	c.t.Logf("%d packets waiting before, %d after", before.Stats.Queued, after.Stats.Queued)
	if before.Stats.Queued < 5 {
		c.t.Errorf("only %d packets were waiting when the rate changed", before.Stats.Queued)
	}
	if after.Stats.Queued+after.Stats.Packets < before.Stats.Queued+before.Stats.Packets {
		c.t.Errorf("%+v before the change, %+v after it", before.Stats, after.Stats)
	}
}

// A TCP upload goes on through the same qdisc, and takes up the new rate.
func TestRateChangeUnderTCPKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		c := newRateChange(t)
		upload := c.Upload(1, "cubic")
		for i, rate := range rates {
			if i > 0 {
				c.changeUnderLoad(rate)
			}
			time.Sleep(2 * time.Second)
			upload.Discard()
			for range 10 {
				time.Sleep(200 * time.Millisecond)
				c.look()
			}
			goodput := upload.Goodput()
			t.Logf("goodput of %v at %v", goodput, rate)
			// The line charges 1538 bytes for 1448 of payload.
			if most := rate * 1448 / 1538; goodput > most*101/100 || goodput < most*95/100 {
				t.Errorf("goodput of %v at %v, should be nearly %v", goodput, rate, most)
			}
		}
	})
}
