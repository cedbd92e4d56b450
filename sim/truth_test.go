package sim

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
	"github.com/sqmctl/sqmctl/sim/kerneltruth"
)

var update = flag.Bool("update", false, "write the comparison with the kernel into docs/simulator.md")

// exceptions are the rows that a simulation may miss, and why.
var exceptions = map[string]string{
	"r21": "29 transfers share 37 packets of buffer: two segments each, kept going by timeouts; the kernel's are 10 % slower, its goodput is the same",
	"r22": "three Reno transfers in 15 packets of buffer lock into patterns: the medians of runs go from 28.4 to 30.7 ms, the kernel's is 30.2",
	"r31": "whether fast convergence lowers CUBIC's plateau hangs on one segment at each overflow: the medians of runs go from 90 to 99 ms, the kernel's from 98 to 100",
	"r33": "three of the kernel's 16 connections lost their first SYN to CAKE, did without ECN and left room; simulated ones all speak it, and starve the call",
	"r34": "as r31: the medians of runs go from 162 to 171 ms, the kernel's from 167 to 170",
	"r40": "one loss more or less in slow start decides between two orbits with 2.38 and 2.53 Mbit/s; the kernel is always in the first, simulations in either",
}

// What a real kernel measured is what the simulator says: the call's median
// and 95th percentile within 0.6 ms or 4 %, goodput within 2 %, with BBR all
// within 10 %, and the mean queue at the modem within 1.5 ms or 10 %. One
// transfer through a plain FIFO leaves little to chance: 1 %. Else the order of
// losses is chance, in the kernel as here, so each figure is the median of five
// runs.
func TestKernelRows(t *testing.T) {
	if raceDetector {
		t.Skip("one goroutine a run; without the race detector it takes a tenth of the time")
	}
	rows, err := kerneltruth.Rows()
	if err != nil {
		t.Fatal(err)
	}
	all := make([]compared, len(rows))
	t.Run("rows", func(t *testing.T) {
		for i, row := range rows {
			t.Run(row.ID, func(t *testing.T) {
				t.Parallel()
				all[i] = compare(t, row)
				t.Log(all[i])
				if why := all[i].exception(); len(all[i].off) > 0 && why == "" {
					t.Errorf("too far off: %s", strings.Join(all[i].off, ", "))
				}
			})
		}
	})
	checkDocumented(t, all)
}

// compared is a row of the kernel's and what five simulations say to it.
type compared struct {
	kerneltruth.Row
	median, p95 time.Duration
	goodput     float64 // bit/s
	modem       time.Duration
	off         []string // what is not within bounds
}

func (c compared) String() string {
	text := fmt.Sprintf("%s: median %.2f ms, kernel %.2f; 95th percentile %.2f ms, kernel %.2f; goodput %.3f Mbit/s, kernel %.3f",
		c.ID, ms(c.median), ms(c.Median), ms(c.p95), ms(c.P95), c.goodput/1e6, float64(c.Goodput)/1e6)
	if wait := c.modemWait(); wait >= 0 {
		text += fmt.Sprintf("; modem queue %.2f ms, kernel %.2f", ms(c.modem), ms(wait))
	}
	return text
}

func (c compared) exception() string {
	if why := c.Unsteady(); why != "" {
		return why
	}
	return exceptions[c.ID]
}

// modemWait is what the kernel's mean queue at the modem takes; -1 if that
// wasn't measured.
func (c compared) modemWait() time.Duration {
	if c.ModemQueue < 0 {
		return -1
	}
	return c.Rate().Time(c.ModemQueue)
}

func compare(t *testing.T, row kerneltruth.Row) compared {
	t.Helper()
	var medians, p95s, goodputs, modems []float64
	for seed := range uint64(5) {
		s := asScenario(row.Scenario)
		s.Seed = seed + 1
		r, err := Run(s)
		if err != nil {
			t.Fatal(err)
		}
		w := r.Ways[row.Direction]
		medians = append(medians, float64(w.Call.Median))
		p95s = append(p95s, float64(w.Call.P95))
		goodputs = append(goodputs, w.Goodput)
		modems = append(modems, float64(w.Modem.Mean))
	}
	c := compared{
		Row: row, median: time.Duration(medianOf(medians)), p95: time.Duration(medianOf(p95s)),
		goodput: medianOf(goodputs), modem: time.Duration(medianOf(modems)),
	}
	c.judge()
	return c
}

func medianOf(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// judge holds the figures to the bounds.
func (c *compared) judge() {
	delay, goodput := .04, .02
	switch {
	case c.Congestion == "bbr":
		delay, goodput = .10, .10
	case c.Swing > 0:
		delay, goodput = .15, .02
	case c.Flows == 1 && c.Egress.Kind == "" && c.Ingress.Kind == "":
		delay = .01
	}
	least := float64(600 * time.Microsecond)
	if delay == .01 {
		least /= 4
	}
	c.hold("median", float64(c.median), float64(c.Median), max(least, delay*float64(c.Median)))
	c.hold("95th percentile", float64(c.p95), float64(c.P95), max(least, delay*float64(c.P95)))
	c.hold("goodput", c.goodput, float64(c.Goodput), goodput*float64(c.Goodput))
	if wait := c.modemWait(); wait >= 0 {
		c.hold("modem queue", float64(c.modem), float64(wait), max(float64(1500*time.Microsecond), .10*float64(wait)))
	}
}

func (c *compared) hold(what string, got, want, within float64) {
	if math.Abs(got-want) > within {
		c.off = append(c.off, what)
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// asScenario is what the kernel ran.
func asScenario(k kerneltruth.Scenario) Scenario {
	// The kernel's times count from the start of the last transfer.
	before := time.Duration(k.Flows-1) * 2 * k.Delay
	s := Scenario{Delay: k.Delay, Duration: k.Duration + before, Warmup: k.Warmup + before, Seed: 1}
	s.Ways[linklayer.Egress] = Way{Line: asLine(k, k.Up, k.UpBuffer), Router: asRouter(k.Egress)}
	s.Ways[linklayer.Ingress] = Way{Line: asLine(k, k.Down, k.DownBuffer), Router: asRouter(k.Ingress)}
	way := &s.Ways[k.Direction]
	way.Load = Load{Flows: k.Flows, Congestion: Congestion(k.Congestion), ECN: k.ECN, Call: true}
	if k.Swing > 0 {
		way.Line.Vary = Vary{Shape: Triangle, Amplitude: float64(k.Swing) / 100, Period: 8 * time.Second}
	}
	return s
}

func asLine(k kerneltruth.Scenario, rate linklayer.Rate, buffer int) Line {
	l := Line{Rate: rate, Buffer: buffer, Encapsulation: k.Encapsulation, Burst: 1600}
	if k.Encapsulation.Framing == linklayer.ATM {
		l.Burst = 34 * 53
	}
	return l
}

func asRouter(k kerneltruth.Qdisc) Router {
	r := Router{Qdisc: Qdisc(k.Kind), Limit: k.Limit, Burst: k.Burst, Shaper: k.Shaper, ECN: k.Kind == "fq_codel"}
	switch k.Kind {
	case "tbf":
		r.Qdisc = Bfifo
	case "cake":
		r.Shaper = 0
		r.Cake = plan.Cake{
			Rate: k.Shaper, Encapsulation: k.Charge, Raw: k.Charge == (linklayer.Encapsulation{}),
			Diffserv: plan.Diffserv3, Isolation: plan.TripleIsolate, Ingress: k.Ingress,
			RTT: 100 * time.Millisecond, Target: 5 * time.Millisecond,
		}
		if k.Besteffort {
			r.Cake.Diffserv = plan.Besteffort
		}
		if k.Flowblind {
			r.Cake.Isolation = plan.Flowblind
		}
	}
	return r
}
