package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/plan"
)

// An IFB that nothing is sent to belongs to the device that it is named after,
// or to the only one that it can belong to.
func TestObservedIdleIFB(t *testing.T) {
	way := func(name string) plan.Device {
		return plan.Device{Name: name, Up: true, Type: 1, Qdiscs: []plan.QdiscState{{Qdisc: plan.Qdisc{Link: name, Kind: "ingress", Parent: plan.HandleIngress}}}}
	}
	ifb := func(name string) plan.Device {
		return plan.Device{Name: name, Kind: "ifb", Up: true, Type: 1, Qdiscs: []plan.QdiscState{rootOf(name)}}
	}
	bare := ifb("ifb0")
	bare.Qdiscs[0].Handle = 0
	fed := way("lan")
	fed.Filters = []plan.FilterState{{Filter: plan.Filter{Link: "lan", Redirect: "ifb0"}}}
	tests := []struct {
		name    string
		devices []plan.Device
		want    map[string]string // the IFB by device
	}{
		{"by name", []plan.Device{way("wan"), ifb("ifb4wan"), ifb("ifb1")}, map[string]string{"wan": "ifb4wan"}},
		{"by name the other way round", []plan.Device{way("wan"), ifb("wan-ifb")}, map[string]string{"wan": "wan-ifb"}},
		{"by a name cut off", []plan.Device{way("enp0s31f6.1234"), ifb("ifb4enp0s31f6.1")}, map[string]string{"enp0s31f6.1234": "ifb4enp0s31f6.1"}},
		{"each its own", []plan.Device{way("eth1"), way("eth10"), ifb("ifb4eth10"), ifb("ifb4eth1")}, map[string]string{"eth1": "ifb4eth1", "eth10": "ifb4eth10"}},
		{"the only one", []plan.Device{way("wan"), ifb("ifb0")}, map[string]string{"wan": "ifb0"}},
		{"beside one that works", []plan.Device{way("wan"), fed, ifb("ifb0"), ifb("ifb1")}, map[string]string{"lan": "ifb0", "wan": "ifb1"}},
		{"another device's", []plan.Device{way("wan"), {Name: "lan"}, ifb("ifb4lan")}, map[string]string{"lan": "ifb4lan"}},
		{"nobody knows which", []plan.Device{way("wan"), way("lan"), ifb("ifb0")}, nil},
		{"no way in", []plan.Device{{Name: "wan"}, ifb("ifb0")}, nil},
		{"nothing on it", []plan.Device{way("wan"), bare}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found := plan.State{Devices: test.devices}
			got := map[string]string{}
			for _, l := range Observed(found).Links {
				if l.Ingress != nil {
					got[l.Interface] = l.Ingress.Qdisc.Link
				}
			}
			if len(got) != len(test.want) {
				t.Fatalf("got %v, want %v", got, test.want)
			}
			for device, want := range test.want {
				if got[device] != want {
					t.Errorf("%s gets %q, want %q", device, got[device], want)
				}
			}
		})
	}
}
