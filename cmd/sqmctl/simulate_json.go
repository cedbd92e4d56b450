package main

import (
	"encoding/json"
	"io"
	"math"
	"time"

	"github.com/sqmctl/sqmctl/sim"
	"github.com/sqmctl/sqmctl/sim/qdisc"
)

type simulatedJSON struct {
	Sweep       string            `json:"sweep,omitempty"`
	Direction   string            `json:"direction"`
	Call        callJSON          `json:"call_ms"`
	Startup     startupJSON       `json:"startup_ms"`
	Goodput     float64           `json:"goodput_mbit"`
	Frames      float64           `json:"frame_mbit"`
	Busy        float64           `json:"line_busy_pct"`
	RouterQueue queueJSON         `json:"router_queue_ms"`
	ModemQueue  queueJSON         `json:"modem_queue_ms"`
	Router      routerSignalsJSON `json:"router"`
	Modem       modemJSON         `json:"modem"`
	Bottleneck  string            `json:"bottleneck"`
	Verdict     string            `json:"verdict"`
}

type callJSON struct {
	Idle   float64 `json:"idle"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	P99    float64 `json:"p99"`
	Max    float64 `json:"max"`
	Mean   float64 `json:"mean"`
	Lost   float64 `json:"lost_pct"`
}

type startupJSON struct {
	P95 float64 `json:"p95"`
	Max float64 `json:"max"`
}

type queueJSON struct {
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
}

type routerSignalsJSON struct {
	Drops         int64            `json:"drops"`
	Marks         int64            `json:"marks"`
	DropsByReason map[string]int64 `json:"drops_by_reason"`
}

type modemJSON struct {
	Drops int64 `json:"drops"`
}

// simulatedAsJSON prints an object for a single run of one direction, and a
// list for more.
func simulatedAsJSON(out io.Writer, rows []simulated) error {
	list := []simulatedJSON{}
	for i := range rows {
		list = append(list, rows[i].json())
	}
	if len(rows) == 1 && rows[0].setting == "" {
		return json.NewEncoder(out).Encode(list[0])
	}
	return json.NewEncoder(out).Encode(list)
}

func (s *simulated) json() simulatedJSON {
	r := s.result
	reasons := map[string]int64{}
	for i, n := range r.Signals.Drops {
		reasons[qdisc.Reasons[i]] = n
	}
	return simulatedJSON{
		Sweep: s.setting, Direction: s.direction.String(),
		Call: newCallJSON(r.Call), Startup: startupJSON{ms(r.Startup.P95), ms(r.Startup.Max)},
		Goodput: mbit(r.Goodput), Frames: mbit(r.Frames), Busy: math.Round(r.Busy*1e5) / 1e3,
		RouterQueue: newQueueJSON(r.Router), ModemQueue: newQueueJSON(r.Modem),
		Router:     routerSignalsJSON{r.Signals.Dropped(), r.Signals.Marks, reasons},
		Modem:      modemJSON{r.Modem.Dropped},
		Bottleneck: s.where().String(), Verdict: s.verdict(),
	}
}

func newCallJSON(d sim.Delay) callJSON {
	return callJSON{ms(d.Idle), ms(d.Median), ms(d.P95), ms(d.P99), ms(d.Max), ms(d.Mean), math.Round(d.LostPart()*1e5) / 1e3}
}

func newQueueJSON(q sim.Queue) queueJSON { return queueJSON{ms(q.Mean), ms(q.Max)} }

// ms is a time in milliseconds, to a microsecond.
func ms(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

// mbit is a rate in Mbit/s, to a kbit/s.
func mbit(bps float64) float64 { return math.Round(bps/1e3) / 1e3 }
