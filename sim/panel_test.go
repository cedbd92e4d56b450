package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// panelRuns is how many runs with different seeds a figure is the median of:
// the page's own figures are single runs, and some rows are chaotic.
const panelRuns = 5

func TestPanel(t *testing.T) {
	setups := map[string][]figure{}
	for _, f := range figures(t, "panel") {
		name := fmt.Sprintf("%s_%s_%s_%s_%s_%s", f.fields["rate_mbit"], f.fields["buffer_kib"], f.fields["qdisc"],
			f.fields["shaper_pct"], f.fields["flows"], f.fields["wobble_pct"])
		setups[name] = append(setups[name], f)
	}
	for name, all := range setups {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := panelScenario(t, all[0])
			readings := map[string][]float64{}
			for s.Seed = 1; s.Seed <= panelRuns; s.Seed++ {
				for metric, value := range panelReadings(t, s) {
					readings[metric] = append(readings[metric], value)
				}
			}
			for _, f := range all {
				f.hold(t, middle(readings[f.fields["metric"]]))
			}
		})
	}
}

// panelLine is the model's line. It takes a packet as long as its bytes do,
// and its shaper lets no two packets through at once.
func panelLine(rate linklayer.Rate, buffer int, shaper linklayer.Rate, q Qdisc, flows int) Scenario {
	s := Scenario{Delay: 12 * time.Millisecond, Duration: 60 * time.Second, Warmup: 15 * time.Second, Seed: 1}
	s.Ways[linklayer.Egress] = Way{
		Line:   Line{Rate: rate, Buffer: buffer, Encapsulation: linklayer.Encapsulation{Overhead: 38}},
		Router: Router{Qdisc: q, Shaper: shaper, Burst: 1},
		Load:   Load{Flows: flows, Call: true},
	}
	return s
}

func panelScenario(t *testing.T, f figure) Scenario {
	t.Helper()
	rate := linklayer.Rate(f.number(t, "rate_mbit")) * linklayer.Mbit
	s := panelLine(rate, int(f.number(t, "buffer_kib"))<<10, rate/100*linklayer.Rate(f.number(t, "shaper_pct")),
		Qdisc(f.fields["qdisc"]), int(f.number(t, "flows")))
	way := &s.Ways[linklayer.Egress]
	way.Router.Limit = int(f.number(t, "limit_bytes"))
	if swing := f.number(t, "wobble_pct"); swing > 0 {
		way.Line.Vary = Vary{Shape: Sine, Amplitude: swing / 100, Period: 10 * time.Second}
	}
	return s
}

// panelReadings are what the page displays.
func panelReadings(t *testing.T, s Scenario) map[string]float64 {
	t.Helper()
	w := upload(t, s)
	return map[string]float64{
		"call_median_ms": inMs(w.Call.Median),
		"call_p95_ms":    inMs(w.Call.P95),
		"frame_mbit":     w.Frames / 1e6,
		"line_pct":       100 * w.Frames / float64(s.Ways[linklayer.Egress].Line.Rate),
		"modem_wait_ms":  inMs(w.Modem.Mean),
		"router_max_ms":  inMs(w.Router.Max),
		"signals":        float64(w.Signals.Dropped() + w.Signals.Marks),
	}
}

// upload runs a scenario and gives the upload's side.
func upload(t *testing.T, s Scenario) WayResult {
	t.Helper()
	r, err := Run(s)
	if err != nil {
		t.Fatal(err)
	}
	return r.Ways[linklayer.Egress]
}

func inMs(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
