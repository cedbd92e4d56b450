package verify

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// shaperRun is what a kernel's CAKE showed every 200 ms for ten seconds, on a
// line of 20 Mbit/s that charges 38 bytes a packet, as CAKE did.
type shaperRun struct {
	name    string
	percent int // the shaper's rate, as a part of the line's
	rows    [][]uint64
}

// testdata/shapers.csv has packets, bytes, drops, marks and backlog of CAKE on
// Linux 6.12, with a shaper at 95, 100, 105 and 110 % of the line, for one and
// eight senders of three congestion controls and two round trips.
func readShaperRuns(t *testing.T) []*shaperRun {
	t.Helper()
	file, err := os.Open("testdata/shapers.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var runs []*shaperRun
	for _, r := range records[1:] {
		name := fmt.Sprintf("%s%% of the line, %s, %s ms", r[1], r[2], r[0])
		if len(runs) == 0 || runs[len(runs)-1].name != name {
			runs = append(runs, &shaperRun{name: name, percent: int(number(t, r[1]))})
		}
		last := runs[len(runs)-1]
		var row []uint64
		for _, field := range r[3:] {
			row = append(row, number(t, field))
		}
		last.rows = append(last.rows, row)
	}
	return runs
}

func number(t *testing.T, text string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (r *shaperRun) samples() []plan.State {
	var all []plan.State
	rate := linklayer.Rate(r.percent) * 20 * linklayer.Mbit / 100
	for i, row := range r.rows {
		s := sample(i, traffic{packets: row[0], drops: row[2], marks: row[3], backlog: row[4]}, nil)
		root := s.Device("wan").At(plan.HandleRoot)
		root.Stats.Bytes, root.Cake.Rate = row[1], rate
		all = append(all, s)
	}
	return all
}

// A shaper below the line or at its rate is the bottleneck, one that is five
// percent above it is not, whoever sends.
func TestEngagementAgainstKernel(t *testing.T) {
	runs := readShaperRuns(t)
	if len(runs) != 32 {
		t.Fatalf("%d runs, should be 32", len(runs))
	}
	for _, r := range runs {
		t.Run(r.name, func(t *testing.T) {
			samples := r.samples()
			d := direction{link: &plan.Link{Interface: "wan"}, shaper: upload().Links[0].Egress, samples: samples}
			got := d.engagement()
			want := Engaged
			if r.percent > 100 {
				want = NotBottleneck
			}
			if got.Code != want {
				t.Errorf("%s, should be %s: %q", got.Code, want, got.Evidence)
			}
		})
	}
}

// A slow line needs longer intervals: at 1 Mbit/s there are 16 packets in
// 200 ms, and one more or less is 6 %.
func TestIntervalsOfSlowLine(t *testing.T) {
	const packetsPerSecond = 81 // 99.6 % of 1 Mbit/s
	var samples []plan.State
	for i := range 151 {
		at := time.Duration(i) * 200 * time.Millisecond
		s := sample(i, traffic{packets: uint64(at.Seconds() * packetsPerSecond), backlog: 9000}, nil)
		s.Device("wan").At(plan.HandleRoot).Cake.Rate = linklayer.Mbit
		samples = append(samples, s)
	}
	d := direction{link: &plan.Link{Interface: "wan"}, shaper: upload().Links[0].Egress, samples: samples}
	l := d.measure()
	for _, v := range l.busy {
		if v.elapsed < 1200*time.Millisecond || v.used < 0.98 || v.used > 1.01 {
			t.Errorf("an interval of %v used %.3f of the rate", v.elapsed, v.used)
		}
	}
	if got := d.engagement(); got.Code != Engaged {
		t.Errorf("%s: %q", got.Code, got.Evidence)
	}
}
