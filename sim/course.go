package sim

import (
	"math"
	"time"
)

// course is how a line's rate varies, in steps.
type course struct {
	// percent of the rate, times 100, of each step; they repeat, but the last
	// stays if once is set.
	steps []int64
	step  int64 // ns
	once  bool
	round int64 // what all steps together send, in the units of cost
}

const courseStep = 10 * time.Millisecond

// newCourse is nil for a fixed rate.
func newCourse(l Line) *course {
	c := stepsOf(l.Vary)
	if c != nil {
		for _, rate := range c.steps {
			c.round += rate * c.step
		}
	}
	return c
}

func stepsOf(v Vary) *course {
	switch v.Shape {
	case Trace:
		return &course{steps: rounded(v.Trace), step: int64(v.Interval)}
	case Step:
		steps := make([]float64, v.At/courseStep+1)
		for i := range steps {
			steps[i] = 1
		}
		steps[len(steps)-1] = 1 - v.Amplitude
		return &course{steps: rounded(steps), step: int64(courseStep), once: true}
	case Sine, Triangle:
		steps := make([]float64, max(v.Period/courseStep, 1))
		for i := range steps {
			steps[i] = 1 + float64(v.Amplitude*wave(v.Shape, float64(i)/float64(len(steps))))
		}
		return &course{steps: rounded(steps), step: int64(courseStep)}
	}
	return nil
}

// wave is a shape's deviation, −1..1, at a part of its period.
func wave(s Shape, at float64) float64 {
	switch {
	case s == Sine:
		return math.Sin(float64(2 * math.Pi * at))
	case at < 0.25:
		return float64(4 * at)
	case at < 0.75:
		return 2 - float64(4*at)
	}
	return float64(4*at) - 4
}

// rounded makes numbers of fractions on which every processor agrees.
func rounded(fractions []float64) []int64 {
	all := make([]int64, len(fractions))
	for i, f := range fractions {
		all[i] = max(int64(math.Round(float64(f*1e4))), 1)
	}
	return all
}

// cost is how long what takes so many ns at the mean rate takes from a moment
// on.
func (c *course) cost(mean, start int64) int64 {
	left, now := mean*1e4, start
	// Very slow lines need many times round for a packet.
	if !c.once {
		times := left / c.round
		left -= times * c.round
		now += times * int64(len(c.steps)) * c.step
	}
	for {
		at := now / c.step
		last := c.once && at >= int64(len(c.steps)-1)
		if last {
			at = int64(len(c.steps) - 1)
		}
		rate := c.steps[at%int64(len(c.steps))]
		until := (now/c.step + 1) * c.step
		if done := (until - now) * rate; done < left && !last {
			left -= done
			now = until
			continue
		}
		return now + (left+rate-1)/rate - start
	}
}
