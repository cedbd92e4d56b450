package config

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// defaults are the settings of a direction about which the profile says no
// more than the type. Off and Invoice are left out.
func defaults(a linklayer.Access, d linklayer.Direction) Settings {
	s := uploadDefaults
	if d == linklayer.Ingress {
		s = downloadDefaults
	}
	headers := a.Title + ": " + a.Arithmetic
	s.Headroom = Choice[float64]{Value: a.Headroom[d].Percent, Reason: a.Headroom[d].Reason}
	s.Overhead = Choice[int]{Value: a.Encapsulation.Overhead, Reason: headers}
	s.MPU = Choice[int]{Value: a.Encapsulation.MPU, Reason: mpuReason(a)}
	s.Framing = Choice[linklayer.Framing]{Value: a.Encapsulation.Framing, Reason: framingReason(a)}
	return s
}

func mpuReason(a linklayer.Access) string {
	if a.Encapsulation.MPU == 0 {
		return a.Title + ": no packet is padded to a minimum"
	}
	return a.Title + ": the smallest Ethernet frame, as this line counts it"
}

func framingReason(a linklayer.Access) string {
	switch a.Encapsulation.Framing {
	case linklayer.ATM:
		return a.Title + ": packets travel in cells of 53 bytes that hold 48"
	case linklayer.PTM:
		return a.Title + ": each 64 bytes take up 65 on the line; right if the invoice is what the modem syncs at, but for a rate from a speed test or of the provider's own limit write framing = \"plain\", since that is net of it"
	}
	return a.Title + ": packets travel in one piece"
}

var uploadDefaults = Settings{
	Qdisc:       defaultQdisc,
	Diffserv:    Choice[string]{Value: "diffserv3", Reason: "your own devices set these marks, so calls may go before bulk transfers"},
	Isolation:   Choice[string]{Value: "dual-srchost", Reason: "the senders of an upload are your hosts: each gets an even share, however many connections it opens"},
	NAT:         Choice[bool]{Value: true, Reason: "without looking behind NAT, all your hosts would be one"},
	Wash:        Choice[bool]{Value: false, Reason: "marks may be of use further up, and the provider clears them if it wants to"},
	AckFilter:   Choice[string]{Value: "auto", Reason: "thins out acknowledgements only where a far faster download fills the upload with them"},
	RTT:         defaultRTT,
	MemoryLimit: defaultMemoryLimit,
	SplitGSO:    defaultSplitGSO,
	FwMark:      defaultFwMark,
}

var downloadDefaults = Settings{
	Qdisc:       defaultQdisc,
	Diffserv:    Choice[string]{Value: "besteffort", Reason: "marks that arrive were set for other networks than yours, and one priority costs less work"},
	Isolation:   Choice[string]{Value: "dual-dsthost", Reason: "the receivers of a download are your hosts: each gets an even share, however many connections it opens"},
	NAT:         uploadDefaults.NAT,
	Wash:        Choice[bool]{Value: true, Reason: "marks that arrive were set for other networks than yours, and Wi-Fi would act on them"},
	AckFilter:   Choice[string]{Value: "off", Reason: "acknowledgements that arrive have passed the slow part of the line already"},
	RTT:         defaultRTT,
	MemoryLimit: defaultMemoryLimit,
	SplitGSO:    defaultSplitGSO,
	FwMark:      defaultFwMark,
}

var (
	defaultRTT         = Choice[time.Duration]{Value: 100 * time.Millisecond, Reason: "suits most paths through the internet, from a tenth to ten times as long"}
	defaultMemoryLimit = Choice[int]{Value: 0, Reason: "follows from rate and round-trip time"}
	defaultSplitGSO    = Choice[bool]{Value: true, Reason: "a packet joined by offload, up to 64 KiB long, would hold up all others"}
	defaultFwMark      = Choice[uint32]{Value: 0, Reason: "priorities come from DSCP marks alone"}
)
