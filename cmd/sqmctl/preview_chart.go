package main

import (
	"fmt"
	"math"
	"os"
	"time"

	"github.com/guptarohit/asciigraph"

	"github.com/sqmctl/sqmctl/sim"
)

// Columns and rows of a chart in a terminal, axes left out.
const (
	chartWidth  = 66
	chartHeight = 9
)

// chart is the call's delay over time, before and after, drawn with
// characters. Without colours the two lines differ by their characters.
func (c *comparison) chart(colours bool) string {
	options := []asciigraph.Option{
		asciigraph.Height(chartHeight), asciigraph.LowerBound(0),
		asciigraph.YAxisValueFormatter(func(v float64) string { return fmt.Sprintf("%.0f", math.Abs(v)) }), // there is a -0
		asciigraph.SeriesChars(asciigraph.DefaultCharSet, asciigraph.CreateCharSet("·")),
		asciigraph.XAxisRange(0, c.of.duration.Seconds()), asciigraph.XAxisTickCount(c.of.chartTicks()),
		asciigraph.XAxisValueFormatter(func(s float64) string { return fmt.Sprintf("%.0f s", s) }),
		asciigraph.Caption(fmt.Sprintf("%s: a call's delay in ms, ─ as it is, · with this profile", c.direction)),
	}
	if colours && os.Getenv("NO_COLOR") == "" {
		options = append(options, asciigraph.SeriesColors(asciigraph.Red, asciigraph.Green))
	}
	return asciigraph.PlotMany([][]float64{columns(c.before, chartWidth), columns(c.after, chartWidth)}, options...)
}

// chartTicks is how many ticks have round times between them.
func (l *previewLine) chartTicks() int {
	for _, parts := range []int{5, 4, 3, 6} {
		if l.duration%(time.Duration(parts)*time.Second) == 0 {
			return parts + 1
		}
	}
	return 6
}

// columns is the course of the delay in ms in so many values, each the greatest
// of its time. Where no packet arrived it goes straight on.
func columns(r *sim.WayResult, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		from, to := i*len(r.Course)/n, (i+1)*len(r.Course)/n
		var greatest time.Duration
		for _, v := range r.Course[from:max(to, min(from+1, len(r.Course)))] {
			greatest = max(greatest, v)
		}
		if values[i] = ms(greatest); greatest == 0 && i > 0 {
			values[i] = values[i-1]
		}
	}
	return values
}
