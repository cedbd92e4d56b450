package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// Whatever a scenario may be, a run of it ends, accounts for all packets (Run
// looks after that itself), has a result that makes sense, and has it again.
func FuzzRun(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(randomBytes(seed))
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		s := decodeScenario(bytes)
		first := runInTime(t, s)
		if first == nil {
			return
		}
		sensible(t, "result", reflect.ValueOf(*first))
		for d, w := range first.Ways {
			if w.Busy > 1 {
				t.Errorf("the line of the %v was busy for %g of the time", linklayer.Direction(d), w.Busy)
			}
		}
		if again := runInTime(t, s); fmt.Sprint(*first) != fmt.Sprint(*again) {
			t.Errorf("the same scenario gave\n%+v and then\n%+v", *first, *again)
		}
	})
}

func randomBytes(seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 0))
	bytes := make([]byte, 400)
	for i := range bytes {
		bytes[i] = byte(random.Uint32())
	}
	return bytes
}

// runInTime gives nil for a scenario that can't be.
func runInTime(t *testing.T, s Scenario) *Result {
	t.Helper()
	const most = 30 * time.Second // a thousand times what fuzzed runs take
	done := make(chan *Result, 1)
	failed := make(chan error, 1)
	go func() {
		r, err := Run(s)
		failed <- err
		done <- r
	}()
	select {
	case err := <-failed:
		if err != nil && strings.Contains(err.Error(), "fault") {
			t.Fatalf("%v\n%+v", err, s)
		}
	case <-time.After(most):
		t.Fatalf("still running after %v: %+v", most, s)
	}
	return <-done
}

// sensible fails for what is negative or not finite.
func sensible(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			sensible(t, name+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			sensible(t, fmt.Sprintf("%s[%d]", name, i), v.Index(i))
		}
	case reflect.Float64:
		if x := v.Float(); !(x >= 0) || math.IsInf(x, 0) {
			t.Errorf("%s is %g", name, x)
		}
	default:
		if v.CanInt() && v.Int() < 0 {
			t.Errorf("%s is %d", name, v.Int())
		}
	}
}

// choices makes choices of bytes; when there are none left, the first ones.
type choices []byte

func (c *choices) below(n int) int {
	var x int
	for range 2 {
		if len(*c) > 0 {
			x = x<<8 | int((*c)[0])
			*c = (*c)[1:]
		}
	}
	return x % n
}

func (c *choices) yes() bool { return c.below(2) == 1 }

func pick[T any](c *choices, all ...T) T { return all[c.below(len(all))] }

// part is a fraction below 1.
func (c *choices) part() float64 { return float64(c.below(1000)) / 1000 }

// upTo is a duration on a logarithmic scale, or zero.
func (c *choices) upTo(most time.Duration) time.Duration {
	return most >> c.below(36) * time.Duration(c.below(2)+c.below(1000)) / 1000
}

// rate is one from 8 kbit/s to 100 Gbit/s.
func (c *choices) rate() linklayer.Rate {
	return min(8000<<c.below(24)+linklayer.Rate(c.below(10000)), 100*linklayer.Gbit)
}

// decodeScenario takes a scenario from bytes. It is long enough for some ten
// thousand packets and no longer.
func decodeScenario(bytes []byte) Scenario {
	c := choices(bytes)
	s := Scenario{Delay: c.upTo(2 * time.Second), Seed: uint64(c.below(1000)), Duration: 20 * time.Second}
	for d := range s.Ways {
		s.Ways[d] = c.way()
		if rate := s.Ways[d].Line.Rate; rate > 0 {
			s.Duration = min(s.Duration, max(time.Millisecond, rate.Time(10_000*1500)))
		}
	}
	// Without a line that keeps them back, transfers would never end growing.
	if s.Ways[0].Line.Rate == 0 {
		s.Ways[0].Load.Flows = 0
	}
	if s.Ways[1].Line.Rate == 0 {
		s.Ways[1].Load.Flows = 0
	}
	s.Warmup = time.Duration(float64(s.Duration) * c.part())
	for d := range s.Ways {
		s.Ways[d].Router.Then = c.switches(s.Duration)
	}
	return s
}

func (c *choices) way() Way {
	var w Way
	if c.below(8) > 0 {
		w.Line = Line{Rate: c.rate(), Encapsulation: c.encapsulation(), Vary: c.vary()}
		if c.yes() {
			w.Line.Buffer = 2000<<c.below(14) + c.below(2000)
		} else {
			w.Line.BufferPackets = 1 + c.below(1<<c.below(12))
		}
		if c.yes() {
			w.Line.Burst = 1600 + c.below(1<<c.below(16))
		}
	}
	w.Router = c.router()
	w.Load = Load{
		Flows: c.below(1 << c.below(5)), Congestion: pick(c, Congestions...), SlowStart: pick(c, SlowStarts...),
		ECN: c.yes(), Call: c.yes(), Ping: c.yes(), Web: c.yes(),
	}
	return w
}

func (c *choices) encapsulation() linklayer.Encapsulation {
	return linklayer.Encapsulation{
		Overhead: c.below(321) - 64, MPU: c.below(257),
		Framing: pick(c, linklayer.Plain, linklayer.ATM, linklayer.PTM),
	}
}

func (c *choices) vary() Vary {
	v := Vary{
		Shape: pick(c, Fixed, Sine, Triangle, Step, Trace), Amplitude: c.part(),
		Period: 10*time.Millisecond + c.upTo(20*time.Second), At: c.upTo(time.Second),
		Interval: time.Millisecond + c.upTo(time.Second),
	}
	for range 1 + c.below(5) {
		v.Trace = append(v.Trace, 2*c.part())
	}
	return v
}

func (c *choices) router() Router {
	r := Router{
		Qdisc: pick(c, append([]Qdisc{None}, Qdiscs...)...), ECN: c.yes(),
		Limit: c.below(1 << c.below(16)), Burst: c.below(1 << c.below(16)),
		Target: c.upTo(time.Second), Interval: c.upTo(10 * time.Second), Cake: c.cake(),
	}
	if c.below(4) > 0 {
		r.Shaper = c.rate()
	}
	if c.yes() {
		charge := c.encapsulation()
		r.Charge = &charge
	}
	return r
}

func (c *choices) cake() plan.Cake {
	k := plan.Cake{
		Autorate: c.below(4) == 0, Diffserv: plan.Diffserv(c.below(5)), Isolation: plan.Isolation(c.below(8)),
		NAT: c.yes(), Wash: c.yes(), Ingress: c.yes(), AckFilter: plan.AckFilter(c.below(3)), SplitGSO: c.yes(),
		RTT: time.Microsecond + c.upTo(time.Second), Target: time.Microsecond + c.upTo(time.Second),
		Encapsulation: c.encapsulation(), Raw: c.below(4) == 0, MemoryLimit: uint32(c.below(1<<16)) << c.below(10),
	}
	if c.below(4) > 0 {
		k.Rate = c.rate()
	}
	return k
}

func (c *choices) switches(duration time.Duration) (all []Switch) {
	var at time.Duration
	for range c.below(4) {
		at += time.Duration(float64(duration) * c.part() / 2)
		all = append(all, Switch{At: at, Qdisc: pick(c, Qdiscs...)})
	}
	return all
}
