package config

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// Profile is what a person wrote about their lines, checked, with every
// default filled in.
type Profile struct {
	File  string
	Links []Link
}

// Link is one line, or the network device of a server. A server has both
// directions off and no Type.
type Link struct {
	Interface string
	Role      string         // RoleLine, RoleServer
	Root      Choice[string] // a server's root qdisc: QdiscFQ, QdiscFQCodel; of no meaning for a line
	Type      linklayer.Access
	Reason    string // why a direction has the qdisc "none"; "" if none has
	Upload    Settings
	Download  Settings
	Preview   Preview
	Line      int // of [[link]] in the file
}

// Direction is the settings of one way.
func (l *Link) Direction(d linklayer.Direction) *Settings {
	if d == linklayer.Egress {
		return &l.Upload
	}
	return &l.Download
}

// Shaped tells whether a direction gets a shaper.
func (s *Settings) Shaped() bool { return !s.Off && s.Qdisc.Value != QdiscNone }

// Settings are one direction of a link. When Off is set the direction is left
// alone and nothing else in here counts.
type Settings struct {
	Off         bool
	Invoice     linklayer.Rate
	Qdisc       Choice[string]  // QdiscCake, QdiscCakeMQ, QdiscFQCodel, QdiscNone
	Headroom    Choice[float64] // percent of the invoice rate
	Overhead    Choice[int]     // bytes per IP packet
	MPU         Choice[int]     // bytes
	Framing     Choice[linklayer.Framing]
	Diffserv    Choice[string] // besteffort, diffserv3, diffserv4, diffserv8, precedence
	Isolation   Choice[string] // flowblind, srchost, dsthost, hosts, flows, dual-srchost, dual-dsthost, triple-isolate
	NAT         Choice[bool]
	Wash        Choice[bool]
	AckFilter   Choice[string]        // auto, off, on, aggressive
	RTT         Choice[time.Duration] // 100 µs to 1000 s, in whole µs
	MemoryLimit Choice[int]           // bytes, at most 1 GiB; 0 leaves it to the compiler
	SplitGSO    Choice[bool]
	RestoreDSCP Choice[bool]   // by ctinfo, from the mark that the firewall keeps for the connection; download only
	FwMark      Choice[uint32] // mask; 0 means that marks are not looked at
	Buffer      Choice[int]    // bytes that the modem, or for a download the provider, can queue; 0: not known. For preview alone
}

// Choice is a value together with where it comes from.
type Choice[T any] struct {
	Value  T
	Reason string // why this is the default; empty when the profile says it
	Line   int    // in the profile; 0 for a default
}

// Rate is the rate to shape at: invoice × (1 − headroom).
func (s *Settings) Rate() linklayer.Rate {
	return s.Invoice.Less(s.Headroom.Value / 100)
}

// Encapsulation is what the line adds to each packet in this direction.
func (s *Settings) Encapsulation() linklayer.Encapsulation {
	return linklayer.Encapsulation{Overhead: s.Overhead.Value, MPU: s.MPU.Value, Framing: s.Framing.Value}
}
