package kerneltruth

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/linklayer"
)

func TestRows(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]Row{}
	for _, r := range rows {
		if _, twice := byID[r.ID]; twice {
			t.Errorf("two rows %s", r.ID)
		}
		byID[r.ID] = r
		idle := r.Delay + r.Rate().Time(r.Encapsulation.WireSize(200))/2
		if r.Median < idle || r.P95 < r.Median || r.Max < r.P95 || r.Goodput >= r.Rate() {
			t.Errorf("%s can't be: %+v", r.ID, r.Measured)
		}
		// A CoDel that marks what speaks ECN has the call alone to drop.
		if want := int((r.Duration - r.Warmup) / (20 * time.Millisecond)); r.Calls > want+50 || r.Calls < want/3 {
			t.Errorf("%s: %d packets of the call, of %d", r.ID, r.Calls, want)
		}
	}
	want := Row{
		Scenario{
			ID: "h25", Direction: linklayer.Ingress, Up: 10 * linklayer.Mbit, UpBuffer: 131072,
			Down: 50 * linklayer.Mbit, DownBuffer: 1_000_000, Delay: 12 * time.Millisecond,
			Encapsulation: linklayer.Encapsulation{Overhead: 38},
			Ingress: Qdisc{
				Words: "cake bandwidth 45mbit besteffort overhead 38 ingress", Kind: "cake", Shaper: 45 * linklayer.Mbit,
				Charge: linklayer.Encapsulation{Overhead: 38}, Besteffort: true, Ingress: true,
			},
			Flows: 1, Congestion: "cubic", Duration: 60 * time.Second, Warmup: 10 * time.Second,
		},
		Measured{
			Calls: 2500, Median: 12180 * time.Microsecond, P95: 12480 * time.Microsecond, Max: 12680 * time.Microsecond,
			Mean: 12210 * time.Microsecond, Goodput: 41194 * linklayer.Kbit,
			RouterDrops: 36, RouterMarks: -1, RouterQueue: -1, ModemQueue: -1,
		},
	}
	if diff := cmp.Diff(want, byID["h25"]); diff != "" {
		t.Errorf("h25, wanted − and got +:\n%s", diff)
	}
}

// The scenarios in the file are those that the seed chooses.
func TestRowsAreThoseChosen(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]Scenario{}
	for _, r := range rows {
		found[r.ID] = r.Scenario
	}
	for _, s := range choose() {
		if diff := cmp.Diff(s, found[s.ID]); diff != "" {
			t.Errorf("%s, chosen − and in the file +; rows are added with -update:\n%s", s.ID, diff)
		}
	}
}

func TestWrittenRowsReadBack(t *testing.T) {
	text, err := os.ReadFile(moreFile)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if !strings.Contains(string(text), "\n"+r.csv()+"\n") {
			t.Errorf("not in the file: %s", r.csv())
		}
	}
}

func TestParseQdisc(t *testing.T) {
	for words, want := range map[string]Qdisc{
		"":         {},
		"fq_codel": {Kind: "fq_codel"},
		"htb rate 19mbit burst 1600; pfifo limit 9": {
			Kind: "pfifo", Shaper: 19 * linklayer.Mbit, HTB: true, Burst: 1600, Limit: 9,
		},
		"tbf rate 900kbit burst 1600 limit 16384": {
			Kind: "tbf", Shaper: 900 * linklayer.Kbit, Burst: 1600, Limit: 16384,
		},
		"cake bandwidth 9mbit flowblind overhead 40 atm ingress": {
			Kind: "cake", Shaper: 9 * linklayer.Mbit, Flowblind: true, Ingress: true,
			Charge: linklayer.Encapsulation{Overhead: 40, Framing: linklayer.ATM},
		},
	} {
		want.Words = words
		got, err := parseQdisc(words)
		if err != nil {
			t.Errorf("%q: %v", words, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q, wanted − and got +:\n%s", words, diff)
		}
	}
	for _, bad := range []string{"htb rate 19mbit", "tbf rate 19mbit; pfifo", "cake bandwidth", "cake bandwidth 19", "codel noecn 1"} {
		if q, err := parseQdisc(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, q)
		}
	}
}

func TestScript(t *testing.T) {
	q, err := parseQdisc("htb rate 19mbit burst 1600; codel")
	if err != nil {
		t.Fatal(err)
	}
	want := `qdisc add dev wan root handle 1: htb default 1
class add dev wan parent 1: classid 1:1 htb rate 19mbit burst 1600
qdisc add dev wan parent 1:1 codel
`
	if diff := cmp.Diff(want, q.Script("wan")); diff != "" {
		t.Errorf("wanted − and got +:\n%s", diff)
	}
}
