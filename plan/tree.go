package plan

import (
	"fmt"
	"time"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

// treeSettings turns the settings of one direction into an HTB class with
// fq_codel below it. What CAKE does by itself is worked out here: the framing
// becomes a size table, and slow links get a longer target.
type treeSettings struct {
	*cakeSettings
	device  string         // that the tree is on
	rate    linklayer.Rate // of the class
	class   HTBClass
	fqCodel FQCodel
	stab    *Stab
	classes []*Class
	leaves  []*Qdisc
	marks   *Marks
	reasons []Reason
}

const (
	treeClass       = 1    // the class's minor number
	directLimit     = 1000 // the kernel's, for a device with the usual queue
	fqCodelLimit    = 10240
	fqCodelFlows    = 1024
	fqCodelDrop     = 64
	smallPacket     = 300 - ethernetHeader // IP; the usual quantum is 300
	fastRate        = 100 * linklayer.Mbit
	burstTime       = time.Millisecond
	leastQuantum    = fullPacket
	mostQuantum     = 200_000 // HTB warns beyond
	stabLength      = 2047    // bytes of the longest packet that the table knows
	stabEntries     = 2048    // one for each length
	ptmData, ptmAll = 64, 65
)

func compileTree(l *config.Link, d linklayer.Direction, device string, found *State) (*Shaper, error) {
	s := &treeSettings{device: device, cakeSettings: &cakeSettings{
		Settings: l.Direction(d), link: l, direction: d, found: found, why: map[string]Reason{},
	}}
	for _, step := range []func() error{s.cakeSettings.rate, s.times, s.encapsulation, s.memory} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	s.shape()
	s.queue()
	root := &HTB{Default: treeClass, DirectLimit: directLimit}
	if err := s.hang(root); err != nil {
		return nil, err
	}
	s.charge()
	return &Shaper{
		Direction: d,
		Invoice:   s.Invoice,
		Qdisc:     Qdisc{Link: device, Kind: "htb", Handle: HandleOwned, Parent: HandleRoot, HTB: root, Stab: s.stab},
		Classes:   s.classes,
		Leaves:    s.leaves,
		Marks:     s.marks,
		Reasons:   s.reasons,
	}, nil
}

// hang puts one fq_codel below the class, or the tiers.
func (s *treeSettings) hang(root *HTB) error {
	chosen(s.cakeSettings, "diffserv", s.Diffserv)
	s.carry("diffserv", s.Diffserv.Value, "diffserv")
	s.classes = []*Class{{Link: s.device, Handle: HandleOwned | treeClass, Parent: HandleOwned, HTB: &s.class}}
	switch s.Diffserv.Value {
	case "besteffort":
		s.leaves = []*Qdisc{{Link: s.device, Kind: "fq_codel", Parent: HandleOwned | treeClass, FQCodel: &s.fqCodel}}
	case "diffserv3":
		root.Default = uint16(tiers[0].minor)
		s.share()
	default:
		return fmt.Errorf("diffserv %q is not for fq_codel: write \"besteffort\" or \"diffserv3\"", s.Diffserv.Value)
	}
	return nil
}

func (s *treeSettings) add(attribute, value, why string, args ...any) {
	s.reasons = append(s.reasons, Reason{Attribute: attribute, Value: value, Why: fmt.Sprintf(why, args...)})
}

// replace gives an attribute another value and reason.
func (s *treeSettings) replace(attribute, value, why string) {
	for i := range s.reasons {
		if s.reasons[i].Attribute == attribute {
			s.reasons[i] = Reason{Attribute: attribute, Value: value, Why: why}
		}
	}
}

// carry takes a reason over that was given for CAKE's attribute.
func (s *treeSettings) carry(attribute, value, cake string) {
	r := s.why[cake]
	r.Attribute, r.Value = attribute, value
	s.reasons = append(s.reasons, r)
}

// shape is the class.
func (s *treeSettings) shape() {
	s.rate = s.cake.Rate
	if s.cake.Encapsulation.Framing == linklayer.PTM {
		s.rate = s.rate / ptmAll * ptmData
	}
	s.carry("htb rate", rateWord(s.rate), "bandwidth")
	if s.rate != s.cake.Rate {
		s.add("htb rate", rateWord(s.rate), "64 of 65: the framing adds a byte to 64, which a size table can't tell")
	}
	s.add("htb ceil", rateWord(s.rate), "there is nobody to borrow from")
	burst, why := s.burst(s.rate)
	s.add("htb burst", fmt.Sprintf("%db", burst), "%s", why)
	s.add("htb cburst", fmt.Sprintf("%db", burst), "as burst")
	quantum := s.quantum(s.rate)
	s.add("htb quantum", fmt.Sprint(quantum), "a turn beside other classes, of which there are none; the kernel's own guess is a warning in its log")
	s.add("htb prio", "0", "it is alone")
	s.class = HTBClass{Rate: s.rate, Ceil: s.rate, Burst: burst, CBurst: burst, Quantum: quantum}
}

// burst is what a class may send at once, in bytes, and why.
func (s *treeSettings) burst(rate linklayer.Rate) (bytes int, why string) {
	inTime, packet := burstBytes(rate), s.cake.Encapsulation.WireSize(fullPacket-ethernetHeader)
	if packet > inTime {
		return exactBurst(packet, rate), "a full packet as the line counts it: less would let none through"
	}
	return exactBurst(inTime, rate), fmt.Sprintf("what goes in %s, so that the timer needn't be finer", burstTime)
}

func burstBytes(rate linklayer.Rate) int {
	return int(float64(rate.BytesPerSecond()) * burstTime.Seconds())
}

// quantum is a class's turn beside others of its priority, in bytes.
func (s *treeSettings) quantum(rate linklayer.Rate) int {
	return min(max(burstBytes(rate), leastQuantum), mostQuantum)
}

// waits are how long a packet may wait at a rate before CoDel acts, and how long
// that takes.
func (s *treeSettings) waits(rate linklayer.Rate) (target, interval time.Duration) {
	least := s.cake.Target
	target = max(least, (rate.Time(fullPacket) * 3 / 2).Truncate(time.Microsecond))
	return exactCodelTime(target), exactCodelTime(s.cake.RTT + target - least)
}

// queue is fq_codel.
func (s *treeSettings) queue() {
	quantum, why := s.cake.Encapsulation.WireSize(smallPacket), "below 100 Mbit/s a turn is a packet of 286 bytes as the line counts it, so that small ones don't wait for full ones"
	if s.rate >= fastRate {
		quantum, why = fullPacket, "a full packet: at this rate turns cost more than they save"
	}
	target, interval := s.waits(s.rate)
	s.fqCodel = FQCodel{
		Limit: fqCodelLimit, Flows: fqCodelFlows, Quantum: quantum,
		Target: target, Interval: interval,
		MemoryLimit: s.cake.MemoryLimit, ECN: true, DropBatch: fqCodelDrop,
	}
	s.add("fq_codel limit", fmt.Sprint(fqCodelLimit), "the memory limit is reached first")
	s.add("fq_codel flows", fmt.Sprint(fqCodelFlows), "enough that two connections seldom share a queue")
	s.add("fq_codel quantum", fmt.Sprint(quantum), "%s", why)
	if target > exactCodelTime(s.cake.Target) {
		s.add("fq_codel target", timeWord(s.fqCodel.Target), "the time of one and a half full packets, which a queue can't stay below")
	} else {
		s.add("fq_codel target", timeWord(s.fqCodel.Target), "a twentieth of rtt")
	}
	s.carry("fq_codel interval", timeWord(s.fqCodel.Interval), "rtt")
	s.carry("fq_codel memory_limit", sizeWord(s.fqCodel.MemoryLimit), "memlimit")
	s.add("fq_codel ecn", "ecn", "a mark tells a sender that listens to it as much as a drop")
	s.add("fq_codel drop_batch", fmt.Sprint(fqCodelDrop), "a flood is cut down at once")
}

// charge is the size table: what the line adds to the length that the device
// counts. Unlike CAKE it doesn't take the device's own header away first.
func (s *treeSettings) charge() {
	e := s.cake.Encapsulation
	if s.cake.Raw {
		s.carry("stab", "none", "raw")
		return
	}
	header := kindOf(s.link.Interface, s.found.Device(s.link.Interface)).header
	stab := &Stab{Overhead: e.Overhead - header, MPU: e.MPU, ATM: e.Framing == linklayer.ATM}
	if stab.MPU > 0 || stab.ATM {
		stab.MTU, stab.Size = stabLength, stabEntries
	}
	if *stab == (Stab{}) {
		s.add("stab", "none", "the device counts what the line does")
		return
	}
	s.stab = stab
	s.carry("stab overhead", fmt.Sprint(stab.Overhead), "overhead")
	if header > 0 {
		r := &s.reasons[len(s.reasons)-1]
		r.Why += fmt.Sprintf("; less the %d bytes of link header that %s counts already", header, s.link.Interface)
	}
	s.carry("stab mpu", fmt.Sprint(stab.MPU), "mpu")
	layer := "ethernet"
	if stab.ATM {
		layer = "atm"
	}
	s.carry("stab linklayer", layer, "atm")
}
