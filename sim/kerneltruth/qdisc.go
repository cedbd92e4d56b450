package kerneltruth

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

// Qdisc is what stands on the router in one direction. The zero value is
// nothing: packets pass as they come.
type Qdisc struct {
	// Words are tc's: those of a qdisc, or those of an HTB class and, after a
	// semicolon, of the qdisc below it.
	Words string
	// Kind is what queues: fq_codel, codel, pfifo, cake or tbf, which is a
	// queue of Limit bytes.
	Kind string
	// Shaper is the rate of cake, tbf or the HTB class; 0: none.
	Shaper linklayer.Rate
	HTB    bool // the rate is that of an HTB class around the qdisc

	Burst int // bytes, of htb and tbf
	Limit int // bytes of tbf, packets of the others; 0: as Linux has it
	// Charge is what CAKE charges an IP packet with. HTB and TBF charge the
	// Ethernet frame, 14 bytes more than the IP packet.
	Charge                linklayer.Encapsulation
	Flowblind, Besteffort bool // of CAKE
	Ingress               bool // CAKE's keyword
}

// Script is what `tc -batch` needs to put it on a device.
func (q Qdisc) Script(device string) string {
	if q.Kind == "" {
		return ""
	}
	if !q.HTB {
		return fmt.Sprintf("qdisc add dev %s root %s\n", device, q.Words)
	}
	class, leaf, _ := strings.Cut(q.Words, "; ")
	return fmt.Sprintf("qdisc add dev %[1]s root handle 1: htb default 1\n"+
		"class add dev %[1]s parent 1: classid 1:1 %[2]s\nqdisc add dev %[1]s parent 1:1 %[3]s\n", device, class, leaf)
}

func parseQdisc(words string) (Qdisc, error) {
	q := Qdisc{Words: words}
	outer, leaf, below := strings.Cut(words, "; ")
	if err := q.read(strings.Fields(outer)); err != nil {
		return q, err
	}
	if below != (q.Kind == "htb") {
		return q, fmt.Errorf("%q: a qdisc stands below htb and below nothing else", words)
	}
	if below {
		q.HTB = true
		return q, q.read(strings.Fields(leaf))
	}
	return q, nil
}

// read reads the words of one qdisc or class.
func (q *Qdisc) read(words []string) error {
	if len(words) == 0 {
		return nil
	}
	q.Kind = words[0]
	for i := 1; i < len(words); i++ {
		switch words[i] {
		case "besteffort":
			q.Besteffort = true
		case "flowblind":
			q.Flowblind = true
		case "ingress":
			q.Ingress = true
		case "atm":
			q.Charge.Framing = linklayer.ATM
		default:
			if i+1 == len(words) {
				return fmt.Errorf("%q has no value", words[i])
			}
			if err := q.set(words[i], words[i+1]); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

func (q *Qdisc) set(key, value string) (err error) {
	switch key {
	case "rate", "bandwidth":
		q.Shaper, err = linklayer.ParseRate(value)
	case "burst":
		q.Burst, err = strconv.Atoi(value)
	case "limit":
		q.Limit, err = strconv.Atoi(value)
	case "overhead":
		q.Charge.Overhead, err = strconv.Atoi(value)
	default:
		err = fmt.Errorf("unknown word %q", key)
	}
	return err
}
