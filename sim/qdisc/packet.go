package qdisc

import "math"

// Kind is what a packet carries.
type Kind uint8

const (
	Data   Kind = iota // a full segment of TCP
	Ack                // an acknowledgement of TCP without data
	Sparse             // a datagram of a sparse flow
)

// ECN is the field of that name in the IP header (RFC 3168).
type ECN uint8

const (
	NotECT ECN = iota // the sender can't be told by marks
	ECT               // it can
	CE                // it is being told: congestion experienced
)

// Packet is a packet on its way. It is kept to 40 bytes, as queues of them are
// much of what the simulator touches.
type Packet struct {
	Enqueued int64  // ns: when it came to the qdisc that holds it; the qdisc sets it
	Seq      uint32 // Data: segment number. Ack: the next segment expected. Sparse: number
	// Blocks of segments an Ack reports beyond Seq, newest first, as SACK does
	// (RFC 2018): [Lo, Hi) and [Lo2, Lo2+Len2). A block without length is none.
	Lo, Hi, Lo2 uint32
	Len2        uint16
	Size        uint16 // bytes of the frame: IP packet and 14 of Ethernet
	Flow        uint16 // index of its flow, which is also all a hash sees of it
	Kind        Kind
	ECN         ECN
	// Echo is set in an Ack that tells the sender of marks (TCP's ECE).
	Echo bool
	// Again tells whether a segment was sent before. In an Ack it is that of the
	// segment which moved Seq, as TCP's timestamps tell.
	Again bool
	Tin   uint8 // DSCP class: 0 besteffort, 1 bulk, 2 video, 3 voice
}

// Never is a moment that does not come.
const Never = math.MaxInt64
