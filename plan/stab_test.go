package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
)

// The same line in the words of a size table and in CAKE's: a table counts from
// what the device sends, link header included, CAKE from the IP packet in it.
// Whoever takes the one for the other is 14 bytes off on Ethernet.
func TestStabAndCakeOfALine(t *testing.T) {
	tests := []struct {
		access     string
		cake, stab int // on an Ethernet device
	}{
		{"adsl-pppoa-vcmux", 10, -4},
		{"adsl-pppoa-llc", 14, 0},
		{"adsl-ipoa-vcmux", 8, -6},
		{"adsl-ipoa-llcsnap", 16, 2},
		{"adsl-bridged-vcmux", 24, 10},
		{"adsl-bridged-llcsnap", 32, 18},
		{"adsl-pppoe-vcmux", 32, 18},
		{"adsl-pppoe-llcsnap", 40, 26},
		{"conservative", 48, 34},
	}
	for _, test := range tests {
		for _, arphrd := range []uint16{arphrdEthernet, arphrdPPP, arphrdRawIP, arphrdNone} {
			access, _ := linklayer.AccessByName(test.access)
			if arphrd == arphrdPPP && !carriesPPP(&access) || (arphrd == arphrdRawIP || arphrd == arphrdNone) && carriesEthernet(&access) {
				continue // which is a problem
			}
			device := ethernetDevice("wan")
			device.Type = arphrd
			cake := compiled(t, profileOf(t, "wan", test.access, mbit, mbit), stateOf(device)).Egress.Qdisc.Cake
			tree := treeLink(t, device, test.access, mbit, mbit).Egress
			stab, why := test.stab, "; less the 14 bytes of link header that wan counts already"
			if arphrd != arphrdEthernet {
				stab, why = test.cake, ""
			}
			if e := cake.Encapsulation; e.Overhead != test.cake || e.Framing != linklayer.ATM {
				t.Errorf("%s on type %d: CAKE has %+v", test.access, arphrd, e)
			}
			if s := tree.Qdisc.Stab; s == nil || s.Overhead != stab || !s.ATM {
				t.Errorf("%s on type %d: the size table is %+v, should have an overhead of %d", test.access, arphrd, s, stab)
			}
			for _, r := range tree.Reasons {
				if r.Attribute == "stab overhead" && (r.Value != fmt.Sprint(stab) || !strings.Contains(r.Why, why)) {
					t.Errorf("%s on type %d: the reason for %s is %q", test.access, arphrd, r.Value, r.Why)
				}
			}
		}
	}
}
