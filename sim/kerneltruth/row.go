package kerneltruth

import (
	"bytes"
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// Scenario is a line, what stands on its router, and the traffic on it: bulk
// transfers and a call in one direction.
type Scenario struct {
	ID                   string
	Direction            linklayer.Direction
	Up, Down             linklayer.Rate
	UpBuffer, DownBuffer int                     // bytes as Encapsulation charges them
	Swing                int                     // percent by which the rate swings, as a triangle of 8 s; 0: fixed
	Delay                time.Duration           // one way without any queue, the same both ways
	Encapsulation        linklayer.Encapsulation // what the line charges an IP packet with
	Egress, Ingress      Qdisc                   // on the router
	Flows                int
	Congestion           string // cubic, reno or bbr
	ECN                  bool   // the transfers speak ECN
	// Duration is the whole run and Warmup its discarded beginning. They count
	// from when the last transfer has begun; each begins when the connection of
	// the one before it stands.
	Duration, Warmup time.Duration
}

// Rate is that of the line in the direction of the traffic.
func (s Scenario) Rate() linklayer.Rate {
	if s.Direction == linklayer.Egress {
		return s.Up
	}
	return s.Down
}

// Buffer is that of the line in the direction of the traffic.
func (s Scenario) Buffer() int {
	if s.Direction == linklayer.Egress {
		return s.UpBuffer
	}
	return s.DownBuffer
}

// Qdisc is the router's in the direction of the traffic.
func (s Scenario) Qdisc() Qdisc {
	if s.Direction == linklayer.Egress {
		return s.Egress
	}
	return s.Ingress
}

// Measured is what the kernel showed after the warm-up.
type Measured struct {
	Calls                  int           // packets of the call that arrived
	Median, P95, Max, Mean time.Duration // one-way delay of the call
	Goodput                linklayer.Rate
	// -1 where it wasn't measured. Drops of kernel.csv include the warm-up's.
	RouterDrops, RouterMarks, ModemDrops int
	RouterQueue, ModemQueue              int // mean backlog in bytes
}

// Row is a scenario and what the kernel showed.
type Row struct {
	Scenario
	Measured
}

// Unsteady says why the kernel itself doesn't repeat a row, whose figures are
// then one of several; empty if it does.
func (r Row) Unsteady() string {
	switch r.ID {
	case "r07":
		return "32 BBR transfers leave each 62 kbit/s: the median differs by 4 % from run to run, the 95th percentile by 11 %"
	case "r37":
		return "CAKE has 23 transfers at 4.4 Mbit/s: the median differs by 9 % from run to run, the 95th percentile by 23 %"
	}
	return ""
}

//go:embed testdata/kernel.csv testdata/kernel_more.csv
var files embed.FS

// Rows are all rows: those of kernel.csv, whose IDs begin with h, then those
// that were chosen at random, whose IDs begin with r.
func Rows() ([]Row, error) {
	var rows []Row
	for _, name := range []string{"testdata/kernel.csv", "testdata/kernel_more.csv"} {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		more, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

func parse(text []byte) ([]Row, error) {
	lines := csv.NewReader(bytes.NewReader(text))
	lines.Comment = '#'
	records, err := lines.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, errors.New("no header; the first line names the columns")
	}
	var rows []Row
	for _, r := range records[1:] {
		f := fields{values: map[string]string{}}
		for i, name := range records[0] {
			f.values[name] = r[i]
		}
		row := Row{f.scenario(), f.measured()}
		if f.err != nil {
			return nil, fmt.Errorf("row %s: %w", r[0], f.err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// fields are the fields of a row by column, and the first error in them.
type fields struct {
	values map[string]string
	err    error
}

func (f *fields) scenario() Scenario {
	s := Scenario{
		ID: f.values["id"], Up: f.rate("up_mbit"), Down: f.rate("down_mbit"),
		UpBuffer: f.whole("up_buffer_bytes"), DownBuffer: f.whole("down_buffer_bytes"),
		Swing: f.whole("swing_pct"), Delay: f.duration("delay_ms", time.Millisecond),
		Encapsulation: linklayer.Encapsulation{Overhead: f.whole("overhead")},
		Egress:        f.qdisc("egress"), Ingress: f.qdisc("ingress"),
		Flows: f.whole("flows"), Congestion: f.values["cc"], ECN: f.values["ecn"] == "on",
		Duration: f.duration("duration_s", time.Second), Warmup: f.duration("warmup_s", time.Second),
	}
	if f.values["dir"] == "down" {
		s.Direction = linklayer.Ingress
	}
	if f.values["framing"] == "atm" {
		s.Encapsulation.Framing = linklayer.ATM
	}
	return s
}

func (f *fields) measured() Measured {
	return Measured{
		Calls:  f.whole("n"),
		Median: f.duration("call_median_ms", time.Millisecond), P95: f.duration("call_p95_ms", time.Millisecond),
		Max: f.duration("call_max_ms", time.Millisecond), Mean: f.duration("call_mean_ms", time.Millisecond),
		Goodput:     f.rate("goodput_mbit"),
		RouterDrops: f.whole("router_drops"), RouterMarks: f.whole("router_marks"), ModemDrops: f.whole("modem_drops"),
		RouterQueue: f.whole("router_queue_bytes"), ModemQueue: f.whole("modem_queue_bytes"),
	}
}

func (f *fields) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// whole is -1 for an empty field.
func (f *fields) whole(name string) int {
	if f.values[name] == "" {
		return -1
	}
	n, err := strconv.Atoi(f.values[name])
	if err != nil {
		f.fail(fmt.Errorf("%s: %w", name, err))
	}
	return n
}

func (f *fields) rate(name string) linklayer.Rate {
	r, err := linklayer.ParseRate(f.values[name] + "mbit")
	if err != nil {
		f.fail(fmt.Errorf("%s: %w", name, err))
	}
	return r
}

func (f *fields) duration(name string, unit time.Duration) time.Duration {
	n, err := strconv.ParseFloat(f.values[name], 64)
	if err != nil {
		f.fail(fmt.Errorf("%s: %w", name, err))
	}
	return time.Duration(n*float64(unit) + 0.5)
}

func (f *fields) qdisc(name string) Qdisc {
	q, err := parseQdisc(f.values[name])
	if err != nil {
		f.fail(fmt.Errorf("%s: %w", name, err))
	}
	return q
}
