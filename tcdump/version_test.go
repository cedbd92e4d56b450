package tcdump

import (
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// cakeOf is the options of the root of a device, which a line tells.
func rootOf(t *testing.T, text string, unread ...string) plan.QdiscState {
	t.Helper()
	s := read(t, text, unread...)
	if len(s.Devices) == 0 || s.Devices[0].At(plan.HandleRoot) == nil {
		t.Fatalf("no root qdisc in %q", text)
	}
	return *s.Devices[0].At(plan.HandleRoot)
}

// The line of CAKE's options as versions of tc have printed it.
func TestCakeOptions(t *testing.T) {
	base := plan.Cake{Rate: 20 * linklayer.Mbit, Diffserv: plan.Diffserv4, Isolation: plan.TripleIsolate, SplitGSO: true, RTT: 100 * ms, Target: 5 * ms}
	with := func(change func(*plan.Cake)) *plan.Cake {
		c := base
		change(&c)
		return &c
	}
	for name, test := range map[string]struct {
		line   string
		want   *plan.Cake
		unread []string
	}{
		"5.x": {"bandwidth 20Mbit diffserv4 triple-isolate nonat nowash no-ack-filter split-gso rtt 100ms noatm overhead 38 mpu 84",
			with(func(c *plan.Cake) { c.Encapsulation = linklayer.Encapsulation{Overhead: 38, MPU: 84} }), nil},
		"4.19": {"bandwidth 20000Kbit diffserv4 triple-isolate nonat nowash no-ack-filter split-gso rtt 100.0ms noatm overhead 0",
			with(func(*plan.Cake) {}), nil},
		"no split": {"bandwidth 20Mbit diffserv4 triple-isolate nonat nowash no-ack-filter no-split-gso rtt 100ms noatm overhead 0",
			with(func(c *plan.Cake) { c.SplitGSO = false }), nil},
		"a fork": {"bandwidth 20Mbit diffserv4 triple-isolate nonat nowash no-ack-filter split-gso rtt 100.0ms ptm overhead 30 no-sce",
			with(func(c *plan.Cake) { c.Encapsulation = linklayer.Encapsulation{Overhead: 30, Framing: linklayer.PTM} }), []string{"no-sce (of qdisc cake 8001: on eth0)"}},
		"raw": {"bandwidth 20Mbit diffserv4 triple-isolate nonat nowash no-ack-filter split-gso rtt 100ms raw overhead 0",
			with(func(c *plan.Cake) { c.Raw = true }), nil},
		"negative": {"bandwidth 20Mbit diffserv4 triple-isolate nonat nowash no-ack-filter split-gso rtt 100ms atm overhead -4",
			with(func(c *plan.Cake) {
				c.Encapsulation = linklayer.Encapsulation{Overhead: -4, Framing: linklayer.ATM}
			}), nil},
		"everything": {"bandwidth 20Mbit autorate-ingress precedence dual-dsthost nat wash ingress ack-filter-aggressive split-gso rtt 30ms noatm overhead 0 memlimit 32Mb fwmark 0xff",
			&plan.Cake{Rate: 20 * linklayer.Mbit, Autorate: true, Diffserv: plan.Precedence, Isolation: plan.DualDsthost, NAT: true, Wash: true, Ingress: true,
				AckFilter: plan.AckFilterAggressive, SplitGSO: true, RTT: 30 * ms, Target: 1500 * us, MemoryLimit: 32 << 20, FwMark: 0xff}, nil},
		"unlimited": {"bandwidth unlimited diffserv4 triple-isolate nonat nowash no-ack-filter split-gso rtt 100ms raw overhead 0",
			with(func(c *plan.Cake) { c.Rate, c.Raw = 0, true }), nil},
		"shortened by hand": {"bandwidth 9545Kbit diffserv3 dual-srchost nat rtt 100.0ms raw",
			&plan.Cake{Rate: 9545 * linklayer.Kbit, Isolation: plan.DualSrchost, NAT: true, RTT: 100 * ms, Target: 5 * ms, Raw: true}, nil},
		"damaged": {"bandwidth 2oMbit diffserv4 triple-isolate split-gso rtt 100ms overhead",
			with(func(c *plan.Cake) { c.Rate = 0 }), []string{"bandwidth 2oMbit (of qdisc cake 8001: on eth0)", "overhead (of qdisc cake 8001: on eth0)"}},
	} {
		t.Run(name, func(t *testing.T) {
			root := rootOf(t, "qdisc cake 8001: dev eth0 root refcnt 2 "+test.line+" \n", test.unread...)
			same(t, "options", test.want, root.Cake)
			same(t, "what was not shown", plan.QdiscUnknown{Stab: true, Stats: true}, root.Unknown)
		})
	}
}

// A tc from before CAKE was in the kernel, a device that only the prompt names.
func TestCakeBeforeTheKernel(t *testing.T) {
	s := read(t, fixture(t, "cake-before-the-kernel.txt"))
	wan := s.Device("pppoe-wan")
	if wan == nil || wan.Type != 512 || !wan.Up || len(wan.Qdiscs) != 2 {
		t.Fatalf("%+v", wan)
	}
	root := wan.Qdiscs[0]
	same(t, "options", &plan.Cake{Diffserv: plan.Diffserv4, Isolation: plan.Flows, RTT: 100 * ms, Target: 5 * ms}, root.Cake)
	stats := *root.CakeStats
	if tins := stats.Tins; len(tins) != 4 || tins[1].SentPackets != 20990 || tins[3].MaxPacketLength != 576 || tins[3].PeakDelay != 2*us {
		t.Errorf("tins %+v", tins)
	}
	stats.Tins = nil
	same(t, "statistics", plan.CakeStats{
		MemoryLimit: 15140 << 10, MemoryUsed: 30016, MinNetworkLength: 40, MaxNetworkLength: 1492, MinAdjustedLength: 40, MaxAdjustedLength: 1492,
	}, stats)
}

// CAKE on several queues is one shaper with a root of its own.
func TestCakeMQ(t *testing.T) {
	s := read(t, fixture(t, "cake-mq.txt"), "sync_time (of qdisc cake 0: on eth1)", "200us (of qdisc cake 0: on eth1)")
	wan := s.Device("eth1")
	if len(wan.Qdiscs) != 3 || wan.Qdiscs[0].Kind != "cake_mq" || wan.Qdiscs[0].CakeStats.ActiveQueues != 2 || wan.Qdiscs[0].Cake.Rate != 760*linklayer.Mbit {
		t.Errorf("%+v", wan.Qdiscs)
	}
	if wan.Qdiscs[1].Parent != 0x80110002 || wan.Qdiscs[2].Stats.Drops != 4 {
		t.Errorf("%+v", wan.Qdiscs[1:])
	}
}

// A tc that doesn't know CAKE shows that it is there, and its counters.
func TestUnknownQdisc(t *testing.T) {
	root := rootOf(t, "qdisc cake 0: dev eth0 root refcnt 2 [Unknown qdisc, optlen=140] \n Sent 150 bytes 9 pkt (dropped 0, overlimits 0 requeues 0) \n")
	same(t, "root", plan.QdiscState{
		Qdisc: plan.Qdisc{Link: "eth0", Kind: "cake", Parent: plan.HandleRoot},
		Stats: plan.Stats{Bytes: 150, Packets: 9}, Unknown: plan.QdiscUnknown{Options: true, Stab: true},
	}, root)
}

// The same default class, as printed over the years: what names a class is meant.
func TestHTBDefault(t *testing.T) {
	class := func(minor string) string {
		return "qdisc fq_codel 110: dev eth0 parent 1:" + minor + " limit 1p flows 1 quantum 1 target 5ms interval 100ms \n"
	}
	for _, test := range []struct {
		printed, rest string
		want          uint16
	}{
		{"0x10", class("10"), 0x10},
		{"0x10", "", 0x10},
		{"16", class("10"), 0x10}, // decimal
		{"10", class("10"), 0x10}, // hexadecimal
		{"10", class("a"), 0xa},   // decimal
		{"1a", class("1a"), 0x1a},
		{"16", "", 0x16},
		{"16", class("99"), 0x16},
		{"0", "", 0},
		{"10", "$ tc class show dev eth0\nclass htb 1:a parent 1:1 prio 0 rate 1Mbit ceil 1Mbit burst 1600b cburst 1600b \n", 0xa},
	} {
		root := rootOf(t, "qdisc htb 1: dev eth0 root refcnt 2 r2q 10 default "+test.printed+" direct_packets_stat 4 ver 3.17 direct_qlen 3\n"+test.rest)
		if root.HTB.Default != test.want || root.DirectPackets != 4 || root.HTB.DirectLimit != 3 || root.Unknown.Stab {
			t.Errorf("default %s above %q: %+v, want %#x", test.printed, test.rest, root.HTB, test.want)
		}
	}
}

// A whole HTB with decimal defaults, a damaged device beside it.
func TestHTBDecimal(t *testing.T) {
	s := read(t, fixture(t, "htb-decimal.txt"))
	up, down := s.Device("eth0"), s.Device("ifb0")
	if up.Qdiscs[0].HTB.Default != 0x12 || down.Qdiscs[0].HTB.Default != 0x12 || down.Kind != "ifb" {
		t.Errorf("defaults %+v and %+v", up.Qdiscs[0].HTB, down.Qdiscs[0].HTB)
	}
	leaf := up.Qdiscs[1]
	same(t, "fq_codel", &plan.FQCodel{Limit: 1001, Flows: 1024, Quantum: 300, Target: 15300 * us, Interval: 110300 * us, MemoryLimit: 4 << 20}, leaf.FQCodel)
	same(t, "its statistics", &plan.FQCodelStats{MaxPacket: 1526, DropOverlimit: 4, NewFlows: 3100, MemoryUsed: 6912, DropOvermemory: 2}, leaf.FQCodelStats)
	same(t, "counters", plan.Stats{Bytes: 5510101, Packets: 9100, Drops: 301, Backlog: 4511, Queued: 3, Marks: 9}, leaf.Stats)
	same(t, "what was not shown", plan.DeviceUnknown{Link: true, Counters: true, Filters: true, Classes: true, Rounded: true}, up.Unknown)
}

// fq's statistics have the word behind the number in older versions.
func TestFQ(t *testing.T) {
	const options = "qdisc fq 8001: dev eth0 root refcnt 2 limit 10000p flow_limit 100p buckets 1024 orphan_mask 1023 quantum 3028 initial_quantum 15140 refill_delay 40.0ms "
	const sent = "\n Sent 9 bytes 1 pkt (dropped 0, overlimits 0 requeues 0) \n backlog 0b 0p requeues 0 \n"
	want := &plan.FQStats{Flows: 7, InactiveFlows: 4, ThrottledFlows: 2, Throttled: 33, FlowLimitDrops: 5}
	for name, lines := range map[string]string{
		"4.9": "  7 flows (4 inactive, 2 throttled), next packet delay 1234 ns\n  1 gc, 2 highprio, 33 throttled, 99 ns latency, 5 flows_plimit\n",
		"6.1": "  flows 7 (inactive 4 throttled 2) next_packet_delay 1.23us\n  gc 1 highprio 2 throttled 33 latency 9.9us flows_plimit 5\n  pkts_too_long 1 alloc_errors 0\n",
	} {
		root := rootOf(t, options+sent+lines)
		same(t, name, want, root.FQStats)
		f := plan.FQDefaults(0)
		f.Quantum, f.InitialQuantum = 3028, 15140
		same(t, name, &f, root.FQ)
	}
	later := options + "maxrate 20Mbit low_rate_threshold 1Mbit ce_threshold 3ms timer_slack 7us horizon 5s horizon_cap bands 3 priomap 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 2 weights 5 4 3 nopacing"
	f := rootOf(t, later+sent).FQ
	if f.MaxRate != 20*linklayer.Mbit || f.Bands[15] != 2 || f.Weights != [3]int{5, 4, 3} || f.HorizonDrop || f.Pacing || f.CEThreshold != 3*ms || f.TimerSlack != 7*us {
		t.Errorf("%+v", f)
	}
}

// Somebody's word before a line is no trouble.
func TestLabelled(t *testing.T) {
	if root := rootOf(t, "later:   qdisc noqueue 0: dev enp4s0.20 root refcnt 2\n"); root.Kind != "noqueue" || root.Handle != 0 {
		t.Errorf("%+v", root)
	}
	read(t, "this is my qdisc: 1:\n", "this is my qdisc: 1:")
}

// Kinds of which only the counters matter.
func TestOtherKinds(t *testing.T) {
	root := rootOf(t, `qdisc red 11: dev eth0 root refcnt 2 limit 400000b min 30000b max 90000b ecn
 Sent 12 bytes 1 pkt (dropped 3, overlimits 4 requeues 5)
 backlog 0b 0p requeues 5
  marked 6 early 7 pdrop 8 other 9
`)
	same(t, "red", plan.Stats{Bytes: 12, Packets: 1, Drops: 3, Overlimits: 4, Requeues: 5, Marks: 6}, root.Stats)
	root = rootOf(t, "qdisc tbf 5: dev eth0 root refcnt 2 rate 2Mbit burst 3Kb lat 50.0ms \n Sent 12 bytes 1 pkt (dropped 0, overlimits 4 requeues 0)\n")
	if root.Kind != "tbf" || root.Stats.Overlimits != 4 {
		t.Errorf("%+v", root)
	}
}

// A qdisc that is shown twice is one; what the second showing lacks, the first has.
func TestShownTwice(t *testing.T) {
	const line = "qdisc cake 800a: dev eth0 root refcnt 2 bandwidth 9545Kbit diffserv3 dual-srchost nat rtt 100.0ms raw \n"
	const stab = " linklayer atm overhead 44 mpu 53 mtu 2047 tsize 512 \n"
	want := &plan.Stab{Overhead: 44, MPU: 53, ATM: true, MTU: 2047, Size: 512}
	for name, text := range map[string]string{
		"details later":   line + line + stab,
		"details earlier": line + stab + line,
		"with prompts":    "$ tc qdisc show dev eth0\n" + line + "$ tc -d qdisc show dev eth0\n" + line + stab,
	} {
		s := read(t, text)
		if len(s.Devices) != 1 || len(s.Devices[0].Qdiscs) != 1 {
			t.Fatalf("%s: %+v", name, s.Devices)
		}
		same(t, name, want, s.Devices[0].Qdiscs[0].Stab)
		same(t, name, plan.QdiscUnknown{Stats: true}, s.Devices[0].Qdiscs[0].Unknown)
	}
	detailed := read(t, "$ tc -d qdisc show\n"+line)
	same(t, "with -d and no size table", plan.QdiscUnknown{Stats: true}, detailed.Devices[0].Qdiscs[0].Unknown)
	other := read(t, line+strings.Replace(line, "eth0", "eth1", 1)+stab)
	same(t, "a table elsewhere shows that -d was given", plan.QdiscUnknown{Stats: true}, other.Devices[0].Qdiscs[0].Unknown)
}
