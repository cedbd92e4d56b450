package verify

import "github.com/sqmctl/sqmctl/linklayer"

// Code names a finding. Codes are stable: scripts may rely on them.
type Code string

// What Check can say of one direction of one link.
const (
	// Engaged: the shaper held packets back while there was load.
	Engaged Code = "engaged"
	// Idle: too little traffic passed to tell.
	Idle Code = "idle"
	// NotBottleneck: there was load, and the shaper held nothing back.
	NotBottleneck Code = "not-the-bottleneck"
	// Unlimited: the qdisc has no rate, so no queue can form in it.
	Unlimited Code = "unlimited"
	// NotRedirected: what the link receives doesn't reach the shaper.
	NotRedirected Code = "not-redirected"
	// Missing: the planned qdisc, or the device, isn't there.
	Missing Code = "missing"
	// NotAsPlanned: the qdisc is there with other settings.
	NotAsPlanned Code = "not-as-planned"
	// Unshaped: the profile leaves the direction alone, for its reason.
	Unshaped Code = "unshaped"
	// Overhead: what the qdisc adds to a packet is right on no line.
	Overhead Code = "overhead"
	// RateUnits: the rates look like Mbit taken for 1024 kbit.
	RateUnits Code = "rate-units"
	// OneQueue: cake_mq has several queues, and nearly all went through one.
	OneQueue Code = "one-queue"
	// Server: a host that shapes no line has its qdisc.
	Server Code = "server"
	// Pacing: TCP sends at a pace that the root qdisc doesn't keep.
	Pacing Code = "pacing"
	// DefaultQdisc: devices that nobody gives a qdisc get a FIFO.
	DefaultQdisc Code = "default-qdisc"
	// QueueLength: a FIFO may grow far beyond the usual.
	QueueLength Code = "queue-length"
	// NotJudged: a kind of shaper whose counters this program can't judge yet.
	NotJudged Code = "not-judged"
)

// Severity orders findings by what they ask of a person.
type Severity uint8

const (
	// Fine asks for nothing.
	Fine Severity = iota
	// Notice is worth knowing.
	Notice
	// Warning means that latency under load may suffer.
	Warning
	// Fault means that the shaper doesn't do its work.
	Fault
)

func (s Severity) String() string {
	return [...]string{"ok", "notice", "warning", "error"}[s]
}

// Finding is one judgement with its evidence.
type Finding struct {
	Code      Code
	Severity  Severity
	Link      string
	Direction linklayer.Direction
	Text      string   // what is the case, in one sentence
	Evidence  []string // what was seen, a line each, for people
	Numbers   Numbers  // the same for machines
	Advice    string   // what to do; empty when nothing is
}

// Numbers are the figures behind a finding, by a name that ends in their unit:
// "dropped_packets", "rate_bit_per_s". Where there are two samples a counter is
// what it grew by between them.
type Numbers map[string]float64

// numbered adds a number to a finding.
func (f *Finding) numbered(name string, value float64) *Finding {
	if f.Numbers == nil {
		f.Numbers = Numbers{}
	}
	f.Numbers[name] = value
	return f
}
