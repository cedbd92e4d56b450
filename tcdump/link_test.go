package tcdump

import (
	"testing"

	"github.com/sqmctl/sqmctl/plan"
)

const linkText = `1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN mode DEFAULT group default qlen 1000
    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00 promiscuity 0 minmtu 0 maxmtu 0 addrgenmode eui64 numtxqueues 1 numrxqueues 1
    RX: bytes  packets  errors  dropped overrun mcast
    0          0        0       0       0       0
    TX: bytes  packets  errors  dropped carrier collsns
    0          0        0       0       0       0
2: eth0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1508 qdisc mq master br-lan state DOWN mode DEFAULT group default qlen 500
    link/ether 02:00:5e:10:00:02 brd ff:ff:ff:ff:ff:ff promiscuity 1 minmtu 68 maxmtu 9000
    bridge_slave state disabled priority 32 cost 100 hairpin off addrgenmode eui64 numtxqueues 8 numrxqueues 8
    RX:  bytes packets errors dropped  missed   mcast
          1111      22      0       3       0       4
    TX:  bytes packets errors dropped carrier collsns
          5555      66      0       7       0       0
    altname enp1s0
prose about this device
3: eth0.7@eth0: <BROADCAST,MULTICAST> mtu 1500 qdisc noop state DOWN mode DEFAULT group default qlen 1000
    link/ether 02:00:5e:10:00:02 brd ff:ff:ff:ff:ff:ff promiscuity 0 minmtu 0 maxmtu 65535
    vlan protocol 802.1Q id 7 <REORDER_HDR> addrgenmode eui64 numtxqueues 1 numrxqueues 1
    alias to the provider: a line
4: eth0.8@eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP mode DEFAULT group default qlen 1000
    link/ether 02:00:5e:10:00:02 brd ff:ff:ff:ff:ff:ff promiscuity 0
    vlan protocol 802.1Q id 8 <LOOSE_BINDING> addrgenmode eui64 numtxqueues 1 numrxqueues 1
5: pppoe-wan: <POINTOPOINT,MULTICAST,NOARP,UP,LOWER_UP> mtu 1492 qdisc cake state UNKNOWN mode DEFAULT group default qlen 3
    link/ppp promiscuity 0
    ppp addrgenmode none numtxqueues 1 numrxqueues 1
6: wwan0: <POINTOPOINT,NOARP,UP,LOWER_UP> mtu 1500 qdisc fq_codel state UNKNOWN mode DEFAULT group default qlen 1000
    link/[519] promiscuity 0 addrgenmode none numtxqueues 1 numrxqueues 1
7: veth1@veth2: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP mode DEFAULT group default qlen 1000
    link/ether 02:00:5e:10:00:03 brd ff:ff:ff:ff:ff:ff promiscuity 0
    veth addrgenmode eui64 numtxqueues 1 numrxqueues 1
8: wg0: <POINTOPOINT,NOARP,UP,LOWER_UP> mtu 1420 qdisc noqueue state UNKNOWN mode DEFAULT group default qlen 1000
    link/none  promiscuity 0
    wireguard addrgenmode none numtxqueues 1 numrxqueues 1
`

func linkDevices() map[string]plan.Device {
	unknown := plan.DeviceUnknown{Counters: true, Filters: true}
	return map[string]plan.Device{
		"lo": {Index: 1, Type: 772, Up: true, Carrier: true, MTU: 65536, TxQueues: 1, TxQueueLen: 1000, Unknown: plan.DeviceUnknown{Filters: true}},
		"eth0": {Index: 2, Type: 1, Up: true, MTU: 1508, Master: "br-lan", TxQueues: 8, TxQueueLen: 500,
			Counters: plan.Counters{RxBytes: 1111, RxPackets: 22, RxDropped: 3, TxBytes: 5555, TxPackets: 66, TxDropped: 7}, Unknown: plan.DeviceUnknown{Filters: true}},
		"eth0.7":    {Index: 3, Type: 1, Kind: "vlan", MTU: 1500, Parent: "eth0", VLAN: 7, TxQueues: 1, TxQueueLen: 1000, Alias: "to the provider: a line", Unknown: unknown},
		"eth0.8":    {Index: 4, Type: 1, Kind: "vlan", Up: true, Carrier: true, MTU: 1500, Parent: "eth0", VLAN: 8, TagInside: true, TxQueues: 1, TxQueueLen: 1000, Unknown: unknown},
		"pppoe-wan": {Index: 5, Type: 512, Kind: "ppp", Up: true, Carrier: true, MTU: 1492, TxQueues: 1, TxQueueLen: 3, Unknown: unknown},
		"wwan0":     {Index: 6, Type: 519, Up: true, Carrier: true, MTU: 1500, TxQueues: 1, TxQueueLen: 1000, Unknown: unknown},
		"veth1":     {Index: 7, Type: 1, Kind: "veth", Up: true, Carrier: true, MTU: 1500, TxQueues: 1, TxQueueLen: 1000, Unknown: unknown},
		"wg0":       {Index: 8, Type: 65534, Kind: "wireguard", Up: true, Carrier: true, MTU: 1420, Tunnel: &plan.Tunnel{}, TxQueues: 1, TxQueueLen: 1000, Unknown: unknown},
	}
}

func TestLinks(t *testing.T) {
	s := read(t, "# ip -s -d link\n"+linkText, "prose about this device")
	want := linkDevices()
	if len(s.Devices) != len(want) {
		t.Errorf("%d devices, want %d", len(s.Devices), len(want))
	}
	for name, d := range want {
		d.Name = name
		if got := s.Device(name); got == nil {
			t.Errorf("no %s", name)
		} else {
			same(t, name, d, *got)
		}
	}
}

// ip -o puts the lines of a device together; ip addr says other things besides.
func TestLinkForms(t *testing.T) {
	s := read(t, `$ ip -o -s link
3: eth1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc cake master br-lan state UP mode DEFAULT group default qlen 1000\    link/ether 02:00:5e:10:00:01 brd ff:ff:ff:ff:ff:ff\    RX: bytes  packets  errors  dropped overrun mcast   \    11 2 0 3 0 0 \    TX: bytes  packets  errors  dropped carrier collsns \    44 5 0 6 0 0 \    alias x y
$ ip a
4: ppp0: <POINTOPOINT,MULTICAST,NOARP,UP,LOWER_UP> mtu 1492 qdisc fq_codel state UNKNOWN group default qlen 3
    link/ppp 
    inet 192.0.2.7 peer 192.0.2.1/32 scope global ppp0
       valid_lft forever preferred_lft forever
    inet6 fe80::1/128 scope link 
       valid_lft forever preferred_lft forever
$ ip -o link show master br-lan
5: eth2: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc cake master br-lan state UP
`)
	unknown := plan.DeviceUnknown{Counters: true, Filters: true}
	same(t, "eth1", plan.Device{Name: "eth1", Index: 3, Type: 1, Up: true, Carrier: true, MTU: 1500, Master: "br-lan", TxQueueLen: 1000, Alias: "x y",
		Counters: plan.Counters{RxBytes: 11, RxPackets: 2, RxDropped: 3, TxBytes: 44, TxPackets: 5, TxDropped: 6}, Unknown: plan.DeviceUnknown{Filters: true}}, *s.Device("eth1"))
	same(t, "ppp0", plan.Device{Name: "ppp0", Index: 4, Type: 512, Up: true, Carrier: true, MTU: 1492, TxQueueLen: 3, Unknown: unknown}, *s.Device("ppp0"))
	same(t, "eth2", plan.Device{Name: "eth2", Index: 5, Type: 1, Up: true, Carrier: true, MTU: 1500, Master: "br-lan", Unknown: unknown}, *s.Device("eth2"))
}

// Without -d a veth is known by its other end, which names it in turn; rounded
// counters are none.
func TestLinksWithoutDetails(t *testing.T) {
	s := read(t, `7: veth1@veth2: <UP> mtu 1500
8: veth2@veth1: <UP> mtu 1500
9: eth0.7@eth0: <UP> mtu 1500
2: eth0: <UP> mtu 1500
    RX: bytes  packets  errors  dropped overrun mcast
    1.2M       3.4k     0       0       0       0
10: wan@if9: <UP> mtu 1500
11: ifb4wan: <BROADCAST,NOARP> mtu 1500
12: tun0: <UP> mtu 1500
`, "1.2M 3.4k 0 0 0 0")
	for name, parent := range map[string]string{"veth1": "", "veth2": "", "eth0.7": "eth0", "wan": ""} {
		if d := s.Device(name); d.Parent != parent {
			t.Errorf("below %s is %q, want %q", name, d.Parent, parent)
		}
	}
	if !s.Device("eth0").Unknown.Counters || s.Device("ifb4wan").Kind != "ifb" || s.Device("ifb4wan").Up || s.Device("tun0").Tunnel == nil {
		t.Errorf("%+v", s.Devices)
	}
}

// A device that only tc names is taken to be up, and for what its name says.
func TestDevicesByName(t *testing.T) {
	for name, want := range map[string]plan.Device{
		"eth0": {Type: 1}, "ppp0": {Type: 512}, "pppoe-wan": {Type: 512}, "ifb0": {Type: 1, Kind: "ifb"}, "wan-ifb": {Type: 1, Kind: "ifb"},
		"wg0": {Type: 65534, Kind: "wireguard", Tunnel: &plan.Tunnel{}},
	} {
		want.Name, want.Up, want.Carrier = name, true, true
		want.Unknown = plan.DeviceUnknown{Link: true, Counters: true, Filters: true, Rounded: true}
		got := read(t, "qdisc noqueue 0: dev "+name+" root refcnt 2\n").Devices[0]
		got.Qdiscs = nil
		same(t, name, want, got)
	}
}
