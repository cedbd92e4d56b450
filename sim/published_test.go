package sim

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// figure is a figure that somebody published, and the band that it is held to.
type figure struct {
	ids    []string          // the page's readings that show it
	fields map[string]string // by column
}

// figures are those of a file in testdata; that none is missing is checked.
func figures(t *testing.T, file string) []figure {
	t.Helper()
	records := readCSV(t, file+".csv")
	var all []figure
	var ids []string
	for _, r := range records[1:] {
		f := figure{ids: strings.Fields(r[0]), fields: map[string]string{}}
		for i, column := range records[0] {
			f.fields[column] = r[i]
		}
		all = append(all, f)
		ids = append(ids, f.ids...)
	}
	for _, r := range readCSV(t, "published_ids.csv") {
		if r[0] == file {
			want := strings.Fields(r[1])
			slices.Sort(want)
			slices.Sort(ids)
			if diff := cmp.Diff(want, slices.Compact(ids)); diff != "" {
				t.Errorf("figures of %s.csv (-published +there):\n%s", file, diff)
			}
			return all
		}
	}
	t.Fatalf("published_ids.csv doesn't list %s", file)
	return nil
}

func readCSV(t *testing.T, name string) [][]string {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := csv.NewReader(file)
	lines.Comment = '#'
	records, err := lines.ReadAll()
	if err != nil || len(records) == 0 {
		t.Fatalf("%s: %d lines, %v", name, len(records), err)
	}
	return records
}

// number is a column's; 0 if it is empty.
func (f figure) number(t *testing.T, column string) float64 {
	t.Helper()
	text, ok := f.fields[column]
	if !ok {
		t.Fatalf("no column %s", column)
	}
	if text == "" {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// hold holds what was simulated to the band, or where the page is not right to
// what the kernel measured: delays to 0.6 ms or 4 %, throughput to 2 %.
func (f figure) hold(t *testing.T, got float64) {
	t.Helper()
	name, metric := strings.Join(f.ids, " "), f.fields["metric"]
	low, high := f.number(t, "low"), f.number(t, "high")
	if f.fields["excluded"] != "" && f.fields["kernel"] == "" {
		t.Logf("%s: %s %.3f, published %s, not held: %s", name, metric, got, f.fields["published"], f.fields["excluded"])
		return
	}
	if f.fields["excluded"] != "" {
		t.Logf("%s is not held to the published %s %s: %s", name, metric, f.fields["published"], f.fields["excluded"])
		kernel := f.number(t, "kernel")
		within := 0.02 * kernel
		if strings.HasSuffix(metric, "_ms") {
			within = max(0.6, 0.04*kernel)
		}
		low, high = kernel-within, kernel+within
	}
	t.Logf("%s: %s %.3f, published %s, band %g to %g", name, metric, got, f.fields["published"], low, high)
	if math.IsNaN(got) || got < low || got > high {
		t.Errorf("%s: %s is %.3f, should be from %g to %g", name, metric, got, low, high)
	}
}

// middle is the median of what several runs showed.
func middle(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
