package linklayer

// Framing is how a line cuts packets up, on top of the bytes it adds to each.
type Framing uint8

const (
	// Plain lines carry a packet in one piece.
	Plain Framing = iota
	// ATM lines carry it in cells of 53 bytes that hold 48 each.
	ATM
	// PTM lines add one byte to each 64 that are started (IEEE 802.3, 61.3.3).
	PTM
)

func (f Framing) String() string {
	return [...]string{"plain", "atm", "ptm"}[f]
}

// Encapsulation is what a line adds to a packet. The zero value adds nothing.
type Encapsulation struct {
	Overhead int     // bytes added to each IP packet; −64..256, as CAKE takes them
	MPU      int     // minimum packet unit in bytes, after the overhead; 0..256
	Framing  Framing // what the framing then makes of the sum
}

// WireSize is the number of bytes that a packet of ipBytes (IP header
// included, link header not) occupies on the line. It is the arithmetic of
// cake_calc_overhead in the kernel's net/sched/sch_cake.c.
func (e Encapsulation) WireSize(ipBytes int) int {
	size := max(ipBytes+e.Overhead, e.MPU, 0)
	switch e.Framing {
	case ATM:
		return (size + 47) / 48 * 53
	case PTM:
		return size + (size+63)/64
	}
	return size
}
