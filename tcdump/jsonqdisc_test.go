package tcdump

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

const cakeJSON = `{"kind":"cake","handle":"8001:","dev":"eth0","root":true,"refcnt":2,"options":{"bandwidth":2500000,"autorate":"autorate-ingress","diffserv":"diffserv3",` +
	`"flowmode":"dual-srchost","nat":true,"wash":false,"ingress":true,"ack-filter":"enabled","split_gso":true,"rtt":30000,"raw":false,"atm":"atm","overhead":-4,"mpu":53,` +
	`"memlimit":33554432,"fwmark":"0xff"},"bytes":734501221,"packets":1203311,"drops":812,"overlimits":1400211,"requeues":3,"backlog":31744,"qlen":22,` +
	`"memory_used":626688,"memory_limit":4194304,"capacity_estimate":2500000,"min_network_size":28,"max_network_size":1500,"min_adj_size":53,"max_adj_size":1696,` +
	`"active_queues":2,"avg_hdr_offset":14,"tins":[{"threshold_rate":156250,"sent_bytes":1,"backlog_bytes":2,"target_us":3,"interval_us":4,"peak_delay_us":5,"avg_delay_us":6,` +
	`"base_delay_us":7,"sent_packets":8,"way_indirect_hits":9,"way_misses":10,"way_collisions":11,"drops":12,"ecn_mark":13,"ack_drops":14,"sparse_flows":15,"bulk_flows":16,` +
	`"unresponsive_flows":17,"max_pkt_len":18,"flow_quantum":19}]}`

func TestCakeAsJSON(t *testing.T) {
	want := plan.QdiscState{
		Qdisc: plan.Qdisc{Link: "eth0", Kind: "cake", Handle: 0x80010000, Parent: plan.HandleRoot, Cake: &plan.Cake{
			Rate: 20 * linklayer.Mbit, Autorate: true, Diffserv: plan.Diffserv3, Isolation: plan.DualSrchost, NAT: true, Ingress: true,
			AckFilter: plan.AckFilterOn, SplitGSO: true, RTT: 30 * ms, Target: 1500 * us,
			Encapsulation: linklayer.Encapsulation{Overhead: -4, MPU: 53, Framing: linklayer.ATM}, MemoryLimit: 32 << 20, FwMark: 0xff,
		}},
		Stats: plan.Stats{Bytes: 734501221, Packets: 1203311, Drops: 812, Overlimits: 1400211, Requeues: 3, Backlog: 31744, Queued: 22, Marks: 13},
		CakeStats: &plan.CakeStats{
			Capacity: 20 * linklayer.Mbit, MemoryLimit: 4 << 20, MemoryUsed: 626688, AverageNetworkOffset: 14, ActiveQueues: 2,
			MinNetworkLength: 28, MaxNetworkLength: 1500, MinAdjustedLength: 53, MaxAdjustedLength: 1696,
			Tins: []plan.Tin{{
				Threshold: 1250 * linklayer.Kbit, SentBytes: 1, BacklogBytes: 2, Target: 3 * us, Interval: 4 * us, PeakDelay: 5 * us, AverageDelay: 6 * us, BaseDelay: 7 * us,
				SentPackets: 8, WayIndirectHits: 9, WayMisses: 10, WayCollisions: 11, Drops: 12, Marks: 13, AcksDropped: 14, SparseFlows: 15, BulkFlows: 16,
				UnresponsiveFlows: 17, MaxPacketLength: 18, Quantum: 19,
			}},
		},
		Unknown: plan.QdiscUnknown{Stab: true},
	}
	root := rootOf(t, "["+cakeJSON+"]\n")
	same(t, "cake", want, root)
	want.Unknown.Stab = false
	same(t, "with -d", want, rootOf(t, "$ tc -s -d -j qdisc\n["+cakeJSON+"]\n"))
}

func TestQdiscsAsJSON(t *testing.T) {
	s := read(t, `root@router:~# tc -d -j qdisc show dev eth1
[{"kind":"htb","handle":"1:","root":true,"refcnt":2,"options":{"r2q":10,"default":"0x12","direct_packets_stat":4,"ver":"3.17","direct_qlen":1000},"stab":{"linklayer":"atm","overhead":44,"mpu":64,"mtu":2047,"tsize":512}},
 {"kind":"fq_codel","handle":"112:","parent":"1:12","options":{"limit":1000,"flows":1024,"quantum":1514,"target":16999,"interval":99999,"memory_limit":33554432,"ecn":true,"drop_batch":64}},
 {"kind":"ingress","handle":"ffff:","parent":"ffff:fff1","options":{}}]
`)
	var all []plan.QdiscState
	if d := s.Device("eth1"); d != nil {
		all = d.Qdiscs
	}
	without := plan.QdiscUnknown{Stats: true}
	same(t, "qdiscs", []plan.QdiscState{
		{Qdisc: plan.Qdisc{Link: "eth1", Kind: "htb", Handle: 0x10000, Parent: plan.HandleRoot, HTB: &plan.HTB{Default: 0x12, DirectLimit: 1000},
			Stab: &plan.Stab{Overhead: 44, MPU: 64, ATM: true, MTU: 2047, Size: 512}}, DirectPackets: 4, Unknown: without},
		{Qdisc: plan.Qdisc{Link: "eth1", Kind: "fq_codel", Handle: 0x1120000, Parent: 0x10012, FQCodel: &plan.FQCodel{
			Limit: 1000, Flows: 1024, Quantum: 1514, Target: 17 * ms, Interval: 100 * ms, MemoryLimit: 32 << 20, ECN: true, DropBatch: 64}}, Unknown: without},
		{Qdisc: plan.Qdisc{Link: "eth1", Kind: "ingress", Handle: plan.HandleIngressQdisc, Parent: plan.HandleIngress}, Unknown: without},
	}, all)
}

// A qdisc of which something is missing or of another type loses that alone.
func TestOddJSON(t *testing.T) {
	root := rootOf(t, `[{"kind":"cake","handle":"0:","dev":"eth0","root":true,"options":{"bandwidth":"unlimited","rtt":"soon","tins":7,"diffserv":null}}]`)
	same(t, "cake", &plan.Cake{}, root.Cake)
	root = rootOf(t, `[{"kind":"cake","handle":"0:","dev":"eth0","root":true,"options":{}}]`)
	if !root.Unknown.Options || root.Cake != nil {
		t.Errorf("%+v", root)
	}
	root = rootOf(t, `[{"kind":"cake_mq","handle":"1:","dev":"eth0","root":true,"options":{"bandwidth":1000},"bytes":1,"active_queues":3}]`)
	if root.CakeStats.ActiveQueues != 3 || root.Cake.Rate != 8000 {
		t.Errorf("%+v", root)
	}
	// hfsc of an old tc, between others; the list has no end.
	s := read(t, `[{"kind":"noqueue","handle":"0:","dev":"lo","root":true,"options":{}},{"kind":"hfsc","handle":"1:","dev":"eth0","root":true,"options":{default 1 },"bytes":7,"packets":1},`+
		`{"kind":"fq","handle":"2:","dev":"eth1","root":true,"options":{"limit":5,"flow_limit":6,"quantum":7,"initial_quantum":8,"pacing":false,"timer_slack":9}`+"\n",
		`no JSON: {"kind":"fq","handle":"2:","dev":"eth1","root":true,"options":{"limit":5,"flow_limit":6,"qu…`)
	if len(s.Devices) != 2 || s.Device("eth0").Qdiscs[0].Stats.Bytes != 7 {
		t.Errorf("%+v", s.Devices)
	}
	read(t, `[{"kind":"cake","handle":"8001:","root":true,"options":{}}]`, "an object of JSON that no tc or ip prints")
	read(t, "[{]\n", "no JSON: {]")
}

func TestLinksAsJSON(t *testing.T) {
	s := read(t, `[{"ifindex":3,"link":"eth0","ifname":"eth0.7","flags":["BROADCAST","UP","LOWER_UP"],"mtu":1500,"qdisc":"cake","master":"br-lan","operstate":"UP","txqlen":1000,`+
		`"link_type":"ether","promiscuity":0,"linkinfo":{"info_kind":"vlan","info_data":{"protocol":"802.1Q","id":7,"flags":["LOOSE_BINDING"]}},"num_tx_queues":2,"ifalias":"x y",`+
		`"stats64":{"rx":{"bytes":1,"packets":2,"errors":0,"dropped":3},"tx":{"bytes":4,"packets":5,"errors":0,"dropped":6}}},`+
		`{"ifindex":2,"ifname":"eth0","flags":[],"mtu":1508,"link_type":"ether"}]`+"\n")
	same(t, "devices", []plan.Device{
		{Name: "eth0.7", Index: 3, Kind: "vlan", Type: 1, Up: true, Carrier: true, MTU: 1500, Master: "br-lan", Parent: "eth0", VLAN: 7, TagInside: true, Alias: "x y",
			TxQueues: 2, TxQueueLen: 1000, Counters: plan.Counters{RxBytes: 1, RxPackets: 2, RxDropped: 3, TxBytes: 4, TxPackets: 5, TxDropped: 6}, Unknown: plan.DeviceUnknown{Filters: true}},
		{Name: "eth0", Index: 2, Type: 1, MTU: 1508, Unknown: plan.DeviceUnknown{Counters: true, Filters: true}},
	}, s.Devices)
}
