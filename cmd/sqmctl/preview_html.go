package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/sim"
)

//go:embed preview.html
var pageText string

// page is what preview.html shows. All of its text is escaped.
type page struct {
	Links  []pageLink
	Grades string
}

type pageLink struct {
	Title    string
	Rows     []previewRow
	Verdicts []string
	Plots    []plot
	Assumed  []string
}

// plot is the call's delay over time in SVG units: the curves lie between
// plotLeft and plotRight, plotTop and plotBottom, which preview.html has too.
type plot struct {
	Title         string
	Before, After string // points of a polyline
	Levels, Times []tick
	Warmup        int // where the start-up ends
}

type tick struct {
	At   int
	Text string
}

const (
	plotLeft, plotRight = 60, 700
	plotTop, plotBottom = 14, 210
)

func renderHTML(out io.Writer, previews []previewed) error {
	t, err := template.New("preview").Parse(pageText)
	if err != nil {
		return err
	}
	p := page{Grades: gradeWords()}
	for i := range previews {
		p.Links = append(p.Links, previews[i].page())
	}
	return t.Execute(out, p)
}

func (p *previewed) page() pageLink {
	l := pageLink{Title: p.title(), Verdicts: p.verdicts(), Assumed: p.assumptionWords()}
	for i := range p.directions {
		rows := p.directions[i].rows()
		l.Rows = append(l.Rows, rows[:]...)
		l.Plots = append(l.Plots, p.directions[i].plot())
	}
	return l
}

func (c *comparison) plot() plot {
	greatest := 1.0
	for _, r := range []*sim.WayResult{c.before, c.after} {
		for _, v := range r.Course {
			greatest = max(greatest, ms(v))
		}
	}
	step := niceStep(greatest / 4)
	top := math.Ceil(greatest/step) * step
	length := c.of.duration
	p := plot{
		Title:  fmt.Sprintf("%s: a call's delay", c.direction),
		Before: points(c.before, length, top), After: points(c.after, length, top), Warmup: acrossPlot(c.of.warmup, length),
	}
	for level := 0.0; level <= top; level += step {
		p.Levels = append(p.Levels, tick{upPlot(level, top), fmt.Sprintf("%g ms", level)})
	}
	for at, step := 0.0, niceStep(length.Seconds()/5); at <= length.Seconds(); at += step {
		p.Times = append(p.Times, tick{acrossPlot(time.Duration(at)*time.Second, length), fmt.Sprintf("%g s", at)})
	}
	return p
}

// niceStep is the next 1, 2 or 5 with zeros from a value on.
func niceStep(least float64) float64 {
	for step := 1.0; ; step *= 10 {
		for _, n := range []float64{1, 2, 5} {
			if n*step >= least {
				return n * step
			}
		}
	}
}

// points are a curve. Where no packet arrived it goes straight on.
func points(r *sim.WayResult, length time.Duration, top float64) string {
	var b strings.Builder
	for i, v := range r.Course {
		if v > 0 {
			at := time.Duration(i)*sim.CourseInterval + sim.CourseInterval/2
			fmt.Fprintf(&b, "%d,%d ", acrossPlot(at, length), upPlot(ms(v), top))
		}
	}
	return strings.TrimSpace(b.String())
}

func acrossPlot(at, length time.Duration) int {
	return plotLeft + int(math.Round(at.Seconds()*(plotRight-plotLeft)/length.Seconds()))
}

func upPlot(level, top float64) int {
	return plotBottom - int(math.Round(level*(plotBottom-plotTop)/top))
}
