package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
	"github.com/sqmctl/sqmctl/sim"
)

// usualFlows are as many transfers as a speed test has.
const usualFlows = 4

// A call sends IP packets of so many bytes so often.
const (
	callPacket     = 200
	callsPerSecond = 50
)

// previewLine is a link of the profile with all that preview assumes about it.
type previewLine struct {
	config  *config.Link
	plan    plan.Link
	lines   [2]sim.Line // by Direction; without a rate where the profile is off
	assumed assumption
	given   bool // whether options or the profile tell all buffers
	rtt     time.Duration
	flows   int
	wobble  float64 // percent

	warmup, duration time.Duration
	cut              bool // shorter than it should be, for it has so many packets
}

// previewLines reads the profile, compiles it and describes each line. The
// kernel isn't asked: the simulator's packets are IP packets, whatever device
// they go through.
func previewLines(c *cli.Context) ([]previewLine, error) {
	profile, err := loadPreviewProfile(c)
	if err != nil {
		return nil, err
	}
	planned := plan.Compile(profile, plan.State{})
	if err := planned.FirstProblem(); err != nil {
		return nil, err
	}
	var all []previewLine
	for i := range profile.Links {
		l := previewLine{config: &profile.Links[i], plan: planned.Links[i]}
		l.assumed = assumptionFor(l.config.Type)
		if err := l.describe(c); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// loadPreviewProfile takes an argument that is a file for the profile; others
// are links, as with every command.
func loadPreviewProfile(c *cli.Context) (*config.Profile, error) {
	first := c.Args().First()
	if !strings.ContainsRune(first, '/') && !strings.HasSuffix(first, ".toml") {
		return loadProfile(c)
	}
	if c.Args().Len() > 1 {
		return nil, &usageError{text: "a profile is the only argument", hint: "to choose links, write: sqmctl preview --profile " + first + " LINK…"}
	}
	return config.Load(first)
}

func (l *previewLine) describe(c *cli.Context) (err error) {
	if err = l.describeTraffic(c); err != nil {
		return err
	}
	rates, err := eachDirection(c, "real-rate")
	if err != nil {
		return err
	}
	buffers, err := eachDirection(c, "buffer")
	if err != nil {
		return err
	}
	l.given = true
	for _, d := range []linklayer.Direction{linklayer.Egress, linklayer.Ingress} {
		if l.config.Direction(d).Off {
			continue
		}
		if l.lines[d], err = l.line(d, rates[d], buffers[d]); err != nil {
			return err
		}
		l.given = l.given && (buffers[d] != "" || l.config.Direction(d).Buffer.Value > 0)
	}
	l.takeTime()
	return nil
}

// describeTraffic is what both directions have in common. An option counts
// more than the profile, and that more than what is assumed.
func (l *previewLine) describeTraffic(c *cli.Context) (err error) {
	said := &l.config.Preview
	l.flows = cmp.Or(said.Flows.Value, usualFlows)
	if c.IsSet("flows") {
		if l.flows, err = within(c, "flows", 1, 1000); err != nil {
			return err
		}
	}
	l.rtt = cmp.Or(said.RTT.Value, l.assumed.rtt)
	if c.IsSet("rtt") {
		if l.rtt, err = timeWithin(c, "rtt", 0, longestRTT); err != nil {
			return err
		}
	}
	l.wobble = l.assumed.wobble
	if said.Wobble.Line > 0 {
		l.wobble = said.Wobble.Value
	}
	if c.IsSet("wobble") {
		l.wobble, err = parseWobble(c.String("wobble"))
	}
	return err
}

// line is what the provider sells, as far as the profile, options or
// assumptions tell.
func (l *previewLine) line(d linklayer.Direction, rate, buffer string) (line sim.Line, err error) {
	settings := l.config.Direction(d)
	line.Rate = settings.Invoice
	if rate != "" {
		if line.Rate, err = parsePartOf("real-rate", rate, settings.Invoice); err != nil {
			return line, err
		}
	}
	if line.Rate < slowest || line.Rate > fastest {
		return line, &usageError{
			text: fmt.Sprintf("link %s: %s: a line of %s can't be simulated", l.config.Interface, d, line.Rate),
			hint: fmt.Sprintf("the simulator takes %s to %s: write --real-rate", slowest, fastest),
		}
	}
	line.Buffer = cmp.Or(settings.Buffer.Value, l.assumed.buffer(d, line.Rate))
	if buffer != "" {
		if line.Buffer, line.BufferPackets, err = parseBuffer("buffer", buffer); err != nil {
			return line, err
		}
	}
	line.Encapsulation = settings.Encapsulation()
	if l.config.Type.Raw && settings.Overhead.Line == 0 {
		line.Encapsulation = wireOf(l.config.Type)
	}
	line.Burst = burstOf(line.Encapsulation)
	if l.wobble > 0 {
		line.Vary = sim.Vary{Shape: sim.Sine, Amplitude: l.wobble / 100, Period: wobbleTime}
	}
	return line, nil
}

// eachDirection reads an option that has one value for both directions, or
// "download=…,upload=…".
func eachDirection(c *cli.Context, option string) (each [2]string, err error) {
	text := c.String(option)
	if !strings.Contains(text, "=") {
		return [2]string{text, text}, nil
	}
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		i := slices.Index([]string{linklayer.Egress.String(), linklayer.Ingress.String()}, name)
		if i < 0 || value == "" || each[i] != "" {
			return each, &usageError{text: fmt.Sprintf("--%s %q is not a value for each direction", option, text), hint: fmt.Sprintf("write --%s upload=…,download=…", option)}
		}
		each[i] = value
	}
	return each, nil
}

// scenario is the line with transfers in one direction, shaped or not. The
// other direction carries the acknowledgements, and has what the profile gives
// it too.
func (l *previewLine) scenario(d linklayer.Direction, shaped bool) sim.Scenario {
	s := sim.Scenario{Delay: l.rtt / 2, Duration: l.duration, Warmup: l.warmup, Seed: 1}
	for i := range s.Ways {
		s.Ways[i] = sim.Way{Line: l.lines[i], Router: sim.Router{Qdisc: sim.PfifoFast}}
		if shaper := l.shaper(linklayer.Direction(i)); shaped && shaper != nil {
			s.Ways[i].Router = routerOf(shaper, l.config.Direction(linklayer.Direction(i)).Encapsulation())
		}
	}
	s.Ways[d].Load = sim.Load{Flows: l.flows, Call: true}
	return s
}

// routerOf is a direction's shaper as sim takes it.
func routerOf(s *plan.Shaper, charge linklayer.Encapsulation) sim.Router {
	if len(s.Classes) == 0 {
		return sim.Router{Qdisc: sim.Cake, Cake: *s.Qdisc.Cake}
	}
	leaf := s.Leaves[0].FQCodel          // where a transfer without a mark is, and the call
	if charge.Framing == linklayer.PTM { // is in the rate
		charge.Framing = linklayer.Plain
	}
	r := sim.Router{
		Qdisc: sim.FqCoDel, Shaper: s.Rate(), Burst: s.Classes[0].HTB.Burst, Charge: &charge,
		ECN: leaf.ECN, Limit: leaf.Limit, Target: leaf.Target, Interval: leaf.Interval, Quantum: leaf.Quantum,
	}
	if s.Qdisc.Stab == nil { // what the device counts
		r.Charge = nil
	}
	return r
}

func (l *previewLine) shaper(d linklayer.Direction) *plan.Shaper {
	if d == linklayer.Ingress {
		return l.plan.Ingress
	}
	return l.plan.Egress
}

// bufferWords are the queues that are assumed.
func (l *previewLine) bufferWords() string {
	var all []string
	for _, d := range []linklayer.Direction{linklayer.Egress, linklayer.Ingress} {
		line := &l.lines[d]
		if line.Rate == 0 {
			continue
		}
		size := sizeWords(line.Buffer)
		if line.BufferPackets > 0 {
			size = fmt.Sprintf("%d packets", line.BufferPackets)
		}
		all = append(all, fmt.Sprintf("%s %s, which is %s of %s", d, size, drainWords(line), line.Rate))
	}
	return cmp.Or(strings.Join(all, ", "), "none")
}

// drain is how long a full queue takes to drain.
func drain(line *sim.Line) time.Duration {
	return line.Rate.Time(max(line.Buffer, line.BufferPackets*line.Encapsulation.WireSize(fullPacket)))
}

// drainWords is that for people.
func drainWords(line *sim.Line) string {
	if t := drain(line); t < time.Second {
		return timeWords(t.Round(time.Millisecond))
	}
	return timeWords(drain(line).Round(100 * time.Millisecond))
}
