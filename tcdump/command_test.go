package tcdump

import (
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/plan"
)

// A line is a command if there is a prompt before it, or if it begins as one.
func TestBehindPrompt(t *testing.T) {
	for line, want := range map[string]string{
		"$ tc -s qdisc":                         "tc -s qdisc",
		"# modprobe sch_cake":                   "modprobe sch_cake",
		"# a comment":                           "a comment",
		"root@OpenWrt:~# tc -s qdisc":           "tc -s qdisc",
		"root@OpenWrt:~#tc -s qdisc":            "tc -s qdisc",
		"root@OpenWrt:/etc/config# cat sqm":     "cat sqm",
		"[root@host ~]# tc qdisc":               "tc qdisc",
		"[12:30:01][host /root]$ tc qdisc":      "tc qdisc",
		"host% ip link":                         "ip link",
		"admin@ap:/tmp/home/root# ./tc qdisc":   "./tc qdisc",
		"root@OpenWrt:~#":                       "",
		"tc -s qdisc show dev eth0":             "tc -s qdisc show dev eth0",
		"/usr/sbin/tc qdisc":                    "/usr/sbin/tc qdisc",
		"sudo tc -s qdisc":                      "sudo tc -s qdisc",
		"ip -s link":                            "ip -s link",
		"cat /etc/config/sqm":                   "cat /etc/config/sqm",
		"uci show sqm":                          "uci show sqm",
		"nft list flowtables":                   "nft list flowtables",
		"qdisc cake 8001: dev eth0 root":        "no",
		"it costs 5$ a month":                   "no",
		"95% of it":                             "no",
		"cpu0: 2% usr 3% sys":                   "no",
		"tc":                                    "no",
		"ip is what I have":                     "no",
		"cat and dog":                           "no",
		"sudo is needed":                        "no",
		"class htb 1:1 root rate 1Mbit":         "no",
		"3: eth0: <UP> mtu 1500":                "no",
		"firewall.@defaults[0].x='1'":           "no",
		"I typed root@OpenWrt: and got nothing": "no",
	} {
		got, ok := behindPrompt(line)
		if !ok {
			got = "no"
		}
		if got != want {
			t.Errorf("%q has %q, want %q", line, got, want)
		}
	}
}

// tc's words may be cut short, and stand in any order that tc takes.
func TestParseListing(t *testing.T) {
	for line, want := range map[string]listing{
		"tc -s -d qdisc show":            {object: "qdisc", details: true},
		"tc qdisc":                       {object: "qdisc"},
		"/sbin/tc -det -s q sh dev eth0": {object: "qdisc", device: "eth0", details: true},
		"sudo tc -s -j filter show dev eth0 parent ffff:":  {object: "filter", device: "eth0", parent: plan.HandleIngressQdisc},
		"tc filter ls dev eth0 ingress":                    {object: "filter", device: "eth0", parent: plan.HandleClsactIngress},
		"tc filter show dev eth0 egress":                   {object: "filter", device: "eth0", parent: handleClsactEgress},
		"tc class show dev eth0 parent 1:":                 {object: "class", device: "eth0", parent: 0x10000},
		"tc qdisc show root dev eth0":                      {object: "qdisc", device: "eth0", parent: plan.HandleRoot},
		"tc qdisc dev eth0":                                {object: "qdisc", device: "eth0"},
		"tc qdisc show dev":                                {object: "qdisc"},
		"tc qdisc add dev eth0 root cake bandwidth 20mbit": {},
		"tc -V":        {},
		"tc monitor":   {},
		"ip link show": {},
		"":             {},
		"sudo":         {},
		"tc filter show dev a-name-that-is-too-long parent 1": {object: "filter"},
	} {
		got, ok := parseListing(strings.Fields(line))
		if !ok {
			got = listing{}
		}
		if got != want {
			t.Errorf("%q is %+v, want %+v", line, got, want)
		}
	}
}

// A line of several commands: each output is read for what was asked for.
func TestSeveralCommands(t *testing.T) {
	const roots = "qdisc cake 8001: root refcnt 2 bandwidth 20Mbit\nqdisc ingress ffff: parent ffff:fff1 ----------------\nqdisc cake 8002: root refcnt 2 bandwidth 50Mbit\n"
	s := read(t, "# tc qdisc show dev eth0; tc qdisc show dev ifb4eth0; tc -s filter show dev eth0 parent ffff:\n"+roots+
		"filter protocol all pref 10 matchall chain 0 handle 0x1 \n"+"\taction order 1: mirred (Egress Redirect to device ifb4eth0) stolen\n")
	wan, ifb := s.Device("eth0"), s.Device("ifb4eth0")
	if wan == nil || ifb == nil || len(wan.Qdiscs) != 2 || len(ifb.Qdiscs) != 1 || ifb.Qdiscs[0].Handle != 0x80020000 || wan.RedirectTarget() != "ifb4eth0" {
		t.Errorf("%+v", s.Devices)
	}
	s = read(t, "$ tc qdisc show dev eth0 && tc filter show dev eth1 ingress | cat\nqdisc clsact ffff: parent ffff:fff1\nqdisc clsact ffff: dev eth1 parent ffff:fff1\nfilter protocol all pref 10 matchall chain 0 handle 0x1 \n"+mirred)
	if len(s.Device("eth1").Filters) != 1 || len(s.Device("eth0").Filters) != 0 || !s.Device("eth0").Unknown.Filters {
		t.Errorf("%+v", s.Devices)
	}
	read(t, "$ uptime\nqdisc cake 8001: root refcnt 2 bandwidth 20Mbit\n", "qdisc cake 8001: root refcnt 2 bandwidth 20Mbit")
}
