package plan

import (
	"fmt"
	"time"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

// serverSettings make the root qdisc of a host that has no line to shape.
type serverSettings struct {
	link    *config.Link
	device  *Device // nil if it isn't there yet
	packet  int     // bytes of a full packet, link header included
	reasons []Reason
}

const (
	serverTitle       = "a server"
	serverMemory      = 32 << 20
	serverCoDelTarget = 5 * time.Millisecond
	serverCoDelTime   = 100 * time.Millisecond
	usualMTU          = 1500
)

// compileServer plans what a server sends: fq or fq_codel at the root, or an mq
// there and one of them for each transmit queue.
func compileServer(l *config.Link, found *State) *Shaper {
	s := &serverSettings{link: l, device: found.Device(l.Interface), packet: usualMTU}
	if s.device != nil && s.device.MTU > 0 {
		s.packet = s.device.MTU
	}
	s.packet += kindOf(l.Interface, s.device).header
	s.add("rate", "none", "a queue forms at the slowest hop, which a server's own port rarely is: a rate here would only be given away, where on a line it buys the queue")
	shaper := &Shaper{Direction: linklayer.Egress}
	qdisc := Qdisc{Link: l.Interface, Kind: l.Root.Value, Handle: HandleOwned, Parent: HandleRoot}
	if n := s.queues(); n > 1 {
		shaper.Qdisc = qdisc
		shaper.Qdisc.Kind = "mq"
		for i := 1; i <= n; i++ {
			leaf := qdisc
			leaf.Handle, leaf.Parent = HandleQueues, HandleOwned|Handle(i)
			shaper.Leaves = append(shaper.Leaves, s.fill(leaf))
		}
	} else {
		shaper.Qdisc = *s.fill(qdisc)
	}
	s.explain()
	shaper.Reasons = s.reasons
	return shaper
}

// fill gives a qdisc the options of its kind.
func (s *serverSettings) fill(q Qdisc) *Qdisc {
	if q.Kind == config.QdiscFQCodel {
		q.FQCodel = s.fqCodel()
		return &q
	}
	fq := FQDefaults(s.packet)
	q.FQ = &fq
	return &q
}

// fqCodel is what the kernel gives a new fq_codel (fq_codel_init in
// net/sched/sch_fq_codel.c).
func (s *serverSettings) fqCodel() *FQCodel {
	return &FQCodel{
		Limit: fqCodelLimit, Flows: fqCodelFlows, Quantum: s.packet,
		Target: exactCodelTime(serverCoDelTarget), Interval: exactCodelTime(serverCoDelTime),
		MemoryLimit: serverMemory, ECN: true, DropBatch: fqCodelDrop,
	}
}

// queues are the device's transmit queues that are in use.
func (s *serverSettings) queues() int {
	if s.device == nil {
		return 1
	}
	return s.device.queues()
}

func (s *serverSettings) add(attribute, value, why string, args ...any) {
	s.reasons = append(s.reasons, Reason{Attribute: attribute, Value: value, Why: fmt.Sprintf(why, args...)})
}

func (s *serverSettings) explain() {
	r := reasonOf(s.link.Root)
	r.Attribute, r.Value = "qdisc", s.link.Root.Value
	r.Why += "; " + serverChoice[r.Value]
	s.reasons = append(s.reasons, r)
	if n := s.queues(); n > 1 {
		s.add("mq", fmt.Sprintf("%d queues", n), "the device has a transmit queue for each of several processors: one qdisc for all would have them wait for one lock, so each queue has its own")
	}
	s.explainOptions()
	if s.device != nil && s.device.TxQueueLen > 0 {
		s.add("txqueuelen", fmt.Sprint(s.device.TxQueueLen), "the device's, and of no effect: it bounds pfifo_fast and other FIFOs, and %s has a limit of its own", s.link.Root.Value)
	}
}

// serverChoice is when each is right.
var serverChoice = map[string]string{
	config.QdiscFQ:      "it is made for what the host itself sends, BBR above all; for a host that forwards more than it sends (containers, virtual machines, VPN), where there is no socket to keep a pace for, write qdisc = \"fq_codel\"",
	config.QdiscFQCodel: "it keeps the queue short by the time that packets wait, whoever sends them, but paces nothing: for what the host itself sends, with BBR above all, fq is better",
}

// explainOptions gives the reason for each option. All queues have the same.
func (s *serverSettings) explainOptions() {
	why, kind := fqWhy, config.QdiscFQ
	if s.link.Root.Value == config.QdiscFQCodel {
		why, kind = serverFQCodelWhy, config.QdiscFQCodel
	}
	for _, o := range s.fill(Qdisc{Kind: kind}).options() {
		s.add(kind+" "+o.name, o.value, "%s", why[o.name])
	}
}

var fqWhy = map[string]string{
	"limit":              "of all waiting packets; TCP keeps the sum far below it by itself",
	"flow_limit":         "of one connection; TCP keeps a few packets here and the rest in its socket, so this is for floods of UDP",
	"quantum":            "two full packets in a turn",
	"initial_quantum":    "ten full packets in the first turn, which is TCP's first window (RFC 6928): a short answer leaves at once",
	"maxrate":            "the pace is TCP's to choose, or the program's (SO_MAX_PACING_RATE)",
	"buckets":            "of a table that lists connections; more connections than that work too, only slower",
	"orphan_mask":        "packets that no socket here has sent share this many flows + 1, so that a flood of them takes no memory",
	"pacing":             "packets leave when TCP says, one after the other, and not in bursts that a switch's small buffer drops; since Linux 4.20 TCP can see to that itself, but with a timer for each connection, where fq has one for all",
	"refill_delay":       "a connection that was idle for this long gets a first turn again",
	"low_rate_threshold": "a connection slower than this is paced packet by packet",
	"ce_threshold":       "marking from a fixed delay on is for DCTCP, in a data centre whose every host uses it",
	"timer_slack":        "how much later than asked a timer may fire, so that one serves several packets",
	"horizon":            "no sane sender times a packet further ahead",
	"horizon_drop":       "what is timed beyond that is a fault, and dropped",
	"priomap":            "the kernel's three bands by priority, those of pfifo_fast; before Linux 6.7 fq has none",
	"weights":            "nine, three and one parts of what is free for the bands: none starves",
}

var serverFQCodelWhy = map[string]string{
	"limit":        "the memory limit is reached first",
	"flows":        "enough that two connections seldom share a queue",
	"quantum":      "a full packet: at a port's rate turns cost more than they save",
	"target":       "a twentieth of the interval",
	"interval":     "suits most paths through the internet, from a tenth to ten times as long",
	"memory_limit": "of each queue",
	"ecn":          "a mark tells a sender that listens to it as much as a drop",
	"drop_batch":   "a flood is cut down at once",
}

// queues are the transmit queues that are in use, 1 at least.
func (d *Device) queues() int {
	n := d.TxQueues
	if d.TxQueuesInUse > 0 {
		n = min(n, d.TxQueuesInUse)
	}
	return max(n, 1)
}

// Queues are the qdiscs below an mq, one for each transmit queue; none for any
// other root.
func (s *Shaper) Queues() []*Qdisc {
	if s.Qdisc.Kind != "mq" {
		return nil
	}
	return s.Leaves
}

// QueueKind is the kind of the qdisc that packets wait in: that at the root, or
// what is below it.
func (s *Shaper) QueueKind() string {
	if s == nil {
		return ""
	}
	if len(s.Leaves) > 0 {
		return s.Leaves[0].Kind
	}
	return s.Qdisc.Kind
}

// ServerRoot tells whether a root qdisc is one that sqmctl gave a server: its
// own, and without a rate.
func (q *Qdisc) ServerRoot() bool {
	return q.Parent == HandleRoot && q.Handle.Owned() && (q.Kind == "fq" || q.Kind == "fq_codel" || q.Kind == "mq")
}
