package qdisc

import "github.com/sqmctl/sqmctl/linklayer"

// ethernetHeader is the part of Packet.Size that is no IP packet.
const ethernetHeader = 14

// Charge says how many bytes a shaper or a line counts for a frame. It is a
// table, made once: ATM's division is too slow for every packet.
type Charge [2048]uint16

// FrameCharge counts the frame as it is, as HTB does without a stab.
func FrameCharge() *Charge {
	var c Charge
	for frame := range c {
		c[frame] = uint16(frame)
	}
	return &c
}

// WireCharge counts what an encapsulation makes of the IP packet in the frame.
func WireCharge(e linklayer.Encapsulation) *Charge { return charge(e, ethernetHeader) }

// charge counts what an encapsulation makes of a frame less some header.
func charge(e linklayer.Encapsulation, header int) *Charge {
	var c Charge
	for frame := range c {
		c[frame] = uint16(e.WireSize(max(0, frame-header)))
	}
	return &c
}

// Size is the bytes charged for a frame, which may have up to 2047.
func (c *Charge) Size(frame uint16) int { return int(c[frame]) }
