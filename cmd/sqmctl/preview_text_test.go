package main

import (
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim"
)

func TestPreviewVerdict(t *testing.T) {
	m := madeUp()
	c := &m[0].directions[0]
	c.before.Modem.Mean, c.before.Call.P95 = 180*time.Millisecond, 212*time.Millisecond
	c.after.Router.Mean, c.after.Goodput = 5*time.Millisecond, c.before.Goodput*0.95
	wantVerdict(t, c, "D → A+", "from the modem to the router", "3.0 ms to a call instead of 200.0 ms", "5.0 %")

	c.after = c.before
	c.highest, c.line.Rate = 17_500*linklayer.Kbit, 18*linklayer.Mbit
	wantVerdict(t, c, "19 Mbit/s is not the bottleneck", "gives 18 Mbit/s", "17.5 Mbit/s", `headroom = { upload = "13 %" }`)

	partly := *c.after
	partly.Router.Mean, partly.Modem.Mean = 6*time.Millisecond, 5*time.Millisecond
	c.after = &partly
	wantVerdict(t, c, "part of the queue stays at the modem, 5.0 ms on average", `headroom = { upload = "13 %" }`)
	if got := c.queueWords(c.after); got != "both" {
		t.Errorf("the queue stands at %q", got)
	}

	c.after = c.before
	c.highest = 0
	wantVerdict(t, c, "no rate from half the line's on would do")
	c.highest = 30 * linklayer.Mbit // of a line that gives more than the invoice
	wantVerdict(t, c, "write what the line gives as invoice")

	c.line.Vary.Shape = sim.Sine
	wantVerdict(t, c, "falls below the shaper's 19 Mbit/s at times")

	c.before = &sim.WayResult{}
	c.after = c.before
	wantVerdict(t, c, "nothing queues on this line even without a shaper")
	c.acks = &sim.WayResult{Busy: 0.99}
	wantVerdict(t, c, "nothing queues on this line even without a shaper: the acknowledgements fill the download, so the transfers get no more than 0.00 Mbit/s")
}

func wantVerdict(t *testing.T, c *comparison, words ...string) {
	t.Helper()
	got := c.verdict()
	for _, w := range words {
		if !strings.Contains(got, w) {
			t.Errorf("%q lacks %q", got, w)
		}
	}
	if strings.Contains(got, "\n") {
		t.Errorf("%q is not one line", got)
	}
}
