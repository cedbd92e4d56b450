package tcdump

import (
	"strconv"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// readHTB reads HTB's options:
//
//	r2q 10 default 0x12 direct_packets_stat 4 ver 3.17 direct_qlen 1000
func (q *qdisc) readHTB(w []string) (unknown []string) {
	q.HTB = &plan.HTB{}
	for i := 0; i < len(w); i++ {
		value := ""
		if i+1 < len(w) {
			value = w[i+1]
		}
		ok := true
		var n uint32
		switch w[i] {
		case "offload":
			continue
		case "r2q":
			_, ok = parseNumber(value)
		case "ver": // which tc prints with -d only
			q.shown.details = true
		case "default":
			ok = q.readDefault(value)
		case "direct_packets_stat":
			q.DirectPackets, ok = parseCount(value)
		case "direct_qlen":
			n, ok = parseNumber(value)
			q.HTB.DirectLimit = n
		default:
			unknown = append(unknown, w[i])
			continue
		}
		if !ok {
			unknown = append(unknown, w[i]+" "+value)
		}
		i++
	}
	return unknown
}

// readDefault reads the class for what no filter picks. Versions 4.15 to 4.18 of
// tc print it in decimal, those before and 4.19 in hexadecimal without a sign,
// the later ones with 0x: without one, it is seen only later which class there is.
func (q *qdisc) readDefault(value string) bool {
	n, ok := parseHex(value)
	if !ok || n > 0xFFFF {
		return false
	}
	q.HTB.Default = uint16(n)
	if !strings.HasPrefix(value, "0x") {
		q.bare = value
	}
	return true
}

// settleDefault takes the reading that names a class.
func (q *qdisc) settleDefault(d *device) {
	decimal, err := strconv.ParseUint(q.bare, 10, 16)
	if err != nil || d.hasClass(q.Handle|plan.Handle(q.HTB.Default)) {
		return
	}
	if d.hasClass(q.Handle | plan.Handle(decimal)) {
		q.HTB.Default = uint16(decimal)
	}
}

// hasClass tells whether a class was shown, or a qdisc below it.
func (d *device) hasClass(h plan.Handle) bool {
	_, shown := d.classAt[h]
	return shown || d.parents[h]
}
