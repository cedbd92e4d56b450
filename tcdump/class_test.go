package tcdump

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

const htbLine = "qdisc htb 1: dev eth0 root refcnt 2 r2q 10 default 0x10 direct_packets_stat 0 direct_qlen 3\n"

const classLines = `class htb 1:1 root rate 810Kbit ceil 820Kbit linklayer ethernet burst 1599b/1 mpu 0b cburst 1600b/1 mpu 0b level 7
 Sent 500 bytes 5 pkt (dropped 1, overlimits 2 requeues 0)
 rate 0bit 0pps backlog 0b 0p requeues 0
 lended: 3 borrowed: 0 giants: 0
 tokens: 19074 ctokens: 1887

class htb 1:10 parent 1:1 leaf 110: prio 2 quantum 1514 rate 12bit ceil 820Kbit linklayer atm burst 15Kb/8 mpu 64b cburst 1600b/1 mpu 64b level 0
 Sent 400 bytes 4 pkt (dropped 1, overlimits 2 requeues 0)
 backlog 8003b 6p requeues 0
 lended: 3 borrowed: 0 giants: 0
 tokens: 19074 ctokens: 1887

class fq_codel 110:2d0 parent 110:
 (dropped 0, overlimits 0 requeues 0)
 backlog 0b 0p requeues 0
  deficit -156 count 0 lastcount 0 ldelay 8.62ms
`

func htbClasses() []plan.ClassState {
	outer := plan.HTBClass{Rate: 810 * linklayer.Kbit, Ceil: 820 * linklayer.Kbit, Burst: 1599, CBurst: 1600}
	inner := plan.HTBClass{Rate: 12, Ceil: 820 * linklayer.Kbit, Burst: 15 << 10, CBurst: 1600, Quantum: 1514, Priority: 2}
	return []plan.ClassState{
		{Kind: "htb", Handle: 0x10001, Parent: plan.HandleRoot, Rate: outer.Rate, Ceil: outer.Ceil, HTB: &outer,
			Stats: plan.Stats{Bytes: 500, Packets: 5, Drops: 1, Overlimits: 2}},
		{Kind: "htb", Handle: 0x10010, Parent: 0x10001, Leaf: 0x1100000, Rate: inner.Rate, Ceil: inner.Ceil, HTB: &inner,
			Stats: plan.Stats{Bytes: 400, Packets: 4, Drops: 1, Overlimits: 2, Backlog: 8003, Queued: 6}},
	}
}

func TestClasses(t *testing.T) {
	s := read(t, htbLine+"$ tc -s -d class show dev eth0\n"+classLines)
	same(t, "classes", htbClasses(), s.Devices[0].Classes)
	s = read(t, htbLine+"$ tc -s class show dev eth0\n")
	if s.Devices[0].Unknown.Classes {
		t.Error("they were asked for, and none came")
	}
	s = read(t, htbLine)
	if !s.Devices[0].Unknown.Classes {
		t.Error("nobody asked for them")
	}
	s = read(t, "qdisc cake 1: dev eth0 root refcnt 2 bandwidth 1Mbit\n")
	if s.Devices[0].Unknown.Classes {
		t.Error("CAKE has no classes that people make")
	}
}

func TestClassesAsJSON(t *testing.T) {
	s := read(t, htbLine+"$ tc -s -d -j class show dev eth0\n"+
		`[{"class":"htb","handle":"1:1","root":true,"rate":101250,"ceil":102500,"burst":1599,"cburst":1600,"stats":{"bytes":500,"packets":5,"drops":1,"overlimits":2,"requeues":0,"backlog":0,"qlen":0}},`+
		`{"class":"htb","handle":"1:10","parent":"1:1","leaf":"110:","prio":2,"quantum":1514,"rate":1,"ceil":102500,"linklayer":"atm","burst":15360,"cburst":1600,`+
		`"stats":{"bytes":400,"packets":4,"drops":1,"overlimits":2,"requeues":0,"backlog":8003,"qlen":6}},{"class":"fq_codel","handle":"110:2d0","parent":"110:"}]`+"\n")
	want := htbClasses()
	want[1].Rate, want[1].HTB.Rate = 8, 8 // a byte per second
	same(t, "classes", want, s.Devices[0].Classes)
}

// Classes of which nothing says the device belong to the only one that they fit.
func TestClassesWithoutDevice(t *testing.T) {
	const leaf = "qdisc fq_codel 110: dev eth0 parent 1:10 limit 1p flows 1 quantum 1 target 5ms interval 100ms\n"
	const ifb = "qdisc htb 1: dev ifb4eth0 root refcnt 2 r2q 10 default 0x10 direct_packets_stat 0 direct_qlen 3\n"
	s := read(t, htbLine+leaf+ifb+classLines)
	same(t, "by the leaf", htbClasses(), s.Device("eth0").Classes)
	if !s.Device("ifb4eth0").Unknown.Classes {
		t.Error("the IFB's were not shown")
	}
	read(t, htbLine+ifb+"class htb 1:1 root rate 1Mbit ceil 1Mbit burst 1b cburst 1b\n",
		"classes, and nothing says of which device: paste the command line too")
}
