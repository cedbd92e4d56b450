package plan

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// State is what was found, at one moment.
type State struct {
	Time              time.Time // when it was read; only differences count
	Memory            uint64    // of the machine, in bytes; 0: not known
	OnlineProcessors  int       // 0: not known
	Devices           []Device
	DefaultQdisc      string   // what the kernel gives a device (net.core.default_qdisc); "": not known
	CongestionControl string   // of new TCP connections (net.ipv4.tcp_congestion_control); "": not known
	Unreadable        []string // one line for each object that was only partly decoded: its kind and handle are right, the rest may be missing

	DefaultRoutes []string    // devices that the default routes leave by; nil: none, or not known
	FlowTables    []FlowTable // that forward packets round the qdiscs
	Processors    []Processor // in the order of their numbers; nil: not known
	Configured    []Configured

	MissingModules []string // of the kernel, that a redirect takes and that seem not to be there
}

// Device is a netdev with all that hangs on it.
type Device struct {
	Name     string
	Index    int
	Kind     string // rtnetlink's kind: "veth", "ifb", "vlan"; "" for hardware
	Type     uint16 // ARPHRD_*: 1 Ethernet, 512 PPP, 519 raw IP
	Up       bool   // IFF_UP
	Carrier  bool   // IFF_LOWER_UP
	MTU      int
	Master   string         // the bridge or bond it is a port of; "" if none
	Parent   string         // the device below it (VLAN); "" if none or unknown
	PPPoE    bool           // carries a session of PPPoE that ends here; false too where the kernel doesn't tell
	VLAN     int            // its tag; 0 if it is no VLAN device
	Tunnel   *Tunnel        // nil if it is no tunnel
	Alias    string         // ifalias
	TxQueues int            // that it has
	Speed    linklayer.Rate // of the device itself; 0: unknown
	Counters Counters
	Qdiscs   []QdiscState
	Classes  []ClassState
	Filters  []FilterState // of the way in
	Marks    []Marks       // at an HTB of ours; a rule that isn't by DSCP has no class

	TxQueuesInUse int // 0: not known
	RxQueues      int // in use, where the kernel tells, else that it has; 0: not known
	TxQueueLen    int // packets that a FIFO at its root may hold (ip link: qlen)

	TagInside bool // a VLAN device that puts its tag in the packet before its qdisc sees it (ip link: reorder_hdr off)

	Manager string // the program that configures the device, as far as its files under /run tell: "systemd-networkd", "NetworkManager"; "" if none
	Unknown DeviceUnknown
}

// Counters are a device's own (IFLA_STATS64).
type Counters struct {
	RxBytes, RxPackets, TxBytes, TxPackets uint64
	RxDropped, TxDropped                   uint64
}

// QdiscState is a qdisc as found. Options of kinds that this program doesn't
// know are left out; the kind is always there.
type QdiscState struct {
	Qdisc
	Stats     Stats
	CakeStats *CakeStats // kind cake, and cake_mq as the sum over its queues; nil otherwise
	FQStats   *FQStats   // kind fq; nil otherwise

	FQCodelStats  *FQCodelStats // kind fq_codel; nil otherwise
	Queues        []Stats       // of the CAKE of each transmit queue; kind cake_mq
	DirectPackets uint64        // kind htb: that no class took, so that they passed unshaped
	FIFOLimit     int           // kind pfifo: packets, bfifo: bytes; 0: not known
	Unknown       QdiscUnknown
}

// ClassState is a class as found.
type ClassState struct {
	Kind   string
	Handle Handle
	Parent Handle
	Leaf   Handle         // the qdisc below it; 0: none
	Rate   linklayer.Rate // HTB; 0: unknown
	Ceil   linklayer.Rate // HTB; 0: unknown
	HTB    *HTBClass      // kind htb; nil otherwise
	Stats  Stats
}

// FilterState is a filter as found.
type FilterState struct {
	Filter
	Chain     uint32 // 0 is where a packet starts
	Handle    uint32
	Selective bool  // takes only the packets that match something; false for matchall and for a u32 that matches all
	Stats     Stats // of its first action
}

// Stats are the counters that every qdisc has (TCA_STATS2, else TCA_STATS).
type Stats struct {
	Bytes, Packets uint64 // sent
	Drops          uint64
	Overlimits     uint64
	Requeues       uint64
	Backlog        uint64 // bytes waiting now
	Queued         uint64 // packets waiting now
	Marks          uint64 // ECN, where the kind tells
}

// CakeStats are CAKE's own statistics (TCA_CAKE_STATS_*). Lengths are bytes;
// MinNetworkLength is 65535 and MaxNetworkLength 0 until a packet has passed.
type CakeStats struct {
	Capacity             linklayer.Rate // the rate at creation, unless autorate is on
	MemoryLimit          uint64
	MemoryUsed           uint64 // high-water mark
	AverageNetworkOffset int
	MinNetworkLength     int
	MaxNetworkLength     int
	MinAdjustedLength    int
	MaxAdjustedLength    int
	ActiveQueues         int // cake_mq: how many shared the rate when a packet last went out
	Tins                 []Tin
}

// Tin is one of CAKE's priority tins.
type Tin struct {
	Threshold                                 linklayer.Rate
	SentBytes, SentPackets                    uint64
	Drops, DroppedBytes                       uint64
	Marks, MarkedBytes                        uint64
	AcksDropped, AcksDroppedBytes             uint64
	BacklogBytes, BacklogPackets              uint64
	Target, Interval                          time.Duration
	PeakDelay, AverageDelay, BaseDelay        time.Duration
	WayIndirectHits, WayMisses, WayCollisions uint64
	SparseFlows, BulkFlows, UnresponsiveFlows int
	MaxPacketLength, Quantum                  int
}

// FQStats are fq's own statistics (struct tc_fq_qd_stats). Flows and those that
// are inactive or throttled are now, the rest since the qdisc was made.
type FQStats struct {
	Flows, InactiveFlows, ThrottledFlows uint64
	Throttled                            uint64 // how often a flow had to wait for its time
	FlowLimitDrops                       uint64 // packets of flows that had too many
	HorizonDrops                         uint64 // packets timed too far ahead
}

// FQCodelStats are fq_codel's own statistics (struct tc_fq_codel_qd_stats), all
// but the marks, which Stats has.
type FQCodelStats struct {
	MaxPacket      int    // bytes, of the longest packet ever; after a size table
	DropOverlimit  uint64 // packets dropped because its limit or its memory was full
	DropOvermemory uint64 // those of them that memory was to blame for
	MemoryUsed     uint64 // bytes, now
	NewFlows       uint64 // how often a packet began a flow
}

// Device finds a device by name; nil if there is none.
func (s *State) Device(name string) *Device {
	for i := range s.Devices {
		if s.Devices[i].Name == name {
			return &s.Devices[i]
		}
	}
	return nil
}

// At finds the qdisc at a parent: HandleRoot or HandleIngress mostly; nil if
// there is none.
func (d *Device) At(parent Handle) *QdiscState {
	for i := range d.Qdiscs {
		if d.Qdiscs[i].Parent == parent {
			return &d.Qdiscs[i]
		}
	}
	return nil
}
