package plan

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// Cake is every option of a CAKE qdisc. A plan states all of them, because the
// kernel keeps the old value of what a change request doesn't mention.
type Cake struct {
	Rate          linklayer.Rate // 0: unlimited, CAKE shapes nothing
	Autorate      bool           // autorate-ingress
	Diffserv      Diffserv
	Isolation     Isolation
	NAT           bool
	Wash          bool
	Ingress       bool
	AckFilter     AckFilter
	SplitGSO      bool
	RTT           time.Duration // CAKE's interval, in whole µs
	Target        time.Duration // in whole µs; tc makes it RTT/20
	Raw           bool          // charge the device's own length; a plan's overhead is 0 then, but the kernel adds one that is left over
	Encapsulation linklayer.Encapsulation
	MemoryLimit   uint32 // bytes; 0: the kernel works it out from the rate
	FwMark        uint32 // mask; 0: marks are not looked at
}

// Diffserv is CAKE's division into tins (CAKE_DIFFSERV_*).
type Diffserv uint32

// In the kernel's order.
const (
	Diffserv3 Diffserv = iota
	Diffserv4
	Diffserv8
	Besteffort
	Precedence
)

// Isolation is what CAKE shares the rate between (CAKE_FLOW_*).
type Isolation uint32

// In the kernel's order.
const (
	Flowblind Isolation = iota
	Srchost
	Dsthost
	Hosts
	Flows
	DualSrchost
	DualDsthost
	TripleIsolate
)

// AckFilter is CAKE's thinning of TCP acknowledgements (CAKE_ACK_*).
type AckFilter uint32

// In the kernel's order.
const (
	AckFilterOff AckFilter = iota
	AckFilterOn
	AckFilterAggressive
)
