package plan

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// FlowTable is a table of nftables that hands packets of known connections
// from one device to another before they are routed (flowtable, in nft(8)).
type FlowTable struct {
	Name     string   // "" if only a configuration file tells of it
	Family   string   // "inet", "ip", "ip6"; "" if not known
	Devices  []string // at whose way in it takes packets; nil if not known
	Hardware bool     // flags offload: the packets don't come to the processor at all
}

// Processor is what a processor has done since the machine started, in its
// own time (proc_stat(5)).
type Processor struct {
	Total   time.Duration
	Idle    time.Duration // waiting for a disk too
	SoftIRQ time.Duration // where packets are forwarded and queued
}

// Configured is what the configuration file of another shaper says about a
// device.
type Configured struct {
	Program  string // "sqm-scripts"
	File     string // "/etc/config/sqm"
	Device   string
	Enabled  bool
	Upload   linklayer.Rate // 0: not shaped
	Download linklayer.Rate // 0: not shaped
	Qdisc    string         // "cake"; "" if it doesn't say
	Script   string         // "piece_of_cake.qos"; "" if it doesn't say
}
