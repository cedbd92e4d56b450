package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim"
)

// previewRow is a row of the table: one direction before or after.
type previewRow struct {
	Direction, Setting         string
	Idle, Median, P95, Startup string
	Throughput, Cost           string
	Queue, Grade               string
}

func (c *comparison) rows() [2]previewRow {
	before := c.row("as it is", c.before)
	after := c.row("with this profile", c.after)
	after.Cost = percentWords(c.cost())
	return [2]previewRow{before, after}
}

func (c *comparison) row(setting string, r *sim.WayResult) previewRow {
	return previewRow{
		Direction: c.direction.String(), Setting: setting,
		Idle: msWords(r.Call.Idle), Median: msWords(r.Call.Median), P95: msWords(r.Call.P95), Startup: msWords(r.Startup.Max),
		Throughput: mbitWords(r.Goodput),
		Queue:      c.queueWords(r), Grade: gradeOf(r),
	}
}

// added is what load adds to 95 of 100 packets of the call.
func added(r *sim.WayResult) time.Duration { return max(0, r.Call.P95-r.Call.Idle) }

// cost is the throughput that the shaper takes, in percent.
func (c *comparison) cost() float64 {
	if c.before.Goodput == 0 {
		return 0
	}
	cost := (1 - c.after.Goodput/c.before.Goodput) * 100
	return math.Round(cost*10)/10 + 0 // and no -0
}

func (c *comparison) queueWords(r *sim.WayResult) string {
	where := r.Where(c.line.Rate)
	switch {
	case where == sim.NoBottleneck:
		return "nowhere"
	case where == sim.ModemQueue:
		return farEnd(c.direction)
	case !r.Managed(c.line.Rate):
		return "both"
	}
	return "router"
}

// verdict is one line.
func (c *comparison) verdict() string {
	was, is := gradeOf(c.before), gradeOf(c.after)
	switch {
	case !c.engaged() && c.line.Vary.Shape != sim.Fixed:
		return fmt.Sprintf("%s: %s → %s: the line falls below the shaper's %s at times, and then the %s queues; %s", c.direction, was, is, c.shaper, farEnd(c.direction), c.advice())
	case !c.engaged() && c.after.Where(c.line.Rate) == sim.RouterQueue:
		return fmt.Sprintf("%s: %s → %s: part of the queue stays at the %s, %s on average, since the shaper's %s is so near to what the line gives; %s",
			c.direction, was, is, farEnd(c.direction), msWords(c.after.Modem.Mean), c.shaper, c.advice())
	case !c.engaged():
		return fmt.Sprintf("%s: the shaper's %s is not the bottleneck on a line that gives %s, so the %s still queues; %s", c.direction, c.shaper, c.line.Rate, farEnd(c.direction), c.advice())
	case c.before.Where(c.line.Rate) == sim.NoBottleneck:
		return fmt.Sprintf("%s: nothing queues on this line even without a shaper%s", c.direction, c.acksWords())
	}
	return fmt.Sprintf("%s: %s → %s: the queue moves from the %s to the router, load adds %s to a call instead of %s, %s%s",
		c.direction, was, is, farEnd(c.direction), msWords(added(c.after)), msWords(added(c.before)), c.costWords(), lossWords(c.after)+c.shareWords())
}

// acksWords tell of a direction that isn't filled because the other one is, by
// the acknowledgements.
func (c *comparison) acksWords() string {
	if c.acks == nil || c.acks.Busy < 0.95 {
		return ""
	}
	other := linklayer.Egress + linklayer.Ingress - c.direction
	return fmt.Sprintf(": the acknowledgements fill the %s, so the transfers get no more than %s", other, mbitWords(c.before.Goodput))
}

// costWords tell what the profile does to throughput; acknowledgements that
// wait no longer can make it grow.
func (c *comparison) costWords() string {
	switch cost := c.cost(); {
	case cost > 0:
		return "for " + percentWords(cost) + " of throughput"
	case cost < 0:
		return "and throughput grows by " + percentWords(-cost)
	}
	return "at no cost in throughput"
}

// lossWords tell of a call's lost packets, if there are any.
func lossWords(r *sim.WayResult) string {
	lost := r.Call.LostPart() * 100
	switch {
	case lost == 0:
		return ""
	case lost < 0.1:
		return ", and below 0.1 % of the call's packets are lost"
	}
	return ", and " + percentWords(lost) + " of the call's packets are lost"
}

// shareWords explain a delay on a line so slow that the call is no sparse flow
// any more: it needs more than its even share.
func (c *comparison) shareWords() string {
	call := linklayer.Rate(c.line.Encapsulation.WireSize(callPacket)) * 8 * callsPerSecond
	if share := c.shaper / linklayer.Rate(c.of.flows+1); call > share && added(c.after) > tolerable {
		return fmt.Sprintf(" (the call needs %s, more than an even share of %s)", call, share.Less(0))
	}
	return ""
}

// advice is the rate that would do, as a profile says it.
func (c *comparison) advice() string {
	if c.highest == 0 {
		return "no rate from half the line's on would do"
	}
	headroom := math.Ceil((1 - float64(c.highest)/float64(c.invoice)) * 100)
	if headroom < 0 || headroom > 90 {
		return fmt.Sprintf("the highest rate that would do is %s: write what the line gives as invoice", c.highest)
	}
	return fmt.Sprintf("the highest rate that would do is %s: write headroom = { %s = \"%g %%\" }", c.highest, c.direction, headroom)
}

// assumptionWords are what the numbers rest on, a line each.
func (p *previewed) assumptionWords() []string {
	why := fmt.Sprintf("%s; at least %s of the line, and at most %s", p.assumed.why, timeWords(leastQueue), timeWords(mostQueue))
	if p.given {
		why = "as given"
	}
	words := []string{
		fmt.Sprintf("queues: %s: %s", p.bufferWords(), why),
		"line: " + p.wireWords(),
		fmt.Sprintf("path: %s there and back without a queue", timeWords(p.rtt)),
		fmt.Sprintf("traffic: %s (%s) in one direction at a time, and a call", transferWords(p.flows), sim.Cubic),
		"as it is: no shaper in the router, whatever is installed there now",
		fmt.Sprintf("time: %s, of which the first %s count as start-up alone", timeWords(p.duration), timeWords(p.warmup)),
	}
	if p.cut {
		words = append(words, fmt.Sprintf("less time than it should be: %d million packets in each direction are enough work", mostPackets/1_000_000))
	}
	if p.wobble > 0 {
		words = append(words, fmt.Sprintf("rate: varies by %g %% up and down in %s", p.wobble, timeWords(wobbleTime)))
	}
	return words
}

// wireWords are what each line is taken to add to a packet.
func (p *previewed) wireWords() string {
	var all []string
	for _, c := range p.directions {
		e, settings := c.line.Encapsulation, p.config.Direction(c.direction)
		why := "as the type has it"
		if settings.Overhead.Line > 0 || settings.MPU.Line > 0 || settings.Framing.Line > 0 {
			why = "as the profile says, though the line may differ"
		}
		all = append(all, fmt.Sprintf("%s adds %d bytes to an IP packet, mpu %d, %s framing, %s", c.direction, e.Overhead, e.MPU, e.Framing, why))
	}
	return strings.Join(all, "; ")
}

func transferWords(n int) string {
	if n == 1 {
		return "1 transfer"
	}
	return fmt.Sprintf("%d transfers", n)
}

// percentWords is a percentage for people.
func percentWords(percent float64) string {
	return strings.Replace(fmt.Sprintf("%.1f %%", percent), "-", "−", 1)
}

// mbitWords is a throughput for people, to a hundredth where that tells.
func mbitWords(bps float64) string {
	if bps < 10e6 {
		return fmt.Sprintf("%.2f Mbit/s", bps/1e6)
	}
	return fmt.Sprintf("%.1f Mbit/s", bps/1e6)
}

func (p *previewed) title() string {
	return fmt.Sprintf("%s: %s", p.config.Interface, p.config.Type.Title)
}

func (p *previewed) verdicts() []string {
	var all []string
	for i := range p.directions {
		all = append(all, p.directions[i].verdict())
	}
	for _, d := range []linklayer.Direction{linklayer.Egress, linklayer.Ingress} {
		switch s := p.config.Direction(d); {
		case s.Off:
			all = append(all, fmt.Sprintf("%s: off in the profile, and its rate isn't known", d))
		case !s.Shaped():
			all = append(all, fmt.Sprintf("%s: left unshaped by the profile: %s", d, p.config.Reason))
		}
	}
	return all
}

func printPreviews(out io.Writer, previews []previewed) error {
	for i := range previews {
		p := &previews[i]
		fmt.Fprintln(out, p.title())
		if err := p.printTable(out); err != nil {
			return err
		}
		for _, v := range p.verdicts() {
			fmt.Fprintln(out, v)
		}
		for j := range p.directions {
			fmt.Fprintf(out, "\n%s\n", p.directions[j].chart(isTerminal(out)))
		}
		fmt.Fprintln(out, "\nassumed:")
		for _, line := range p.assumptionWords() {
			fmt.Fprintf(out, "  %s\n", line)
		}
		fmt.Fprintln(out)
	}
	_, err := fmt.Fprintf(out, "grades, by what load adds to 95 %% of a call's packets: %s\n", gradeWords())
	return err
}

func (p *previewed) printTable(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  \t\tCALL IDLE\tMEDIAN\tP95\tAT START\tTHROUGHPUT\tCOST\tQUEUE\tGRADE")
	for i := range p.directions {
		for _, r := range p.directions[i].rows() {
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Direction, r.Setting, r.Idle, r.Median, r.P95, r.Startup, r.Throughput, r.Cost, r.Queue, r.Grade)
		}
	}
	return w.Flush()
}
