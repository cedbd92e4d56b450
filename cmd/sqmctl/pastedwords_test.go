package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// printed takes from a state of the kernel's what tc and ip don't print, and rounds
// the rest as they do (iproute2's lib/utils_math.c).
type printed struct{ json bool }

func (p printed) state(s plan.State) plan.State {
	s.Devices = slices.Clone(s.Devices)
	for i := range s.Devices {
		d := &s.Devices[i]
		d.Speed, d.TxQueuesInUse, d.Marks = 0, 0, nil
		if d.Tunnel != nil {
			d.Tunnel = &plan.Tunnel{}
		}
		root := d.At(plan.HandleRoot)
		d.Unknown.Marks = root != nil && root.Kind == "htb" && root.Handle.Owned() // which nobody pastes
		d.Qdiscs = slices.Clone(d.Qdiscs)
		for j := range d.Qdiscs {
			p.qdisc(&d.Qdiscs[j])
		}
		d.Unknown.Rounded = len(d.Classes) > 0 || len(d.Qdiscs) > 0 && !p.json
		d.Classes = slices.Clone(d.Classes)
		for j := range d.Classes {
			p.class(&d.Classes[j])
		}
	}
	return s
}

func (p printed) qdisc(q *plan.QdiscState) {
	if q.Cake != nil {
		c := *q.Cake
		c.Rate, c.RTT = p.rate(c.Rate), p.time(c.RTT)
		c.MemoryLimit = uint32(p.size(uint64(c.MemoryLimit)))
		q.Cake = &c
	}
	if q.FQCodel != nil {
		f := *q.FQCodel
		f.Target, f.Interval = p.time(f.Target), p.time(f.Interval)
		q.FQCodel = &f
	}
	if q.CakeStats != nil {
		q.CakeStats = p.cakeStats(*q.CakeStats)
	}
	if q.FQStats != nil && p.json {
		f := *q.FQStats
		f.ThrottledFlows = 0 // tc has two numbers of that name, and the later one covers it
		q.FQStats = &f
	}
}

func (p printed) cakeStats(s plan.CakeStats) *plan.CakeStats {
	s.Capacity, s.MemoryLimit, s.MemoryUsed = p.rate(s.Capacity), p.size(s.MemoryLimit), p.size(s.MemoryUsed)
	s.Tins = slices.Clone(s.Tins)
	for i := range s.Tins {
		t := &s.Tins[i]
		t.DroppedBytes, t.MarkedBytes, t.AcksDroppedBytes, t.BacklogPackets = 0, 0, 0, 0
		t.Threshold, t.BacklogBytes = p.rate(t.Threshold), p.size(t.BacklogBytes)
		for _, span := range []*time.Duration{&t.Target, &t.Interval, &t.PeakDelay, &t.AverageDelay, &t.BaseDelay} {
			*span = p.time(*span)
		}
	}
	return &s
}

func (p printed) class(c *plan.ClassState) {
	if c.HTB == nil {
		return
	}
	htb := *c.HTB
	htb.Rate, htb.Ceil = printed{}.rate(htb.Rate), printed{}.rate(htb.Ceil) // this tc has no JSON for classes
	if c.Leaf == 0 {                                                        // an inner class
		htb.Quantum, htb.Priority = 0, 0
	}
	c.HTB, c.Rate, c.Ceil = &htb, htb.Rate, htb.Ceil
}

// rate has at least three digits, and no fraction.
func (p printed) rate(r linklayer.Rate) linklayer.Rate {
	unit := linklayer.Rate(1)
	for range 4 {
		n := r / unit
		if p.json || n < 1000 || n%1000 != 0 && n < 1_000_000 {
			break
		}
		unit *= 1000
	}
	return r / unit * unit
}

// size is in whole KiB or MiB where that is nearly right.
func (p printed) size(bytes uint64) uint64 {
	near := func(unit, within float64) (uint64, bool) {
		whole := unit * math.RoundToEven(float64(bytes)/unit)
		return uint64(whole), float64(bytes) >= unit && math.Abs(whole-float64(bytes)) < within
	}
	if n, ok := near(1<<20, 1<<10); ok && !p.json {
		return n
	}
	if n, ok := near(1<<10, 16); ok && !p.json {
		return n
	}
	return bytes
}

// time has three digits from a millisecond on.
func (p printed) time(d time.Duration) time.Duration {
	for _, unit := range []time.Duration{time.Second, time.Millisecond} {
		if p.json || d < unit {
			continue
		}
		n, _ := strconv.ParseFloat(strings.TrimSpace(fmt.Sprintf("%.3g", float64(d)/float64(unit))), 64)
		return time.Duration(math.Round(n * float64(unit)))
	}
	return d
}

// nearBursts compares the bursts of classes, and makes them equal if they are near
// enough: tc works them out of a time that it cuts to whole µs, and then rounds
// them as other sizes.
func (p printed) nearBursts(t *testing.T, want, got []plan.ClassState) {
	t.Helper()
	for i := range want {
		if i >= len(got) || want[i].HTB == nil || got[i].HTB == nil {
			continue
		}
		w, g, handle := want[i].HTB, got[i].HTB, got[i].Handle
		near := func(what string, want, got int, rate linklayer.Rate) {
			within := int(rate.BytesPerSecond()/1e6) + 16 + 1
			if got > want+16 || got < want-within {
				t.Errorf("class %s has a %s of %d, the kernel %d", handle, what, got, want)
			}
		}
		near("burst", w.Burst, g.Burst, w.Rate)
		near("cburst", w.CBurst, g.CBurst, w.Ceil)
		g.Burst, g.CBurst = w.Burst, w.CBurst
	}
}
