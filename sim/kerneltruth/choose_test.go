package kerneltruth

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// chosen is how many scenarios choose chooses.
const chosen = 48

// choose chooses the scenarios, always the same.
func choose() []Scenario {
	c := chooser{rand.New(rand.NewPCG(1, 2))}
	var all []Scenario
	for len(all) < chosen {
		s := c.scenario()
		if s.packets() > 3_000_000 || s.cycle() > 60*time.Second {
			continue // a kernel would take minutes, or a minute would show too little
		}
		s.ID = fmt.Sprintf("r%02d", len(all)+1)
		all = append(all, s)
	}
	return all
}

type chooser struct{ *rand.Rand }

// between is log-uniform: as likely between 1 and 10 as between 10 and 100.
func (c chooser) between(low, high float64) float64 {
	return low * math.Pow(high/low, c.Float64())
}

func (c chooser) oneIn(n int) bool { return c.IntN(n) == 0 }

// bytes is what a rate sends in 10 to 500 ms, and 16 KiB at least.
func (c chooser) bytes(r linklayer.Rate) int {
	return max(16<<10, int(float64(r)/8*c.between(0.010, 0.500)))
}

func (c chooser) scenario() Scenario {
	rate := linklayer.Rate(c.between(1000, 300_000)) * linklayer.Kbit
	s := Scenario{
		Up: rate, UpBuffer: c.bytes(rate), Down: 1000 * linklayer.Mbit, DownBuffer: 10_000_000,
		Delay:         time.Duration(c.between(2000, 100_000)) * time.Microsecond,
		Encapsulation: linklayer.Encapsulation{Overhead: 38},
		Flows:         int(c.between(1, 33)),
		Congestion:    []string{"cubic", "cubic", "cubic", "reno", "bbr"}[c.IntN(5)],
		ECN:           c.oneIn(4),
	}
	if rate < 24*linklayer.Mbit && c.oneIn(2) {
		s.Encapsulation = linklayer.Encapsulation{Overhead: []int{10, 32, 40}[c.IntN(3)], Framing: linklayer.ATM}
	}
	if c.oneIn(2) {
		s.Direction = linklayer.Ingress
		s.Down, s.DownBuffer, s.Up, s.UpBuffer = rate, s.UpBuffer, max(rate/8/linklayer.Kbit*linklayer.Kbit, 300*linklayer.Kbit), 131072
	}
	c.shape(&s)
	s.Duration, s.Warmup = 60*time.Second, 10*time.Second
	if s.cycle() > 8*time.Second {
		s.Duration, s.Warmup = 120*time.Second, 30*time.Second
	}
	return s
}

func (c chooser) shape(s *Scenario) {
	shaped := s.Rate() / linklayer.Kbit * linklayer.Rate(80+c.IntN(31)) / 100
	queue := c.bytes(s.Rate())
	charge := fmt.Sprintf("overhead %d", s.Encapsulation.Overhead)
	if s.Encapsulation.Framing == linklayer.ATM {
		charge += " atm"
	}
	if s.Direction == linklayer.Ingress && c.oneIn(2) {
		charge += " ingress"
	}
	words := []string{
		"", "fq_codel",
		fmt.Sprintf("cake bandwidth %dkbit besteffort %s", shaped, charge),
		fmt.Sprintf("cake bandwidth %dkbit besteffort flowblind %s", shaped, charge),
		fmt.Sprintf("htb rate %dkbit burst 1600; codel", shaped),
		fmt.Sprintf("htb rate %dkbit burst 1600; fq_codel", shaped),
		fmt.Sprintf("htb rate %dkbit burst 1600; pfifo limit %d", shaped, queue/1514),
		fmt.Sprintf("tbf rate %dkbit burst 1600 limit %d", shaped, queue),
	}[c.IntN(8)]
	q, err := parseQdisc(words)
	if err != nil {
		panic(err)
	}
	if s.Direction == linklayer.Egress {
		s.Egress = q
	} else {
		s.Ingress = q
	}
}

// packets is how many full packets the line carries in the run.
func (s Scenario) packets() int {
	return int(float64(s.Rate()) / 8 / 1538 * s.Duration.Seconds())
}

// cycle is about how long a sender takes from one loss to the next when it
// fills the buffer.
func (s Scenario) cycle() time.Duration {
	rtt := (2*s.Delay + s.Rate().Time(s.Buffer())).Seconds()
	window := float64(s.Rate()) / 8 / 1538 * rtt / float64(s.Flows)
	seconds := math.Cbrt(window * 0.3 / 0.4) // RFC 9438, 4.2
	switch s.Congestion {
	case "reno":
		seconds = window / 2 * rtt
	case "bbr":
		seconds = 10 // between two looks at the shortest round trip
	}
	return time.Duration(seconds * float64(time.Second))
}
