package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim"
)

// madeUp is a preview without a simulation: 200 ms before, 15 ms after.
func madeUp() []previewed {
	side := func(delay time.Duration) *sim.WayResult {
		r := &sim.WayResult{Call: sim.Delay{Idle: 12 * time.Millisecond, Median: delay, P95: delay}, Goodput: 19e6}
		for at := time.Duration(0); at < 20*time.Second; at += sim.CourseInterval {
			r.Course = append(r.Course, delay)
		}
		return r
	}
	l := &previewLine{
		config:  &config.Link{Interface: `<b>"wan"`, Type: linklayer.Access{Title: "cable & more"}},
		assumed: assumptions[0], rtt: wired, flows: 4, warmup: 8 * time.Second, duration: 20 * time.Second,
	}
	l.lines[linklayer.Egress] = sim.Line{Rate: 20 * linklayer.Mbit, Buffer: 512 << 10}
	l.config.Download.Off = true
	return []previewed{{l, []comparison{{
		direction: linklayer.Egress, of: l, line: &l.lines[linklayer.Egress], invoice: 20 * linklayer.Mbit, shaper: 19 * linklayer.Mbit,
		before: side(200 * time.Millisecond), after: side(15 * time.Millisecond),
	}}}}
}

// The page needs nothing but itself, and escapes what it is given.
func TestPage(t *testing.T) {
	var out bytes.Buffer
	if err := renderHTML(&out, madeUp()); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if found := regexp.MustCompile(`(?i)(src|href)\s*=|https?:|url\(|@import|<script|<link`).FindString(text); found != "" {
		t.Errorf("the page has %q", found)
	}
	if !strings.Contains(text, "prefers-color-scheme: dark") {
		t.Error("the page has no dark form")
	}
	if strings.Contains(text, "<b>") || !strings.Contains(text, "cable &amp; more") {
		t.Error("text is not escaped")
	}
	for _, svg := range regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(text, -1) {
		for d := xml.NewDecoder(strings.NewReader(svg)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("the plot is not well-formed: %v", err)
			}
		}
	}
	if n := strings.Count(text, "<polyline"); n != 2 {
		t.Errorf("%d curves, should be 2", n)
	}
}

// The scale ends at the first level above the greatest delay, and the curves
// are where the levels say.
func TestPlot(t *testing.T) {
	m := madeUp()
	p := m[0].directions[0].plot()
	last := p.Levels[len(p.Levels)-1]
	if p.Levels[0] != (tick{plotBottom, "0 ms"}) || last != (tick{plotTop, "200 ms"}) {
		t.Errorf("levels from %v to %v", p.Levels[0], last)
	}
	if first, _, _ := strings.Cut(p.Before, " "); first != "62,14" {
		t.Errorf("200 ms at the start are at %s", first)
	}
	if n := strings.Count(p.After, ",195"); n != 200 { // 15 of 200 ms: 15 up from 210
		t.Errorf("%d points of 15 ms", n)
	}
	if p.Warmup != 316 { // 8 of 20 s
		t.Errorf("the start-up ends at %d", p.Warmup)
	}
}

func TestChart(t *testing.T) {
	m := madeUp()
	chart := m[0].directions[0].chart(false)
	lines := strings.Split(chart, "\n")
	if !strings.Contains(lines[0], "200") || !strings.Contains(lines[0], strings.Repeat("─", chartWidth-1)) {
		t.Errorf("200 ms are not in the first line:\n%s", chart)
	}
	if !strings.Contains(lines[chartHeight-1], strings.Repeat("·", chartWidth-1)) {
		t.Errorf("15 ms are not in the last line but one:\n%s", chart)
	}
	if strings.Contains(chart, "\x1b") {
		t.Error("colours where there is no terminal")
	}
	if coloured := m[0].directions[0].chart(true); !strings.Contains(coloured, "\x1b[") {
		t.Error("no colours on a terminal")
	}
}

// A column is the greatest value of its time, and a run without a course has
// none.
func TestColumns(t *testing.T) {
	r := &sim.WayResult{Course: []time.Duration{1e6, 5e6, 2e6, 3e6}}
	if got := columns(r, 2); got[0] != 5 || got[1] != 3 {
		t.Errorf("%v", got)
	}
	if got := columns(&sim.WayResult{Course: []time.Duration{0, 4e6, 0, 2e6}}, 4); got[0] != 0 || got[2] != 4 || got[3] != 2 {
		t.Errorf("without packets at first and later: %v", got)
	}
	if got := columns(&sim.WayResult{}, 2); got[0] != 0 || got[1] != 0 {
		t.Errorf("%v", got)
	}
}
