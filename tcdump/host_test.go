package tcdump

import (
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestFlowTables(t *testing.T) {
	soft, hard := []plan.FlowTable{{}}, []plan.FlowTable{{Hardware: true}}
	for name, test := range map[string]struct {
		text string
		want []plan.FlowTable
	}{
		"nft": {"table inet fw4 {\n\tflowtable ft {\n\t\thook ingress priority filter\n\t\tdevices = { br-lan, eth1 };\n\t\tcounter\n\t}\n\n\tchain forward {\n\t\tip protocol { tcp, udp } flow add @ft\n\t}\n}\n",
			[]plan.FlowTable{{Name: "ft", Family: "inet", Devices: []string{"br-lan", "eth1"}}}},
		"nft, in hardware, no end": {"table ip x {\n flowtable f {\n  hook ingress priority 0\n  devices = { \"eth0\" }\n  flags offload\n }\n",
			[]plan.FlowTable{{Name: "f", Family: "ip", Devices: []string{"eth0"}, Hardware: true}}},
		"nft, in hardware, no end, a device behind it": {"table ip x {\n flowtable f {\n  devices = { \"eth0\" }\n  flags offload\n }\n2: eth0: <UP> mtu 1500\n    link/ether 02:00:5e:10:00:01\n",
			[]plan.FlowTable{{Name: "f", Family: "ip", Devices: []string{"eth0"}, Hardware: true}}},
		"a table without":                 {"table inet fw4 {\n\tchain input {\n\t\ttype filter hook input priority filter; policy drop;\n\t}\n}\n", nil},
		"file":                            {"config defaults\n\toption input 'ACCEPT'\n\toption flow_offloading '1'\n\nconfig zone\n\toption name 'lan'\n", soft},
		"file, hardware":                  {"config defaults\n\toption flow_offloading '1'\n\toption flow_offloading_hw '1'\n", hard},
		"file, hardware without software": {"config defaults\n\toption flow_offloading_hw '1'\n", nil},
		"file, off":                       {"config defaults\n\toption flow_offloading '0'\n\toption flow_offloading_hw '1'\n", nil},
		"uci show":                        {"firewall.@defaults[0]=defaults\nfirewall.@defaults[0].flow_offloading='1'\nfirewall.@zone[0].name='lan'\nnetwork.wan.proto='pppoe'\n", soft},
		"uci show, hardware":              {"firewall.@defaults[0].flow_offloading='1'\nfirewall.@defaults[0].flow_offloading_hw='1'\n", hard},
		"a connection":                    {"ipv4     2 tcp      6 src=192.0.2.11 dst=198.51.100.7 sport=38720 dport=443 packets=31 bytes=4600 src=198.51.100.7 dst=203.0.113.9 sport=443 dport=38720 packets=31 bytes=11904 [OFFLOAD] mark=0 zone=0 use=3\n", soft},
		"a connection, in hardware":       {"tcp      6 src=192.0.2.11 dst=198.51.100.7 sport=1 dport=443 src=198.51.100.7 dst=203.0.113.9 sport=443 dport=1 [HW_OFFLOAD] mark=0 use=3\n", hard},
		"a connection like any":           {"tcp      6 431999 ESTABLISHED src=192.0.2.11 dst=198.51.100.7 sport=1 dport=443 src=198.51.100.7 dst=203.0.113.9 sport=443 dport=1 [ASSURED] mark=0 use=1\n", nil},
	} {
		t.Run(name, func(t *testing.T) { same(t, "flow tables", test.want, read(t, test.text).FlowTables) })
	}
}

func TestConfigured(t *testing.T) {
	want := plan.Configured{
		Program: "sqm-scripts", File: "/etc/config/sqm", Device: "eth0.2", Enabled: true,
		Upload: 9500 * linklayer.Kbit, Qdisc: "fq_codel", Script: "simple.qos",
	}
	second := plan.Configured{Program: "sqm-scripts", File: "/etc/config/sqm", Device: "wlan0"}
	for name, text := range map[string]string{
		"file": "config queue 'eth1'\n\toption enabled '1'\n\toption interface 'eth0.2'\n\toption download '0'\n\toption upload '9500'\n\toption qdisc 'fq_codel'\n\toption script 'simple.qos'\n\toption iqdisc_opts 'nat dual-dsthost'\n" +
			"config queue\n\toption interface \"wlan0\"\n",
		"uci show": "sqm.eth1=queue\nsqm.eth1.enabled='1'\nsqm.eth1.interface='eth0.2'\nsqm.eth1.download='0'\nsqm.eth1.upload='9500'\nsqm.eth1.qdisc='fq_codel'\nsqm.eth1.script='simple.qos'\nsqm.eth1.iqdisc_opts='nat dual-dsthost'\n" +
			"sqm.@queue[1]=queue\nsqm.@queue[1].interface='wlan0'\n",
	} {
		same(t, name, []plan.Configured{want, second}, read(t, text).Configured)
	}
}

func TestRoutes(t *testing.T) {
	s := read(t, `$ ip -o route show default
default via 192.0.2.1 dev eth0 proto static
default dev ppp0 scope link metric 10
default via 2001:db8::1 dev eth0 proto ra
203.0.113.0/24 dev br-lan proto kernel scope link src 203.0.113.1
2001:db8::/64 dev br-lan proto kernel
198.51.100.7 via 192.0.2.1 dev eth0
[{"dst":"default","gateway":"192.0.2.1","dev":"wwan0","flags":[]},{"dst":"203.0.113.0/24","dev":"lan"}]
`)
	same(t, "default routes", []string{"eth0", "ppp0", "wwan0"}, s.DefaultRoutes)
}

// What can't be read is named by its line, a few dozen at most, and cut to a sane
// length; a colour or a name in another script is no trouble.
func TestUnread(t *testing.T) {
	text := "Größe: 5\n"
	for range 100 {
		text += "this line says nothing that anybody could read, and goes on and on and on and on and on and on and on until its end\n"
	}
	dump, err := Read(strings.NewReader(text), "paste")
	if err != nil {
		t.Fatal(err)
	}
	if len(dump.Unread) != mostUnread || dump.More != 101-mostUnread || !dump.Empty() {
		t.Errorf("%d lines and %d more", len(dump.Unread), dump.More)
	}
	if first := dump.Unread[0]; first.Number != 1 || first.Text != "Größe: 5" {
		t.Errorf("%+v", first)
	}
	if last := dump.Unread[mostUnread-1]; last.Number != mostUnread || len(last.Text) > 110 {
		t.Errorf("%+v", last)
	}
}
