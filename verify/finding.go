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
	// HeldLittle: the counters since the qdisc was made show next to no signal.
	HeldLittle Code = "held-little"
	// Flat: the throughput stood at a value far below the shaper's rate.
	Flat Code = "flat"
	// CPUBound: a processor is the bottleneck.
	CPUBound Code = "cpu-bound"
	// Unlimited: the qdisc has no rate, so no queue can form in it.
	Unlimited Code = "unlimited"
	// NotRedirected: no filter sends what the link receives to the shaper.
	NotRedirected Code = "not-redirected"
	// ForeignRedirect: a filter sends it somewhere else.
	ForeignRedirect Code = "foreign-redirect"
	// SelfRedirect: a filter sends it to the device that it came in by.
	SelfRedirect Code = "self-redirect"
	// LostRedirect: a filter sends it to a device that is gone.
	LostRedirect Code = "lost-redirect"
	// IFBDown: the IFB is down, so all that is sent to it is lost.
	IFBDown Code = "ifb-down"
	// RoundShaper: the redirect is there, and carries next to nothing.
	RoundShaper Code = "goes-round"
	// FlowOffload: a flow table hands packets on, round the shaper or not.
	FlowOffload Code = "flow-offload"
	// HardwareOffload: a flow table lets hardware forward, so that packets don't
	// come to any qdisc.
	HardwareOffload Code = "hardware-offload"
	// NoDevice: the link's device doesn't exist.
	NoDevice Code = "no-device"
	// DeviceDown: the link's device is down.
	DeviceDown Code = "device-down"
	// NotApplied: nothing of what is planned for the link is there.
	NotApplied Code = "not-applied"
	// PartlyApplied: what is planned for one direction is not there.
	PartlyApplied Code = "partly-applied"
	// NotAsPlanned: the qdisc is there with other settings.
	NotAsPlanned Code = "not-as-planned"
	// OtherOwner: another program's qdisc is in the place of the planned one.
	OtherOwner Code = "other-owner"
	// RateMoves: another program changes the shaper's rate.
	RateMoves Code = "rate-moves"
	// Swapped: upload and download have each other's rate.
	Swapped Code = "swapped"
	// LANSide: the device is on the side of the LAN.
	LANSide Code = "lan-side"
	// AboveDevice: the rate is no lower than the device's own speed.
	AboveDevice Code = "above-device"
	// DoubleShaped: the direction's packets pass two shapers.
	DoubleShaped Code = "double-shaped"
	// Unshaped: the profile leaves the direction alone, for its reason.
	Unshaped Code = "unshaped"
	// NoShaper: the device has the machine's default qdisc and no shaper.
	NoShaper Code = "no-shaper"
	// OverheadTwice: a size table and CAKE both add what the line does.
	OverheadTwice Code = "overhead-twice"
	// OverheadNegative: CAKE's overhead is below zero, a size table's figure.
	OverheadNegative Code = "overhead-negative"
	// OverheadLengths: the packets that CAKE saw contradict its settings.
	OverheadLengths Code = "overhead-lengths"
	// StabOverhead: a size table's overhead doesn't fit what counts from it.
	StabOverhead Code = "stab-overhead"
	// ATMCells: an ADSL line whose cells aren't counted.
	ATMCells Code = "atm-cells"
	// MPU: a line that pads short packets, which aren't counted so.
	MPU Code = "mpu"
	// PTMOverhead: more overhead than any VDSL2 line has.
	PTMOverhead Code = "ptm-overhead"
	// AutorateIngress: CAKE guesses at a rate that is fixed, or on the way out.
	AutorateIngress Code = "autorate-ingress"
	// Isolation: fairness between the hosts at the far end.
	Isolation Code = "isolation"
	// AckFilter: acknowledgements are thinned out behind the line.
	AckFilter Code = "ack-filter"
	// MemoryLimit: a queue was full and dropped what didn't fit.
	MemoryLimit Code = "memory-limit"
	// Burst: an HTB that may send too little at once to reach its rate.
	Burst Code = "burst"
	// Quantum: an HTB class's quantum is at a bound, which is harmless.
	Quantum Code = "quantum"
	// Unclassified: packets that no class of HTB takes pass unshaped.
	Unclassified Code = "unclassified"
	// FIFO: the shaper queues in one long FIFO for all.
	FIFO Code = "fifo"
	// SuperPackets: merged packets hold up the line in one piece.
	SuperPackets Code = "super-packets"
	// NeverUsed: no packet has ever passed the qdisc.
	NeverUsed Code = "never-used"
	// OneFlow: a tunnel makes a single flow of all that goes through it.
	OneFlow Code = "one-flow"
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

// Reassures tells a finding that says only why something is right that may look
// odd. The answers to "does it work" are others.
func (f *Finding) Reassures() bool {
	switch f.Code {
	case Engaged, Idle, Unshaped, Server:
		return false
	}
	return f.Severity == Fine
}
