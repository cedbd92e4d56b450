package sim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	mostFlows    = 4096
	mostDuration = time.Hour
)

// check finds what in a scenario can't be.
func (s *Scenario) check() error {
	if s.Duration <= 0 || s.Duration > mostDuration || s.Warmup < 0 || s.Warmup >= s.Duration {
		return fmt.Errorf("a run takes up to %v and longer than its warm-up: give it a duration above %v", mostDuration, s.Warmup)
	}
	if s.Delay < 0 || s.Delay > 10*time.Second {
		return fmt.Errorf("a delay of %v is out of range: give it up to 10 s", s.Delay)
	}
	loaded := false
	for _, w := range s.Ways {
		if err := w.check(); err != nil {
			return err
		}
		loaded = loaded || w.Load.Flows > 0 && w.Line.Rate == 0
	}
	if loaded {
		return errors.New("transfers over a line without a rate never end growing: give the line a rate")
	}
	return nil
}

func (w *Way) check() error {
	l := w.Line
	switch {
	case l.Rate > 0 && (l.Rate < 8000 || l.Rate > 100e9):
		return fmt.Errorf("a line of %v is out of range: give it 8 kbit/s to 100 Gbit/s", l.Rate)
	case l.Rate > 0 && l.BufferPackets <= 0 && l.Buffer < 2000:
		return errors.New("the line's buffer is too small for one packet: give it 2000 bytes or more")
	case l.Burst < 0 || l.Burst > 0 && l.Burst < 1600:
		return errors.New("a burst below 1600 bytes lets no full packet through: give it 1600 or more, or 0")
	case w.Load.Flows < 0 || w.Load.Flows > mostFlows:
		return fmt.Errorf("%d transfers are too many: give it up to %d", w.Load.Flows, mostFlows)
	case w.Router.Qdisc != None && !slices.Contains(Qdiscs, w.Router.Qdisc):
		return fmt.Errorf("there is no qdisc %q here: use one of %v", w.Router.Qdisc, Qdiscs)
	}
	return cmp.Or(w.Router.checkSwitches(), l.Vary.check())
}

func (r *Router) checkSwitches() error {
	for _, s := range r.Then {
		switch {
		case !slices.Contains(Qdiscs, s.Qdisc):
			return fmt.Errorf("there is no qdisc %q to change to here: use one of %v", s.Qdisc, Qdiscs)
		case r.limits(s.Qdisc) != r.limits(r.Qdisc):
			return fmt.Errorf("%s has a rate and %s has none: give both one, or neither", r.Qdisc, s.Qdisc)
		}
	}
	return nil
}

func (v *Vary) check() error {
	switch {
	case v.Shape == Fixed:
	case v.Shape > Trace:
		return errors.New("a line's rate has no such shape: use sine, triangle, step or a trace")
	case !(v.Amplitude >= 0 && v.Amplitude < 1): // NaN too
		return fmt.Errorf("a rate can't vary by %v of itself: give it a fraction below 1", v.Amplitude)
	case (v.Shape == Sine || v.Shape == Triangle) && (v.Period < courseStep || v.Period > mostDuration):
		return fmt.Errorf("a period of %v is out of range: give it %v to %v", v.Period, courseStep, mostDuration)
	case v.Shape == Step && (v.At < 0 || v.At > mostDuration):
		return fmt.Errorf("a step at %v is out of range: give it up to %v", v.At, mostDuration)
	case v.Shape == Trace && !v.traceable():
		return errors.New("a trace needs values from 0 to 10, for at least 1 ms each and a day at most in all")
	}
	return nil
}

func (v *Vary) traceable() bool {
	const day = 24 * time.Hour
	if len(v.Trace) == 0 || v.Interval < time.Millisecond || v.Interval > day/time.Duration(len(v.Trace)) {
		return false
	}
	for _, value := range v.Trace {
		if !(value >= 0 && value <= 10) { // NaN too
			return false
		}
	}
	return true
}
