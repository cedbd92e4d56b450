package plan

import (
	"testing"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

func TestOverheadUnderPPPoE(t *testing.T) {
	ppp, eth1, eth2 := pppDevice("ppp0"), ethernetDevice("eth1"), ethernetDevice("eth2")
	vlan := pppoeDevice("eth1.7")
	vlan.Kind, vlan.Parent = "vlan", "eth1"
	loop := vlan
	loop.Parent = "eth1.7"
	lost := vlan
	lost.Parent = "eth9"
	mine := func(l *config.Link) { l.Upload.Overhead = byLine(30, 9) }
	tests := []struct {
		name   string
		device string
		access string
		edit   func(*config.Link)
		found  State
		want   int
	}{
		{"on the ppp device", "ppp0", "vdsl2-pppoe", nil, stateOf(ppp, pppoeDevice("eth1")), 30},
		{"right under it", "eth1", "vdsl2-pppoe", nil, stateOf(ppp, pppoeDevice("eth1")), 22},
		{"of two sessions one is here", "eth2", "vdsl2-pppoe", nil, stateOf(ppp, pppoeDevice("eth1"), pppDevice("ppp1"), pppoeDevice("eth2")), 22},
		{"under it and a VLAN", "eth1", "vdsl2-pppoe-vlan", nil, stateOf(ppp, vlan, eth1), 26},
		{"between it and the VLAN", "eth1.7", "vdsl2-pppoe-vlan", nil, stateOf(ppp, vlan, eth1), 26},
		{"beside it", "eth2", "vdsl2-pppoe", nil, stateOf(ppp, pppoeDevice("eth1"), eth2), 30},
		{"the modem ends PPPoE", "eth1", "vdsl2-pppoe", nil, stateOf(eth1), 30},
		{"PPP over something else", "eth1", "vdsl2-pppoe", nil, stateOf(ppp, eth1), 30},
		{"the line has no PPPoE", "eth1", "vdsl2", nil, stateOf(ppp, pppoeDevice("eth1")), 22},
		{"the profile says how much", "eth1", "vdsl2-pppoe", mine, stateOf(ppp, pppoeDevice("eth1")), 22},
		{"the device below is not known", "eth1", "vdsl2-pppoe", nil, stateOf(ppp, lost, eth1), 30},
		{"devices that stand on themselves", "eth1", "vdsl2-pppoe", nil, stateOf(ppp, loop, eth1), 30},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := profileOf(t, tt.device, tt.access, 100*mbit, 40*mbit)
			if tt.edit != nil {
				tt.edit(&p.Links[0])
			}
			got := compiled(t, p, tt.found).Egress.Qdisc.Cake.Encapsulation
			if got != (linklayer.Encapsulation{Overhead: tt.want, Framing: linklayer.PTM}) {
				t.Errorf("got %+v, want an overhead of %d", got, tt.want)
			}
		})
	}
}

func TestRaw(t *testing.T) {
	found := stateOf(ethernetDevice("wan"))
	if c := compiled(t, profileOf(t, "wan", "raw", mbit, mbit), found).Egress.Qdisc.Cake; !c.Raw || c.Encapsulation.Overhead != 0 {
		t.Errorf("type raw gives raw %t overhead %d", c.Raw, c.Encapsulation.Overhead)
	}
	p := profileOf(t, "wan", "raw", mbit, mbit, func(l *config.Link) { l.Upload.Overhead = byLine(4, 9) })
	if c := compiled(t, p, found).Egress.Qdisc.Cake; c.Raw || c.Encapsulation.Overhead != 4 {
		t.Errorf("an overhead in the profile counts from the IP packet; it gives raw %t overhead %d", c.Raw, c.Encapsulation.Overhead)
	}
}
