package kernellab_test

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// measured is a line of testdata/measured.csv.
type measured struct {
	direction            linklayer.Direction
	facts                kernellab.LineFacts
	egress, ingress      string
	median, p95, goodput float64
}

func TestLineMeasuresWhatWasMeasured(t *testing.T) {
	for _, row := range readMeasured(t) {
		name := strings.TrimSpace(row.direction.String() + " " + row.egress + row.ingress)
		t.Run(name, func(t *testing.T) {
			kernellab.Run(t, func(t *testing.T) {
				l := kernellab.NewLine(t, row.facts)
				shape(l.Router, row.egress, row.ingress)
				start := l.Upload
				if row.direction == linklayer.Ingress {
					start = l.Download
				}
				bulk, call := start(1, "cubic"), l.Call(row.direction)
				time.Sleep(10 * time.Second)
				bulk.Discard()
				call.Discard()
				time.Sleep(50 * time.Second)
				delay := call.Delay()
				near(t, "median delay in ms", milliseconds(delay.Median), row.median, 0.01)
				near(t, "95th percentile in ms", milliseconds(delay.P95), row.p95, 0.01)
				near(t, "goodput in Mbit/s", float64(bulk.Goodput())/1e6, row.goodput, 0.015)
				if delay.Count < 2490 || delay.Lost > 10 {
					t.Errorf("%d packets of the call arrived and %d were lost, of 2500", delay.Count, delay.Lost)
				}
			})
		})
	}
}

// shape puts CAKE on the router's device wan, for one way or both.
func shape(router *kernellab.Namespace, egress, ingress string) {
	if egress != "" {
		router.Batch("tc", "qdisc add dev wan root "+egress+"\n")
	}
	if ingress != "" {
		router.Batch("ip", "link add ifb0 type ifb\nlink set ifb0 up\n")
		router.Batch("tc", "qdisc add dev ifb0 root "+ingress+
			"\nqdisc add dev wan ingress\nfilter add dev wan ingress matchall action mirred egress redirect dev ifb0\n")
	}
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*want {
		t.Errorf("%s: %.3f, want %.3f within %g %%", what, got, want, tolerance*100)
	}
}

func readMeasured(t *testing.T) []measured {
	t.Helper()
	file, err := os.Open("testdata/measured.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := csv.NewReader(file)
	lines.Comment = '#'
	records, err := lines.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(text string) float64 {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	var rows []measured
	for _, r := range records[1:] {
		row := measured{
			facts: kernellab.LineFacts{
				Up: linklayer.Rate(number(r[1])) * linklayer.Mbit, UpBuffer: int(number(r[2])),
				Down: linklayer.Rate(number(r[3])) * linklayer.Mbit, DownBuffer: int(number(r[4])),
				Delay: 12 * time.Millisecond,
			},
			egress: r[5], ingress: r[6],
			median: number(r[7]), p95: number(r[8]), goodput: number(r[9]),
		}
		if r[0] == "down" {
			row.direction = linklayer.Ingress
		}
		rows = append(rows, row)
	}
	return rows
}

// An idle line is as long as its delay, both ways, and loses nothing.
func TestIdleLineHasItsDelay(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		l := kernellab.NewLine(t, kernellab.LineFacts{
			Up: linklayer.Mbit, UpBuffer: 100_000, Down: 10 * linklayer.Mbit, DownBuffer: 100_000,
			Delay: 25 * time.Millisecond,
		})
		up, down := l.Call(linklayer.Egress), l.Call(linklayer.Ingress)
		time.Sleep(time.Second) // until neighbours know each other
		up.Discard()
		down.Discard()
		time.Sleep(10 * time.Second)
		for _, call := range []*kernellab.Call{up, down} {
			d := call.Delay()
			if d.Count != 500 || d.Lost != 0 {
				t.Errorf("%d packets arrived, %d were lost, want 500 and 0", d.Count, d.Lost)
			}
			if d.Median < 25*time.Millisecond || d.Max > 25100*time.Microsecond {
				t.Errorf("median delay %v, longest %v, want 25 ms", d.Median, d.Max)
			}
		}
	})
}

// The transfer and the call end when they are told to.
func TestStopEndsTheTraffic(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		l := kernellab.NewLine(t, kernellab.LineFacts{
			Up: 10 * linklayer.Mbit, UpBuffer: 100_000, Down: 10 * linklayer.Mbit, DownBuffer: 100_000,
			Delay: 10 * time.Millisecond,
		})
		transfers := []*kernellab.Transfer{l.Upload(3, "reno"), l.Download(2, "bbr")}
		call := l.Call(linklayer.Egress)
		time.Sleep(5 * time.Second)
		for _, tr := range transfers {
			near(t, "goodput in Mbit/s", float64(tr.Goodput())/1e6, 8.7, 0.05)
			tr.Stop()
		}
		call.Stop()
		time.Sleep(2 * time.Second)
		sent := l.Router.Command("cat", "/proc/thread-self/net/dev")
		time.Sleep(10 * time.Second)
		if after := l.Router.Command("cat", "/proc/thread-self/net/dev"); after != sent {
			t.Errorf("the router still has traffic:\n%s%s", sent, after)
		}
	})
}
