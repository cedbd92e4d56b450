package main

import (
	"fmt"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

// sqmScripts is what a person tells sqm-scripts of a line: a rate each way, of
// whole kbit/s, and how much more than the IP packet the line sends.
type sqmScripts struct {
	up, down linklayer.Rate
	overhead int
}

// The scripts make the IFB and redirect to it what comes in, in this order.
const scriptsRedirect = `qdisc add dev wan handle ffff: ingress
filter add dev wan parent ffff: protocol all prio 10 u32 match u32 0 0 flowid 1:1 action mirred egress redirect dev ifb4wan
`

// pieceOfCake is tc's part of piece_of_cake.qos: what a direction isn't told
// is tc's own, so there is no "ingress" on the way in.
func (s sqmScripts) pieceOfCake() string {
	const cake = "qdisc add dev %s root cake bandwidth %dkbit overhead %d mpu 0 besteffort nat %s\n"
	return fmt.Sprintf(cake, "wan", kbit(s.up), s.overhead, "") +
		fmt.Sprintf(cake, "ifb4wan", kbit(s.down), s.overhead, "wash") + scriptsRedirect
}

// simple is tc's part of simple.qos. Upwards are three classes under one, of
// which packets without a DSCP use the second, which may not have the last
// 16 kbit/s. Downwards, where a DSCP isn't looked at, is one under one. Its
// filters by mark are left out: nothing marks packets here.
func (s sqmScripts) simple() string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	up, down := kbit(s.up), kbit(s.down)
	add("qdisc add dev wan root handle 1: %s htb default 12", s.stab())
	add("class add dev wan parent 1: classid 1:1 htb rate %dkbit ceil %[1]dkbit %s", up, inMillisecond(up))
	add("class add dev wan parent 1:1 classid 1:11 htb rate 128kbit ceil %dkbit prio 1 quantum %d", up/3, bytesInMillisecond(up))
	for minor := 12; minor <= 13; minor++ {
		add("class add dev wan parent 1:1 classid 1:%d htb rate %dkbit ceil %dkbit prio %d %s", minor, up/6, up-16, minor-10, inMillisecond(up))
	}
	for minor := 11; minor <= 13; minor++ {
		add("qdisc add dev wan parent 1:%d handle %d0: %s quantum 300", minor, minor, scriptsFQCodel(up))
	}
	add("filter add dev wan parent 1: protocol ip prio 8 u32 match ip protocol 1 0xff flowid 1:13")
	add("filter add dev wan parent 1: protocol all prio 999 u32 match ip protocol 0 0x00 flowid 1:12")

	add("qdisc add dev ifb4wan root handle 1: %s htb default 10", s.stab())
	add("class add dev ifb4wan parent 1: classid 1:1 htb rate %dkbit ceil %[1]dkbit %s", down, inMillisecond(down))
	add("class add dev ifb4wan parent 1:1 classid 1:10 htb rate %dkbit ceil %[1]dkbit prio 0 %s", down, inMillisecond(down))
	add("qdisc add dev ifb4wan parent 1:10 handle 110: %s", scriptsFQCodel(down))
	return b.String() + scriptsRedirect
}

// stab is the size table. The device counts the Ethernet header already, so a
// person who knows that takes it off.
func (s sqmScripts) stab() string {
	const header = 14
	return fmt.Sprintf("stab mtu 2047 tsize 512 mpu 0 overhead %d linklayer ethernet", s.overhead-header)
}

func kbit(r linklayer.Rate) int { return int(r / linklayer.Kbit) }

// bytesInMillisecond is HTB's burst and quantum at a rate in kbit/s: at least
// a full packet and 48 bytes in ATM cells.
func bytesInMillisecond(rate int) int {
	const atLeast = (1500 + 48 + 47) / 48 * 53
	return max(rate/8, atLeast)
}

func inMillisecond(rate int) string {
	n := bytesInMillisecond(rate)
	return fmt.Sprintf("burst %d cburst %[1]d quantum %[1]d", n)
}

// scriptsFQCodel is a leaf: the target is at least the time of 33 ATM cells at
// a rate in kbit/s, and the interval 95 ms more.
func scriptsFQCodel(rate int) string {
	const cells = 33 * 53 * 8 * 1000 // µs at 1 kbit/s
	target := max(5000, cells/rate)
	return fmt.Sprintf("fq_codel limit 1001 target %dus interval %dus ecn flows 1024", target, target+95000)
}
