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
	Evidence  []string // the numbers behind it
	Advice    string   // what to do; empty when nothing is
}
