package qdisc

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
)

func TestCharge(t *testing.T) {
	atm := WireCharge(linklayer.Encapsulation{Overhead: 44, Framing: linklayer.ATM})
	ethernet := WireCharge(linklayer.Encapsulation{Overhead: 38, MPU: 84})
	tests := []struct {
		name   string
		charge *Charge
		frame  uint16
		want   int
	}{
		{"frame", FrameCharge(), 1514, 1514},
		{"no frame", FrameCharge(), 0, 0},
		{"the largest frame", FrameCharge(), 2047, 2047},
		{"33 cells", atm, 1514, 33 * 53},
		{"an ACK in 2 cells", atm, 66, 2 * 53},
		{"Ethernet with preamble, FCS and gap", ethernet, 1514, 1538},
		{"Ethernet's least", ethernet, 54, 84},
		{"less than a header", ethernet, 3, 84},
	}
	for _, test := range tests {
		if got := test.charge.Size(test.frame); got != test.want {
			t.Errorf("%s: %d bytes charged for a frame of %d, want %d", test.name, got, test.frame, test.want)
		}
	}
}
