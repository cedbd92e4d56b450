package plan

import (
	"fmt"
	"time"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

// cakeSettings turns the settings of one direction into CAKE's attributes and
// keeps why each has its value.
type cakeSettings struct {
	*config.Settings
	link      *config.Link
	direction linklayer.Direction
	found     *State
	cake      Cake
	why       map[string]Reason // by attribute
}

func compileCake(l *config.Link, d linklayer.Direction, found *State) (*Cake, []Reason, error) {
	s := &cakeSettings{Settings: l.Direction(d), link: l, direction: d, found: found, why: map[string]Reason{}}
	for _, step := range []func() error{s.rate, s.words, s.switches, s.times, s.encapsulation, s.memory} {
		if err := step(); err != nil {
			return nil, nil, err
		}
	}
	var reasons []Reason
	for _, o := range s.cake.options() {
		r := s.why[o.name]
		r.Attribute, r.Value = o.name, o.value
		reasons = append(reasons, r)
	}
	return &s.cake, reasons, nil
}

// because keeps a reason that is not a choice of the profile.
func (s *cakeSettings) because(attribute, why string, args ...any) {
	s.why[attribute] = Reason{Why: fmt.Sprintf(why, args...)}
}

// chosen keeps where a choice comes from and hands out its value.
func chosen[T any](s *cakeSettings, attribute string, c config.Choice[T]) T {
	s.why[attribute] = reasonOf(c)
	return c.Value
}

func reasonOf[T any](c config.Choice[T]) Reason {
	if c.Line != 0 {
		return Reason{Why: fmt.Sprintf("line %d of the profile", c.Line), Line: c.Line}
	}
	return Reason{Why: c.Reason}
}

func (s *cakeSettings) rate() error {
	s.cake.Rate = s.Rate()
	if s.cake.Rate.BytesPerSecond() == 0 {
		return fmt.Errorf("%s less %g %% leaves no rate: correct invoice or headroom, or write \"off\"", s.Invoice, s.Headroom.Value)
	}
	r := reasonOf(s.Headroom)
	r.Why = fmt.Sprintf("%s × (1 − %g %%): %s", s.Invoice, s.Headroom.Value, r.Why)
	s.why["bandwidth"] = r
	s.because("autorate-ingress", "the rate is the one of the profile and not CAKE's guess from what arrives")
	return nil
}

func (s *cakeSettings) words() error {
	var ok bool
	if s.cake.Diffserv, ok = ParseDiffserv(chosen(s, "diffserv", s.Diffserv)); !ok {
		return fmt.Errorf("diffserv %q is not known: write one of %q", s.Diffserv.Value, diffservWords)
	}
	if s.cake.Isolation, ok = ParseIsolation(chosen(s, "flowmode", s.Isolation)); !ok {
		return fmt.Errorf("isolation %q is not known: write one of %q", s.Isolation.Value, isolationWords)
	}
	return s.ackFilter()
}

func (s *cakeSettings) switches() error {
	s.cake.NAT = chosen(s, "nat", s.NAT)
	s.cake.Wash = chosen(s, "wash", s.Wash)
	s.cake.SplitGSO = chosen(s, "split-gso", s.SplitGSO)
	s.cake.FwMark = chosen(s, "fwmark", s.FwMark)
	s.cake.Ingress = s.direction == linklayer.Ingress
	if s.cake.Ingress {
		s.because("ingress", "a packet that is dropped here has crossed the line already, so it counts too")
	} else {
		s.because("ingress", "a packet that is dropped here never loads the line, so it doesn't count")
	}
	return nil
}

// ackFilterRatio is the asymmetry from which acknowledgements crowd an upload:
// one for two full packets is 2 to 3 % of the download's bytes (64 in 2 × 1518
// on DOCSIS, two cells in 64 on ATM), which at 15 times is a third of the
// upload or more.
const ackFilterRatio = 15

func (s *cakeSettings) ackFilter() error {
	switch chosen(s, "ack-filter", s.AckFilter) {
	case "off":
		s.cake.AckFilter = AckFilterOff
	case "on":
		s.cake.AckFilter = AckFilterOn
	case "aggressive":
		s.cake.AckFilter = AckFilterAggressive
	case "auto":
		s.autoAckFilter()
	default:
		return fmt.Errorf("ack-filter %q is not known: write \"auto\", \"off\", \"on\" or \"aggressive\"", s.AckFilter.Value)
	}
	return nil
}

func (s *cakeSettings) autoAckFilter() {
	up, down := s.link.Upload.Invoice, s.link.Download.Invoice
	var why string
	switch {
	case s.direction == linklayer.Ingress:
		why = "acknowledgements of uploads are a trifle beside a download"
	case up == 0 || down == 0:
		why = "without the download's invoice rate nobody knows whether its acknowledgements crowd the upload"
	case down >= up*ackFilterRatio:
		s.cake.AckFilter = AckFilterOn
		why = fmt.Sprintf("the download is %.3g times the upload, and from %d times its acknowledgements crowd the upload", float64(down)/float64(up), ackFilterRatio)
	default:
		why = fmt.Sprintf("the download is %.3g times the upload, and only from %d times do its acknowledgements crowd the upload", float64(down)/float64(up), ackFilterRatio)
	}
	r := Reason{Why: why, Line: s.AckFilter.Line}
	if r.Line != 0 {
		r.Why = fmt.Sprintf("line %d of the profile says auto: %s", r.Line, why)
	}
	s.why["ack-filter"] = r
}

// fullPacket is 1500 bytes and an Ethernet header: the size that CAKE takes
// for a full packet on most devices.
const fullPacket = 1514

// times sets the target to a twentieth of the RTT, as tc does (tc/q_cake.c).
// CAKE itself allows 1.5 times what a full packet takes (cake_set_rate).
func (s *cakeSettings) times() error {
	s.cake.RTT = max(chosen(s, "rtt", s.RTT).Truncate(time.Microsecond), time.Microsecond)
	if s.cake.Ingress && s.RTT.Line == 0 {
		s.waitForSlowSenders()
	}
	s.cake.Target = max((s.cake.RTT / 20).Truncate(time.Microsecond), time.Microsecond)
	why := "a twentieth of rtt, as tc sets it"
	if least := s.cake.Rate.Time(fullPacket) * 3 / 2; least > s.cake.Target {
		why += fmt.Sprintf("; at this rate CAKE itself raises it to %s, the time of one and a half full packets", least.Round(100*time.Microsecond))
	}
	s.because("target", "%s", why)
	return nil
}

// slowWindow is what senders have on their way on a slow line, in full packets:
// eight of them four each. With fewer TCP can't tell a loss without a timeout.
const slowWindow = 8 * 4

// waitForSlowSenders gives senders on a slow line the time to react that their
// own packets make them take. Sooner CAKE only drops more, and what it drops on
// the way in is charged: the next packet of a call waits for that one too.
func (s *cakeSettings) waitForSlowSenders() {
	least := s.cake.Rate.Time(slowWindow * fullPacket).Truncate(time.Millisecond)
	if least > s.cake.RTT {
		s.because("rtt", "the time of %d full packets, which is longer than %s here: senders on a slow line react no sooner, and what is dropped meanwhile counts too", slowWindow, timeWord(s.cake.RTT))
		s.cake.RTT = least
	}
}

// The least that CAKE takes by itself (cake_reconfigure), and the most that a
// router should be asked for.
const (
	leastMemory = 4 << 20
	mostMemory  = 32 << 20
)

// memory uses the sum that CAKE makes by itself, so that it shows in the plan,
// and caps it.
func (s *cakeSettings) memory() error {
	if n := chosen(s, "memlimit", s.MemoryLimit); n > 0 {
		s.cake.MemoryLimit = uint32(n)
		return nil
	}
	sum := 4 * float64(s.cake.Rate.BytesPerSecond()) * s.cake.RTT.Seconds()
	why := fmt.Sprintf("4 × %s × %s = %.0f bytes", s.cake.Rate, timeWord(s.cake.RTT), sum)
	switch {
	case sum < leastMemory:
		sum, why = leastMemory, why+", raised to 4 MiB, the least that CAKE takes by itself"
	case sum > mostMemory:
		sum, why = mostMemory, why+", cut to 32 MiB so that a flood can't fill a router's memory"
	}
	s.cake.MemoryLimit = uint32(sum)
	s.because("memlimit", "%s", why)
	return nil
}
