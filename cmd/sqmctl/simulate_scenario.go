package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
	"github.com/sqmctl/sqmctl/sim"
)

const (
	// etherHeader is what a frame has more than the IP packet in it, in bytes.
	etherHeader = 14
	// longestRTT and longestRun are the most that sim takes.
	longestRTT = 20 * time.Second
	longestRun = time.Hour
	// lineBurst is what a provider's token bucket lets through at once, in
	// bytes: a full packet with any header of Ethernet.
	lineBurst = 1600
	// fullPacket is the largest IP packet, in bytes.
	fullPacket = 1500
)

// simulation is a scenario and which of its directions are looked at.
type simulation struct {
	setting  string // of a sweep: "shaper=98%"; else empty
	scenario sim.Scenario
	loaded   []linklayer.Direction
}

// simulationOf is what the options describe.
func simulationOf(c *cli.Context) (s simulation, err error) {
	var way sim.Way
	for _, read := range []func(*cli.Context, *simulation, *sim.Way) error{
		readTimes, readDirections, readLine, readRouter, readSwitches, readLoad, readReverse,
	} {
		if err = read(c, &s, &way); err != nil {
			return s, err
		}
	}
	return s, nil
}

func readTimes(c *cli.Context, s *simulation, _ *sim.Way) error {
	rtt, err := timeWithin(c, "rtt", 0, longestRTT)
	if err != nil {
		return err
	}
	if s.scenario.Duration, err = timeWithin(c, "duration", time.Millisecond, longestRun); err != nil {
		return err
	}
	if s.scenario.Warmup = c.Duration("warmup"); s.scenario.Warmup < 0 || s.scenario.Warmup >= s.scenario.Duration {
		return &usageError{
			text: fmt.Sprintf("--warmup %s leaves nothing of --duration %s", s.scenario.Warmup, s.scenario.Duration),
			hint: "write a warm-up from zero to less than the duration",
		}
	}
	s.scenario.Delay, s.scenario.Seed = rtt/2, c.Uint64("seed")
	return nil
}

func readDirections(c *cli.Context, s *simulation, _ *sim.Way) error {
	word, err := oneOf(c, "direction", "upload", "download", "both")
	switch word {
	case "upload":
		s.loaded = []linklayer.Direction{linklayer.Egress}
	case "download":
		s.loaded = []linklayer.Direction{linklayer.Ingress}
	case "both":
		s.loaded = []linklayer.Direction{linklayer.Egress, linklayer.Ingress}
	}
	return err
}

func readLine(c *cli.Context, _ *simulation, way *sim.Way) (err error) {
	access, ok := linklayer.AccessByName(c.String("type"))
	if !ok {
		hint := "«sqmctl types» lists them"
		if near := linklayer.NearestAccess(c.String("type")); near != "" {
			hint = "write --type " + near + "; " + hint
		}
		return &usageError{text: fmt.Sprintf("--type %q is unknown", c.String("type")), hint: hint}
	}
	way.Line.Encapsulation = wireOf(access)
	way.Line.Burst = burstOf(way.Line.Encapsulation)
	if way.Line.Rate, err = parseRate("rate", c.String("rate")); err != nil {
		return err
	}
	if way.Line.Buffer, way.Line.BufferPackets, err = parseBuffer("buffer", c.String("buffer")); err != nil {
		return err
	}
	way.Line.Vary, err = variation(c)
	return err
}

// wireOf is what a type of line adds to an IP packet.
func wireOf(a linklayer.Access) linklayer.Encapsulation {
	if a.Raw {
		return linklayer.Encapsulation{Overhead: etherHeader}
	}
	return a.Encapsulation
}

// burstOf is what a line lets through at once: a full packet, whatever the line
// adds to it, where a provider's token bucket limits; nothing on a DSL line,
// which sends bit by bit.
func burstOf(e linklayer.Encapsulation) int {
	if e.Framing != linklayer.Plain {
		return 0
	}
	return max(lineBurst, e.WireSize(fullPacket))
}

func readRouter(c *cli.Context, _ *simulation, way *sim.Way) (err error) {
	r := &way.Router
	if r.Qdisc, err = oneOf(c, "qdisc", sim.Qdiscs...); err != nil {
		return err
	}
	if r.Limit, err = within(c, "limit", 0, mostBuffer); err != nil {
		return err
	}
	if c.IsSet("limit") && r.Qdisc == sim.Cake {
		return &usageError{text: "--limit is not for cake, which has a limit in memory", hint: "leave --limit out"}
	}
	if c.Bool("ingress") && r.Qdisc != sim.Cake {
		return &usageError{text: "--ingress is a keyword of cake, not of " + string(r.Qdisc), hint: "write --qdisc cake, or leave --ingress out"}
	}
	r.ECN = c.Bool("ecn")
	var rate linklayer.Rate
	if text := c.String("shaper"); text != "off" {
		if rate, err = parsePartOf("shaper", text, way.Line.Rate); err != nil {
			return err
		}
	}
	// Both, since the qdisc may be another one after a switch.
	class, cake, err := counting(c, way.Line.Encapsulation)
	r.Shaper, r.Charge, r.Cake = rate, &class, cakeOf(rate, cake, c.Bool("ingress"))
	return err
}

// counting is what a shaper charges an IP packet with: a class around any
// qdisc, and CAKE, which knows the line.
func counting(c *cli.Context, wire linklayer.Encapsulation) (class, cake linklayer.Encapsulation, err error) {
	frame := linklayer.Encapsulation{Overhead: etherHeader}
	if c.String("count") == "" {
		return frame, wire, nil
	}
	word, err := oneOf(c, "count", "frame", "wire")
	if word == "wire" {
		return wire, wire, err
	}
	return frame, frame, err
}

// cakeOf is CAKE as tc sets it up, for traffic of one priority.
func cakeOf(rate linklayer.Rate, counted linklayer.Encapsulation, ingress bool) plan.Cake {
	return plan.Cake{
		Rate: rate, Ingress: ingress, Encapsulation: counted,
		Diffserv: plan.Besteffort, Isolation: plan.TripleIsolate, SplitGSO: true,
		RTT: 100 * time.Millisecond, Target: 5 * time.Millisecond,
	}
}

func readSwitches(c *cli.Context, s *simulation, way *sim.Way) error {
	if c.String("switch") == "" {
		return nil
	}
	for _, text := range strings.Split(c.String("switch"), ",") {
		name, moment, _ := strings.Cut(strings.TrimSpace(text), "@")
		at, err := time.ParseDuration(moment)
		if err != nil || at <= 0 || at >= s.scenario.Duration || !isQdisc(name) {
			return &usageError{
				text: fmt.Sprintf("--switch %q is not a qdisc and a time within the run", text),
				hint: "write it as codel@3s, with one of " + wordList(sim.Qdiscs),
			}
		}
		if n := len(way.Router.Then); n > 0 && at <= way.Router.Then[n-1].At {
			return &usageError{text: fmt.Sprintf("--switch %q comes before the one in front of it", text), hint: "write them in the order of their times"}
		}
		way.Router.Then = append(way.Router.Then, sim.Switch{At: at, Qdisc: sim.Qdisc(name)})
	}
	return nil
}

func isQdisc(name string) bool {
	for _, q := range sim.Qdiscs {
		if string(q) == name {
			return true
		}
	}
	return false
}

// readLoad is the last that the loaded directions have in common.
func readLoad(c *cli.Context, s *simulation, way *sim.Way) (err error) {
	load := &way.Load
	load.Call, load.ECN = true, c.Bool("ecn")
	if load.Flows, err = within(c, "flows", 0, 1000); err != nil {
		return err
	}
	if load.Congestion, err = oneOf(c, "cc", sim.Congestions...); err != nil {
		return err
	}
	if load.SlowStart, err = oneOf(c, "slow-start", sim.SlowStarts...); err != nil {
		return err
	}
	for _, d := range s.loaded {
		s.scenario.Ways[d] = *way
	}
	return nil
}

// readReverse sets the other direction apart: the one without transfers, or
// with transfers both ways the download.
func readReverse(c *cli.Context, s *simulation, way *sim.Way) (err error) {
	if c.String("reverse-rate") == "" {
		if c.String("reverse-buffer") != "" {
			return &usageError{text: "--reverse-buffer is for a line that has a --reverse-rate", hint: "write both, or neither"}
		}
		return nil
	}
	reverse := linklayer.Ingress
	if s.loaded[0] == linklayer.Ingress {
		reverse = linklayer.Egress
	}
	line := &s.scenario.Ways[reverse].Line
	*line = sim.Line{Encapsulation: way.Line.Encapsulation, Burst: way.Line.Burst}
	if line.Rate, err = parseRate("reverse-rate", c.String("reverse-rate")); err != nil {
		return err
	}
	line.Buffer, line.BufferPackets, err = parseBuffer("reverse-buffer", cmp.Or(c.String("reverse-buffer"), c.String("buffer")))
	return err
}
