package sim

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const (
	manual     = "../docs/simulator.md"
	tableBegin = "<!-- kernel comparison -->"
	tableEnd   = "<!-- end of kernel comparison -->"
)

// checkDocumented holds the manual's table to what was found, or writes it
// with -update.
func checkDocumented(t *testing.T, all []compared) {
	t.Helper()
	text, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableBegin)
	_, after, found := strings.Cut(rest, tableEnd)
	if !ok || !found {
		t.Fatalf("%s lacks the marks %s and %s", manual, tableBegin, tableEnd)
	}
	want := before + tableBegin + "\n" + table(all) + tableEnd + after
	if want == string(text) {
		return
	}
	if !*update {
		t.Errorf("%s doesn't have what the simulator says now; run: go test ./sim -run KernelRows -update", manual)
	} else if err := os.WriteFile(manual, []byte(want), 0o644); err != nil {
		t.Error(err)
	}
}

func table(all []compared) string {
	var b strings.Builder
	b.WriteString("| | line, buffer | RTT | router | transfers | median, ms | 95 %, ms | goodput, Mbit/s | |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, c := range all {
		fmt.Fprintf(&b, "| %s | %s, %d KiB | %g ms | %s | %s | %s | %s | %s | %s |\n", c.ID,
			strings.Join([]string{c.Rate().String(), way(c)}, " "), (c.Buffer()+512)>>10, ms(2*c.Delay), words(c), transfers(c),
			pair("%.2f", ms(c.Median), ms(c.median)), pair("%.2f", ms(c.P95), ms(c.p95)),
			pair("%.3f", float64(c.Goodput)/1e6, c.goodput/1e6), mark(c))
	}
	b.WriteString("\n")
	for _, c := range all {
		if len(c.off) > 0 {
			fmt.Fprintf(&b, "- %s: %s.\n", c.ID, c.exception())
		}
	}
	return b.String()
}

func pair(format string, kernel, simulated float64) string {
	if simulated == 0 { // nothing arrived
		return fmt.Sprintf(format+" / –", kernel)
	}
	return fmt.Sprintf(format+" / "+format, kernel, simulated)
}

func way(c compared) string {
	words := c.Direction.String()
	if c.Encapsulation.Framing != 0 {
		words += ", " + c.Encapsulation.Framing.String()
	}
	if c.Swing > 0 {
		words += fmt.Sprintf(", ±%d %%", c.Swing)
	}
	return words
}

func words(c compared) string {
	if q := c.Qdisc(); q.Kind != "" {
		return "`" + q.Words + "`"
	}
	return "–"
}

func transfers(c compared) string {
	words := fmt.Sprintf("%d %s", c.Flows, c.Congestion)
	if c.ECN {
		words += " ECN"
	}
	return words
}

// mark shows what is not within bounds.
func mark(c compared) string {
	if len(c.off) == 0 {
		return ""
	}
	return "off: " + strings.Join(c.off, ", ")
}
