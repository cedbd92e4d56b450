package sim

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// renoRuns is how many runs with different seeds a figure is the median of:
// where a sawtooth stands in a half second is chance.
const renoRuns = 11

func TestReno(t *testing.T) {
	for _, f := range figures(t, "reno") {
		t.Run(strings.Join(f.ids, "_")+"_"+f.fields["metric"], func(t *testing.T) {
			t.Parallel()
			read := renoMetrics[f.fields["metric"]]
			if read == nil {
				t.Fatalf("no such metric")
			}
			first, _, switched := strings.Cut(f.fields["qdisc"], " then ")
			r := renoRun{scenario: renoLine(Qdisc(first), int(f.number(t, "buffer_packets")), switched)}
			var values []float64
			for r.scenario.Seed = 1; r.scenario.Seed <= renoRuns; r.scenario.Seed++ {
				values = append(values, read(t, r, f.number(t, "from_s"), f.number(t, "to_s")))
			}
			f.hold(t, middle(values))
		})
	}
}

const renoRate = 12 * linklayer.Mbit // a packet of 1500 bytes takes 1 ms

// renoLine is the model's link. Here the packet that is on it has left the
// queue, and the buffer counts bytes, so that a ping doesn't take the place of
// a full packet. Nothing else is on the link where no ping is asked for.
func renoLine(q Qdisc, buffer int, switched bool) Scenario {
	s := Scenario{Delay: 10 * time.Millisecond}
	s.Ways[linklayer.Egress] = Way{
		Line:   Line{Rate: 100 * linklayer.Gbit, Buffer: 1 << 20},
		Router: Router{Qdisc: q, Shaper: renoRate, Burst: 1, Limit: renoLimit(q, buffer-1), Charge: &linklayer.Encapsulation{}},
		Load:   Load{Flows: 1, Congestion: Reno},
	}
	if switched {
		s.Ways[linklayer.Egress].Router.Then = []Switch{{At: 3 * time.Second, Qdisc: CoDel}}
	}
	return s
}

func renoLimit(q Qdisc, packets int) int {
	if q == Bfifo {
		return packets * 1514
	}
	return packets
}

// renoRun is a run that can be looked at through any window: it is repeated,
// with all before the window as its warm-up.
type renoRun struct{ scenario Scenario }

func (r renoRun) window(t *testing.T, from, to float64) WayResult {
	t.Helper()
	r.scenario.Warmup, r.scenario.Duration = seconds(from), seconds(to)
	return upload(t, r.scenario)
}

func seconds(s float64) time.Duration { return time.Duration(math.Round(s*1000)) * time.Millisecond }

// renoMetrics are what the page displays.
var renoMetrics = map[string]func(t *testing.T, r renoRun, from, to float64) float64{
	"wait_mean_ms": func(t *testing.T, r renoRun, from, to float64) float64 {
		return inMs(r.window(t, from, to).Router.Mean)
	},
	"wait_max_ms": renoLongest,
	"busy_pct":    renoBusy,
	"busy_low_pct": func(t *testing.T, r renoRun, from, to float64) float64 {
		low, _ := renoHalves(t, r, from, to)
		return low
	},
	"busy_high_pct": func(t *testing.T, r renoRun, from, to float64) float64 {
		_, high := renoHalves(t, r, from, to)
		return high
	},
	"ping_ms": renoPing,
	"ping_wait_ms": func(t *testing.T, r renoRun, from, to float64) float64 {
		return renoPing(t, r, from, to) - 2*inMs(r.scenario.Delay)
	},
	"queue_low_pkts": func(t *testing.T, r renoRun, from, to float64) float64 {
		low := math.Inf(1)
		for _, wait := range renoCourse(t, r, from, to) {
			low = min(low, wait)
		}
		return low
	},
	"drain_ms": renoDrain,
}

// renoLongest is in whole ms, as the page has it.
func renoLongest(t *testing.T, r renoRun, from, to float64) float64 {
	return math.Round(inMs(r.window(t, from, to).Router.Max))
}

func renoBusy(t *testing.T, r renoRun, from, to float64) float64 {
	return 100 * r.window(t, from, to).Frames * 1500 / 1514 / float64(renoRate)
}

func renoHalves(t *testing.T, r renoRun, from, to float64) (low, high float64) {
	low = math.Inf(1)
	for ; from < to; from += 0.5 {
		busy := renoBusy(t, r, from, from+0.5)
		low, high = min(low, busy), max(high, busy)
	}
	return low, high
}

// renoPing is the round trip of the pings that came back in the window, which
// are one or two.
func renoPing(t *testing.T, r renoRun, from, to float64) float64 {
	r.scenario.Ways[linklayer.Egress].Load.Ping = true
	ping := r.window(t, from, to).Ping
	if ping.Count == 0 {
		t.Error("no ping came back")
	}
	return inMs(ping.Median)
}

const renoStep = 0.05 // s

// renoCourse is the longest wait in ms of each step.
func renoCourse(t *testing.T, r renoRun, from, to float64) (waits []float64) {
	for ; from < to-renoStep/2; from += renoStep {
		waits = append(waits, inMs(r.window(t, from, from+renoStep).Router.Max))
	}
	return waits
}

// renoDrain is how long after the beginning of the window no packet waits for
// 10 ms any more, after the longest wait in it.
func renoDrain(t *testing.T, r renoRun, from, to float64) float64 {
	waits := renoCourse(t, r, from, to)
	worst := 0
	for i, wait := range waits {
		if wait > waits[worst] {
			worst = i
		}
	}
	for i, wait := range waits[worst:] {
		if wait < 10 {
			return 1000 * renoStep * float64(worst+i)
		}
	}
	t.Errorf("the queue never drains: %v", waits)
	return 0
}
