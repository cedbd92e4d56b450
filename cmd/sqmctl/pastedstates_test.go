package main

// pastedState is made with ip and tc, or by apply.
type pastedState struct {
	name      string
	links, tc string
	profile   string
}

const redirected = `
	qdisc add dev wan handle ffff: ingress
	filter add dev wan parent ffff: protocol all prio 10 u32 match u32 0 0 action mirred egress redirect dev ifb4wan
`

var pastedStates = []pastedState{
	{name: "cake both ways", links: "link add ifb4wan up type ifb\n", tc: `
		qdisc add dev wan root handle 8001: cake bandwidth 19mbit diffserv4 dual-srchost nat ack-filter docsis
		qdisc add dev ifb4wan root handle 8002: cake bandwidth 95mbit besteffort dual-dsthost nat wash ingress docsis memlimit 9mb` + redirected},
	{name: "cake of every kind", links: `
		link add ifb4wan up type ifb
		link add ifb1 up type ifb
		link add ifb2 up type ifb
	`, tc: `
		qdisc add dev wan root handle 8001: cake bandwidth 1234kbit diffserv8 flowblind no-split-gso rtt 33ms atm overhead -4 mpu 77 ack-filter-aggressive fwmark 0xf0
		qdisc add dev ifb4wan root handle 8002: cake unlimited precedence srchost raw
		qdisc add dev ifb1 root handle 8003: cake bandwidth 50mbit autorate-ingress diffserv3 hosts ptm overhead 30 rtt 1s
		qdisc add dev ifb2 root handle 8004: stab overhead 44 linklayer atm mpu 64 mtu 2047 tsize 512 cake bandwidth 12bit flows rtt 120us
		` + redirected},
	{name: "unlimited", links: "link add ifb4wan up type ifb\n", tc: `
		qdisc add dev wan root handle 8001: cake nat
		qdisc add dev ifb4wan root handle 8002: cake ingress` + redirected},
	{name: "htb and fq_codel", links: "link add ifb4wan up type ifb\n", tc: `
		qdisc add dev wan root handle 1: stab overhead -4 linklayer atm mtu 2047 tsize 512 htb default 10
		class add dev wan parent 1: classid 1:1 htb rate 810kbit ceil 810kbit
		class add dev wan parent 1:1 classid 1:10 htb rate 810kbit ceil 810kbit prio 1 quantum 1500
		class add dev wan parent 1:1 classid 1:11 htb rate 100kbit ceil 810kbit prio 0 quantum 1500 burst 15k
		qdisc add dev wan parent 1:10 handle 110: fq_codel limit 1001 target 17.7ms interval 112.7ms noecn
		qdisc add dev wan parent 1:11 handle 111: fq_codel limit 1001 target 300us quantum 300
		qdisc add dev ifb4wan root handle 1: htb default 20
		class add dev ifb4wan parent 1: classid 1:1 htb rate 10600kbit
		class add dev ifb4wan parent 1:1 classid 1:20 htb rate 10600kbit
		qdisc add dev ifb4wan parent 1:20 handle 120: fq_codel` + redirected},
	{name: "tiers of ours", profile: profileOf("docsis", "50 Mbit/s", "20 Mbit/s", `qdisc = "fq_codel"`, `diffserv = "diffserv3"`)},
	{name: "cake of ours", profile: profileOf("adsl-pppoe-llcsnap", "16 Mbit/s", "1 Mbit/s")},
	{name: "a server of ours", profile: serverProfile()},
	{name: "mq", links: "link add big numtxqueues 4 type veth peer name gib\nlink set big up\nlink set gib up\n", tc: `
		qdisc add dev big root handle 7fff: mq
		qdisc add dev big parent 7fff:1 handle 1: htb default 2
		class add dev big parent 1: classid 1:2 htb rate 20mbit
		qdisc add dev big parent 1:2 handle 800a: cake
		qdisc add dev big parent 7fff:2 handle 2: fq maxrate 20mbit nopacing horizon 5s horizon_cap timer_slack 7000 ce_threshold 3ms
		qdisc add dev wan root handle 3: fq
	`},
	{name: "clsact with a mirror", tc: `
		qdisc add dev wan clsact
		filter add dev wan ingress protocol all matchall action mirred egress mirror dev lan
		filter add dev wan ingress protocol ip prio 7 bpf bytecode "1,6 0 0 0" flowid 1:1
		filter add dev wan egress protocol all prio 1 matchall action pass
	`},
	{name: "redirect with dscp", links: "link add ifb4wan up type ifb\n", tc: `
		qdisc add dev wan clsact
		filter add dev wan ingress protocol all prio 5 matchall action ctinfo dscp 0x3f 0x80 pipe action mirred egress redirect dev ifb4wan
		filter add dev wan ingress protocol ip prio 6 chain 3 u32 match ip dst 192.0.2.7/32 match u32 0 0 at 0 action mirred egress redirect dev lan
		filter add dev wan ingress protocol 802.1Q prio 9 flower vlan_id 7 action mirred egress redirect dev lan
		qdisc add dev ifb4wan root handle 8002: cake bandwidth 20mbit`},
	{name: "foreign redirects", links: "link add wan-ifb up type ifb\n", tc: `
		qdisc add dev wan-ifb root handle 1: tbf rate 90mbit burst 20k latency 50ms
		qdisc add dev wan ingress
		filter add dev wan ingress protocol ip u32 match u32 0 0 flowid 1:1 action mirred egress redirect dev wan-ifb
		filter add dev wan ingress protocol ipv6 u32 match u32 0 0 flowid 1:1 action mirred egress redirect dev wan-ifb
	`},
	{name: "redirect to itself", tc: `
		qdisc add dev wan ingress
		filter add dev wan ingress protocol all prio 1 matchall action mirred egress redirect dev wan
		qdisc add dev wan root handle 9: sfq perturb 10`},
	{name: "no redirect", links: "link add ifb4wan up type ifb\n", tc: withoutRedirect},
	{name: "ifb down", links: "link add ifb4wan type ifb\n", tc: `
		qdisc add dev wan root handle 8001: cake bandwidth 1gbit
		qdisc add dev ifb4wan root handle 8002: cake bandwidth 95mbit` + redirected},
	{name: "prio and red", tc: `
		qdisc add dev wan root handle 1: prio bands 3
		qdisc add dev wan parent 1:1 handle 11: red limit 400000 min 30000 max 90000 avpkt 1000 burst 55 ecn bandwidth 10Mbit
		qdisc add dev wan parent 1:2 handle 12: pie ecn
		qdisc add dev wan parent 1:3 handle 13: codel ecn
	`},
	{name: "tbf", tc: "qdisc add dev wan root handle 5: tbf rate 2mbit burst 3k limit 400k\n"},
	{name: "hfsc", tc: `
		qdisc add dev wan root handle 1: hfsc default 1
		class add dev wan parent 1: classid 1:1 hfsc sc rate 10mbit ul rate 10mbit
	`},
	{name: "netem", tc: "qdisc add dev wan root handle 6: netem delay 10ms loss 1%\n"},
	{name: "devices", links: `
		link add link wan name wan.7 type vlan id 7
		link add link wan name wan.8 type vlan id 8 reorder_hdr off
		link add br-lan type bridge
		link set lan master br-lan
		link add wg0 type wireguard
		link add gre1 type gretap remote 192.0.2.1 local 192.0.2.2
		link add tap0 numtxqueues 8 type dummy
		link set wan.7 up alias "to the provider: a line"
		link set wan mtu 1400 txqueuelen 77
		route add default via 192.0.2.2 dev wan
		route add 198.51.100.0/24 via 192.0.2.2
	`, tc: `
		qdisc add dev wan.7 root handle 8001: cake bandwidth 10mbit
		qdisc add dev wg0 root handle 8002: cake
	`},
}
