package kerneltruth

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

func TestMain(m *testing.M) { kernellab.Main(m) }

var (
	update = flag.Bool("update", false, "run the chosen scenarios that testdata/kernel_more.csv lacks, and add them")
	again  = flag.Int("again", 3, "how many rows to run again in the kernel")
	pick   = flag.Uint64("pick", 1, "seed by which the rows to run again are picked")
)

const moreFile = "testdata/kernel_more.csv"

// A file without its rows, but with its header, is written anew in some ten
// minutes.
func TestUpdate(t *testing.T) {
	if !*update {
		t.Skip("writes testdata; run it with -update")
	}
	text, err := os.ReadFile(moreFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range choose() {
		if strings.Contains(string(text), "\n"+s.ID+",") {
			continue
		}
		t.Run(s.ID, func(t *testing.T) {
			kernellab.Run(t, func(t *testing.T) {
				line := Row{s, measure(t, s)}.csv()
				t.Log(line)
				if err := add(line); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func add(line string) error {
	file, err := os.OpenFile(moreFile, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteString(line + "\n")
	return err
}

func (r Row) csv() string {
	direction, ecn := "up", "off"
	if r.Direction == linklayer.Ingress {
		direction = "down"
	}
	if r.ECN {
		ecn = "on"
	}
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	mbit := func(r linklayer.Rate) string { return number(float64(r) / 1e6) }
	values := []any{
		r.ID, direction, mbit(r.Up), r.UpBuffer, mbit(r.Down), r.DownBuffer, r.Swing, number(float64(r.Delay.Microseconds()) / 1000),
		r.Encapsulation.Framing, r.Encapsulation.Overhead, r.Egress.Words, r.Ingress.Words,
		r.Flows, r.Congestion, ecn, number(r.Duration.Seconds()), number(r.Warmup.Seconds()), r.Calls,
	}
	for _, d := range []time.Duration{r.Median, r.P95, r.Max, r.Mean} {
		values = append(values, fmt.Sprintf("%.3f", d.Seconds()*1000))
	}
	values = append(values, fmt.Sprintf("%.3f", float64(r.Goodput)/1e6),
		r.RouterDrops, r.RouterMarks, r.ModemDrops, r.RouterQueue, r.ModemQueue)
	return joined(values)
}

func joined(values []any) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprint(v))
	}
	return strings.Join(texts, ",")
}

// The kernel still measures what it measured. Three runs of each row of up to
// 300 000 packets tell how exactly. With one CUBIC or Reno transfer they
// differed by up to 1.4 % in the call's delay and 0.24 % in goodput; with
// several or BBR, where the order of losses decides, by 2.9 % and 0.73 %.
// Hashes and the senders' first sequence numbers are new in each.
func TestKernelRepeats(t *testing.T) {
	for _, r := range picked(t) {
		t.Run(r.ID, func(t *testing.T) {
			kernellab.Run(t, func(t *testing.T) {
				got := measure(t, r.Scenario)
				delay, goodput := 4.0, 1.0
				if r.Flows == 1 && r.Congestion != "bbr" {
					delay, goodput = 2, 0.3
				}
				near(t, "median of the call", got.Median, r.Median, delay)
				near(t, "95th percentile of the call", got.P95, r.P95, delay)
				near(t, "goodput", got.Goodput, r.Goodput, goodput)
				t.Logf("drops %d and %d, in the file %d and %d; queues %d and %d bytes, in the file %d and %d",
					got.RouterDrops, got.ModemDrops, r.RouterDrops, r.ModemDrops,
					got.RouterQueue, got.ModemQueue, r.RouterQueue, r.ModemQueue)
			})
		})
	}
}

// near logs how far got is from want, and fails beyond limit percent.
func near[N ~int64 | ~uint64](t *testing.T, what string, got, want N, limit float64) {
	t.Helper()
	off := 100 * (float64(got)/float64(want) - 1)
	t.Logf("%s: %+.2f %%", what, off)
	if math.Abs(off) > limit {
		t.Errorf("%s: %v, in the file %v, which is more than %g %% away", what, got, want, limit)
	}
}

// picked are rows that a kernel runs in seconds.
func picked(t *testing.T) []Row {
	t.Helper()
	all, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	var cheap []Row
	for _, r := range all {
		if r.packets() < 300_000 && r.Swing == 0 && r.Unsteady() == "" {
			cheap = append(cheap, r)
		}
	}
	random := rand.New(rand.NewPCG(*pick, 0))
	random.Shuffle(len(cheap), func(i, k int) { cheap[i], cheap[k] = cheap[k], cheap[i] })
	return cheap[:min(*again, len(cheap))]
}
