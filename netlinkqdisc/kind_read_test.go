package netlinkqdisc

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// tunnels are devices that ip makes over wan, and what the kernel must be seen
// to put around a packet.
var tunnels = []struct {
	kind, words string
	inside      int // bytes of link header that go through it
}{
	{"ipip", "local 192.0.2.1 remote 192.0.2.2", 0},
	{"ipip", "local 192.0.2.1 remote 192.0.2.2 encap fou encap-sport 5555 encap-dport 5555", 0},
	{"sit", "local 192.0.2.1 remote 192.0.2.2", 0},
	{"gre", "local 192.0.2.1 remote 192.0.2.2", 0},
	{"gre", "local 192.0.2.1 remote 192.0.2.2 key 5", 0},
	{"gre", "local 192.0.2.1 remote 192.0.2.2 key 5 csum seq", 0},
	{"gre", "local 192.0.2.1 remote 192.0.2.2 encap gue encap-sport 5555 encap-dport 5555", 0},
	{"gretap", "local 192.0.2.1 remote 192.0.2.2", 14},
	{"ip6tnl", "mode any local 2001:db8::1 remote 2001:db8::2", 0},
	{"ip6tnl", "mode any local 2001:db8::1 remote 2001:db8::2 encaplimit none", 0},
	{"ip6gre", "local 2001:db8::1 remote 2001:db8::2", 0},
	{"ip6gre", "local 2001:db8::1 remote 2001:db8::2 encaplimit none key 5", 0},
	{"ip6gretap", "local 2001:db8::1 remote 2001:db8::2", 14},
	{"vxlan", "id 5 local 192.0.2.1 remote 192.0.2.2 dstport 4789", 14},
	{"vxlan", "id 5 local 2001:db8::1 remote 2001:db8::2 dstport 4789", 14},
	{"geneve", "id 5 remote 192.0.2.2", 14},
	{"geneve", "id 5 remote 2001:db8::2", 14},
}

// What is read of a tunnel is what the kernel puts around a packet in it, as the
// counters of the device below show.
func TestTunnelOuterKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		// Nothing but what the test sends may leave: IPv6 asks for routers for ever.
		if err := os.WriteFile("/proc/sys/net/ipv6/conf/default/router_solicitations", []byte("0"), 0); err != nil {
			t.Fatal(err)
		}
		script(t, wanAndLan+`
			ip addr add 192.0.2.1/24 dev wan
			ip addr add 2001:db8::1/64 dev wan nodad
			ip neigh add 192.0.2.2 lladdr 02:00:00:00:00:02 dev wan
			ip neigh add 2001:db8::2 lladdr 02:00:00:00:00:02 dev wan
		`)
		for _, tunnel := range tunnels {
			script(t, "ip link add tunnel type "+tunnel.kind+" "+tunnel.words+"\n")
			quiet(t, "tunnel")
			script(t, "ip link set tunnel up\n")
			time.Sleep(time.Minute) // until all groups that IPv6 joins are reported
			found := read(t, open(t))
			d := device(t, found, "tunnel")
			if d.Tunnel == nil {
				t.Errorf("%s %s isn't seen as a tunnel", tunnel.kind, tunnel.words)
			} else if got := outerOf(t, 500) - tunnel.inside; got != d.Tunnel.Outer {
				t.Errorf("%s %s adds %d bytes, and %d are read", tunnel.kind, tunnel.words, got, d.Tunnel.Outer)
			}
			run(t, "ip link del tunnel")
		}
	})
}

// outerOf sends an IP packet through the tunnel and returns by how much the
// packet grew; Ethernet below isn't counted.
func outerOf(t *testing.T, size int) int {
	t.Helper()
	k := open(t)
	before := read(t, k)
	sendSized(t, "tunnel", size)
	after := read(t, k)
	was, is := device(t, before, "wan").Counters, device(t, after, "wan").Counters
	if is.TxPackets-was.TxPackets != 1 {
		t.Fatalf("%d packets left", is.TxPackets-was.TxPackets)
	}
	return int(is.TxBytes-was.TxBytes) - size - 14
}

func TestReadKind(t *testing.T) {
	flags := func(n uint32) []byte { return append(b32(n), b32(0)...) }
	tests := []struct {
		name  string
		kind  string
		data  []any
		vlan  int
		tag   bool
		outer int // -1: no tunnel
	}{
		{"VLAN", "vlan", []any{vlanID, []byte{7, 0}, vlanFlags, flags(1)}, 7, false, -1},
		{"VLAN, tag in the packet", "vlan", []any{vlanID, []byte{7, 0}}, 7, true, -1},
		{"WireGuard", "wireguard", nil, 0, false, 80},
		{"of a program", "tun", nil, 0, false, 0},
		{"IPIP", "ipip", nil, 0, false, 20},
		{"GRE with all fields", "gre", []any{greOFlags, []byte{0xb0, 0}}, 0, false, 36},
		{"GRE in GUE", "gre", []any{greEncap, []byte{2, 0}}, 0, false, 36},
		{"garbled GRE", "gre", []any{greOFlags, []byte{1}}, 0, false, 24},
		{"IPv6 with the option", "ip6tnl", []any{iptunLimit, []byte{4}, iptunFlags, b32(0)}, 0, false, 48},
		{"IPv6 without", "ip6tnl", []any{iptunLimit, []byte{4}, iptunFlags, b32(ignoresLimit)}, 0, false, 40},
		{"VXLAN over IPv6", "vxlan", []any{vxlanGroup6, make([]byte, 16)}, 0, false, 56},
		{"Geneve", "geneve", nil, 0, false, 36},
		{"veth", "veth", nil, 0, false, -1},
		{"a kind of the future", "warp", []any{1, b32(1)}, 0, false, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := append(linkMessage(5, unix.IFF_UP, 0), nest(unix.IFLA_LINKINFO, nest(infoKind, []byte(tt.kind+"\x00"), infoData, nest(tt.data...)))...)
			l, err := readLink(b)
			if err != nil {
				t.Fatal(err)
			}
			outer := -1
			if l.device.Tunnel != nil {
				outer = l.device.Tunnel.Outer
			}
			if l.device.VLAN != tt.vlan || l.device.TagInside != tt.tag || outer != tt.outer {
				t.Errorf("tag %d, in the packet %t, outer %d", l.device.VLAN, l.device.TagInside, outer)
			}
		})
	}
}
