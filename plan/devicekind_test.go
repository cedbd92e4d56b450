package plan

import (
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

func tunnelDevice(name, kind string, outer int) Device {
	d := ethernetDevice(name)
	d.Kind, d.Type, d.MTU, d.Tunnel = kind, 65534, 1420, &Tunnel{Outer: outer}
	return d
}

func vlanDevice(name string) Device {
	d := ethernetDevice(name)
	d.Kind, d.Parent, d.VLAN = "vlan", "eth0", 7
	return d
}

// What a device is decides what its qdiscs have to count on top.
func TestOverheadByDevice(t *testing.T) {
	inline, gretap, rawIP := vlanDevice("wan"), tunnelDevice("wan", "gretap", 24), ethernetDevice("wan")
	inline.TagInside = true
	gretap.Type = arphrdEthernet
	rawIP.Type = arphrdRawIP
	tests := []struct {
		name       string
		device     Device
		access     string
		cake, stab int
		says       string // the plan of the device
		because    string // of the overhead
	}{
		{"Ethernet", ethernetDevice("wan"), "ethernet", 38, 24, "an Ethernet device", ""},
		{"VLAN", vlanDevice("wan"), "ethernet-vlan", 42, 28, "a VLAN device (tag 7 on eth0)", ""},
		{"VLAN that may end in a switch", vlanDevice("wan"), "vdsl2", 22, 8, "a VLAN device (tag 7 on eth0)", `if the tag 7 of wan goes over the line, write type = "vdsl2-vlan"`},
		{"VLAN of a type without such a variant", vlanDevice("wan"), "docsis", 18, 4, "a VLAN device (tag 7 on eth0)", "write overhead = 22"},
		{"VLAN with its tag in the packet", inline, "ethernet-vlan", 42, 24, "a VLAN device (tag 7 on eth0)", ""},
		{"PPP", pppDevice("wan"), "vdsl2-pppoe", 30, 30, "a PPP device", ""},
		{"raw IP", rawIP, "lte", 7, 7, "a modem's raw IP device", ""},
		{"WireGuard", tunnelDevice("wan", "wireguard", 80), "docsis", 98, 98, "a wireguard tunnel", "and 80 for a wireguard tunnel"},
		{"GRE with Ethernet in it", gretap, "docsis", 18 + 24 + 14, 18 + 24, "a gretap tunnel", "and 38 for a gretap tunnel"},
		{"over PPPoE", tunnelDevice("wan", "wireguard", 80), "vdsl2-pppoe", 110, 110, "a wireguard tunnel", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found := stateOf(tt.device)
			link := compiled(t, profileOf(t, "wan", tt.access, 100*mbit, 40*mbit), found)
			if got := link.Egress.Qdisc.Cake.Encapsulation.Overhead; got != tt.cake {
				t.Errorf("CAKE's overhead is %d, want %d", got, tt.cake)
			}
			if why := link.Egress.reason("overhead").Why; !strings.Contains(why, tt.because) {
				t.Errorf("the reason is %q, want %q in it", why, tt.because)
			}
			if link.On != tt.says {
				t.Errorf("it is on %q, want %q", link.On, tt.says)
			}
			link = treeLink(t, tt.device, tt.access, 100*mbit, 40*mbit)
			if stab := link.Ingress.Qdisc.Stab; stab == nil || stab.Overhead != tt.stab {
				t.Errorf("the size table is %+v, want an overhead of %d", stab, tt.stab)
			}
		})
	}
}

// A profile's own figure is all that the line adds to an IP packet.
func TestOwnOverheadIsTheWholeTruth(t *testing.T) {
	mine := func(l *config.Link) { l.Upload.Overhead, l.Download.Overhead = byLine(44, 7), byLine(44, 7) }
	for _, d := range []Device{tunnelDevice("wan", "wireguard", 80), tunnelDevice("wan", "tun", 0), pppDevice("wan"), vlanDevice("wan")} {
		link := compiled(t, profileOf(t, "wan", "docsis", 100*mbit, 40*mbit, mine), stateOf(d))
		if got := link.Egress.Qdisc.Cake.Encapsulation.Overhead; got != 44 {
			t.Errorf("%s: overhead %d", link.On, got)
		}
	}
}

func TestContradictions(t *testing.T) {
	rawIP := ethernetDevice("wan")
	rawIP.Type = arphrdRawIP
	ppp, wg := pppDevice("wan"), tunnelDevice("wan", "tun", 0)
	tests := []struct {
		device Device
		access string
		want   []string // in the problem; none if there is none
	}{
		{ppp, "vdsl2-pppoe", nil},
		{ppp, "adsl-pppoa-llc", nil},
		{ppp, "lte", nil},
		{ppp, "conservative", nil},
		{ppp, "raw", nil},
		{ppp, "vdsl2", []string{"22 bytes (14 Ethernet header", "they are 30 (2 PPP + 6 PPPoE + 14", `write type = "vdsl2-pppoe", or overhead`}},
		{ppp, "ethernet-vlan", []string{"they are 50", `"ethernet-pppoe-vlan", or`}},
		{ppp, "adsl-ipoa-llcsnap", []string{`"adsl-pppoa-llc"`}},
		{ppp, "docsis", []string{"2 PPP + 6 PPPoE + 18 make 26", "write overhead = 26"}},
		{rawIP, "5g", nil},
		{rawIP, "conservative", nil},
		{rawIP, "starlink", nil},
		{rawIP, "vdsl2-pppoe", []string{"no Ethernet or PPPoE goes", `write type = "lte" or "5g"`}},
		{rawIP, "docsis", []string{"no Ethernet goes", "18 bytes of it"}},
		{wg, "docsis", []string{"it is a tun tunnel", "write overhead = the line's 18"}},
		{vlanDevice("wan"), "docsis", nil},
		{ethernetDevice("wan"), "adsl-pppoe-llcsnap", nil}, // the modem does it
	}
	for _, tt := range tests {
		p := Compile(profileOf(t, "wan", tt.access, 100*mbit, 40*mbit), stateOf(tt.device))
		err := p.FirstProblem()
		if (err != nil) != (tt.want != nil) {
			t.Errorf("%s on %s: %v", tt.access, p.Links[0].On, err)
			continue
		}
		for _, words := range tt.want {
			if !strings.Contains(err.Error(), words) || !strings.HasPrefix(err.Error(), "wan.toml:2: wan: ") {
				t.Errorf("%s on %s: %v\nshould say %q", tt.access, p.Links[0].On, err, words)
			}
		}
	}
}

// The port of a switch can be shaped, and what carries all ports can't.
func TestSwitch(t *testing.T) {
	wan, lan := ethernetDevice("wan"), ethernetDevice("lan1")
	wan.Kind, wan.Parent, lan.Kind, lan.Parent = "dsa", "eth0", "dsa", "eth0"
	found := stateOf(ethernetDevice("eth0"), wan, lan)
	p := Compile(profileOf(t, "eth0", "docsis", 100*mbit, 40*mbit), found)
	if err := p.FirstProblem(); err == nil || !strings.Contains(err.Error(), "all of wan, lan1 send") {
		t.Errorf("eth0: %v", err)
	}
	compiled(t, profileOf(t, "wan", "docsis", 100*mbit, 40*mbit), found)
}

// A modem may have raw IP without saying so.
func TestRawIP(t *testing.T) {
	for kind, want := range map[string]bool{"": true, "wwan": true, "rmnet": true, "wireguard": false} {
		d := ethernetDevice("wan")
		d.Kind, d.Type = kind, arphrdNone
		if kind == "wireguard" {
			d.Tunnel = &Tunnel{Outer: 80}
		}
		if isRawIP(&d) != want {
			t.Errorf("%q without a link header: %t", kind, !want)
		}
	}
}

// The types that are advised for PPP are those of the same line.
func TestAdviceForPPPIsRight(t *testing.T) {
	for name, other := range withPPP {
		a, ok := linklayer.AccessByName(name)
		b, ok2 := linklayer.AccessByName(other)
		if !ok || !ok2 || a.Encapsulation.Framing != b.Encapsulation.Framing || !strings.Contains(other, "ppp") {
			t.Errorf("%s: %s", name, other)
		}
	}
}

// A link that can't be planned keeps no other from its plan.
func TestProblemOfOneLink(t *testing.T) {
	p := profileOf(t, "wan", "vdsl2", 100*mbit, 40*mbit)
	second := p.Links[0]
	second.Interface, second.Line = "eth0", 7
	p.Links = append(p.Links, second)
	planned := Compile(p, stateOf(pppDevice("wan"), ethernetDevice("eth0")))
	if l := planned.Links[0]; l.Problem == nil || l.Problem.Line != 2 || l.Egress != nil || l.Ingress != nil {
		t.Errorf("the first link: %+v", l)
	}
	if l := planned.Links[1]; l.Problem != nil || l.Egress == nil || l.Ingress == nil {
		t.Errorf("the second link: %+v", l)
	}
	if _, err := Diff(planned.Links[0], stateOf(pppDevice("wan")), false); err == nil || !strings.Contains(err.Error(), "wan.toml:2") {
		t.Errorf("Diff says %v", err)
	}
}
