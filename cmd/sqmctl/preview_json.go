package main

import (
	"encoding/json"
	"io"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim"
)

type previewedJSON struct {
	Link       string           `json:"link"`
	Type       string           `json:"type"` // empty for a server
	RTT        float64          `json:"rtt_ms"`
	Flows      int              `json:"flows"`
	Duration   float64          `json:"duration_s"`
	Warmup     float64          `json:"warmup_s"`
	Assumed    []string         `json:"assumed"`
	Directions []comparisonJSON `json:"directions"`
	Role       string           `json:"role"`
	Note       string           `json:"note"` // why nothing is simulated; empty when something is
}

type comparisonJSON struct {
	Direction     string         `json:"direction"`
	Line          linklayer.Rate `json:"line_bit_per_s"`
	Buffer        int            `json:"buffer_bytes"`
	BufferPackets int            `json:"buffer_packets"`
	Wobble        float64        `json:"wobble_pct"`
	Shaper        linklayer.Rate `json:"shaper_bit_per_s"`
	Highest       linklayer.Rate `json:"highest_shaper_bit_per_s"`
	Cost          float64        `json:"cost_pct"`
	Before        sideJSON       `json:"as_it_is"`
	After         sideJSON       `json:"with_profile"`
	Verdict       string         `json:"verdict"`
}

// sideJSON is a row of the table.
type sideJSON struct {
	Call        callJSON    `json:"call_ms"`
	Startup     startupJSON `json:"startup_ms"`
	Goodput     float64     `json:"goodput_mbit"`
	RouterQueue queueJSON   `json:"router_queue_ms"`
	ModemQueue  queueJSON   `json:"modem_queue_ms"`
	Bottleneck  string      `json:"bottleneck"`
	Added       float64     `json:"added_ms"`
	Grade       string      `json:"grade"`
	Course      []float64   `json:"call_each_100_ms_ms"`
}

func previewAsJSON(out io.Writer, previews []previewed) error {
	list := []previewedJSON{}
	for i := range previews {
		p := &previews[i]
		row := previewedJSON{
			Link: p.config.Interface, Type: p.config.Type.Name, RTT: ms(p.rtt), Flows: p.flows,
			Duration: p.duration.Seconds(), Warmup: p.warmup.Seconds(),
			Assumed: p.assumptionWords(), Directions: []comparisonJSON{}, Role: p.config.Role,
		}
		if p.config.IsServer() {
			row.Note = serverNote
		}
		for j := range p.directions {
			row.Directions = append(row.Directions, p.directions[j].json())
		}
		list = append(list, row)
	}
	return json.NewEncoder(out).Encode(list)
}

func (c *comparison) json() comparisonJSON {
	return comparisonJSON{
		Direction: c.direction.String(), Line: c.line.Rate, Buffer: c.line.Buffer, BufferPackets: c.line.BufferPackets,
		Wobble: c.line.Vary.Amplitude * 100, Shaper: c.shaper, Highest: c.highest, Cost: c.cost(),
		Before: c.side(c.before), After: c.side(c.after), Verdict: c.verdict(),
	}
}

func (c *comparison) side(r *sim.WayResult) sideJSON {
	return sideJSON{
		Call: newCallJSON(r.Call), Startup: startupJSON{ms(r.Startup.P95), ms(r.Startup.Max)}, Goodput: mbit(r.Goodput),
		RouterQueue: newQueueJSON(r.Router), ModemQueue: newQueueJSON(r.Modem), Bottleneck: r.Where(c.line.Rate).String(),
		Added: ms(added(r)), Grade: gradeOf(r), Course: courseJSON(r.Course),
	}
}

func courseJSON(course []time.Duration) []float64 {
	values := make([]float64, len(course))
	for i, v := range course {
		values[i] = ms(v)
	}
	return values
}
