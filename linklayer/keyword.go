package linklayer

import (
	"fmt"
	"strconv"
	"strings"
)

// keyword is one of the overhead words of tc-cake(8). The manual says that
// "ethernet" ends cell framing, but tc leaves the framing as it is: the table
// is what tc sends (iproute2, tc/q_cake.c).
type keyword struct {
	name     string
	resets   bool    // takes back overhead and framing, but not the MPU, before it adds its own
	overhead int     // bytes added to what earlier words made
	mpu      int     // bytes; 0 leaves it as it is
	framing  Framing // counts when frames is set
	frames   bool
}

var keywords = []keyword{
	{name: "raw", resets: true},
	{name: "conservative", resets: true, overhead: 48, framing: ATM, frames: true},
	{name: "ipoa-vcmux", overhead: 8, framing: ATM, frames: true},
	{name: "ipoa-llcsnap", overhead: 16, framing: ATM, frames: true},
	{name: "bridged-vcmux", overhead: 24, framing: ATM, frames: true},
	{name: "bridged-llcsnap", overhead: 32, framing: ATM, frames: true},
	{name: "pppoa-vcmux", overhead: 10, framing: ATM, frames: true},
	{name: "pppoa-llc", overhead: 14, framing: ATM, frames: true},
	{name: "pppoe-vcmux", overhead: 32, framing: ATM, frames: true},
	{name: "pppoe-llcsnap", overhead: 40, framing: ATM, frames: true},
	{name: "pppoe-ptm", overhead: 30, framing: PTM, frames: true},
	{name: "bridged-ptm", overhead: 22, framing: PTM, frames: true},
	{name: "docsis", overhead: 18, mpu: 64, framing: Plain, frames: true},
	{name: "ethernet", overhead: 38, mpu: 84},
	{name: "ether-vlan", overhead: 4},
	{name: "via-ethernet"}, // of old versions; tc reads it and does nothing
	{name: "noatm", framing: Plain, frames: true},
	{name: "atm", framing: ATM, frames: true},
	{name: "ptm", framing: PTM, frames: true},
}

// Keywords lists the words that ParseKeywords takes and that need no number,
// in the order of tc-cake(8).
func Keywords() []string {
	names := make([]string, len(keywords))
	for i, k := range keywords {
		names[i] = k.name
	}
	return names
}

// ParseKeywords reads the overhead words of tc-cake(8), as "pppoe-ptm
// ether-vlan" or "atm overhead 10", in tc's way: from left to right, each word
// adding to what is there, but "overhead N" and "mpu N" setting it, the framing
// being the last one named. Like tc it holds N to −64..256 and 0..256, and the
// sum to nothing. "raw" starts from nothing again; that CAKE then counts from
// the device's own packet length is no part of an Encapsulation.
func ParseKeywords(words string) (Encapsulation, error) {
	var e Encapsulation
	fields := strings.Fields(words)
	for i := 0; i < len(fields); i++ {
		word, number := fields[i], ""
		if i+1 < len(fields) {
			number = fields[i+1]
		}
		var err error
		switch word {
		case "overhead":
			e.Overhead, err = keywordNumber(word, number, -64, 256)
			i++
		case "mpu":
			e.MPU, err = keywordNumber(word, number, 0, 256)
			i++
		default:
			e, err = e.with(word)
		}
		if err != nil {
			return Encapsulation{}, err
		}
	}
	return e, nil
}

func keywordNumber(word, number string, low, high int) (int, error) {
	n, err := strconv.Atoi(number)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("%s %.20q is not a number of bytes from %d to %d; write one, such as %q", word, number, low, high, word+" 44")
	}
	return n, nil
}

// with is what a keyword makes of the encapsulation so far.
func (e Encapsulation) with(word string) (Encapsulation, error) {
	for _, k := range keywords {
		if k.name != word {
			continue
		}
		if k.resets {
			e.Overhead, e.Framing = 0, Plain
		}
		e.Overhead += k.overhead
		if k.mpu > 0 {
			e.MPU = k.mpu
		}
		if k.frames {
			e.Framing = k.framing
		}
		return e, nil
	}
	advice := "see tc-cake(8) for those there are"
	if near := Nearest(word, Keywords()); near != "" {
		advice = fmt.Sprintf("write %q", near)
	}
	return e, fmt.Errorf("unknown overhead keyword %.40q; %s", word, advice)
}
