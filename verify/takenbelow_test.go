package verify

import (
	"slices"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/plan"
)

// passed is what a device sent and received while doctor looked.
type passed struct {
	plan.Device
	sent, received uint64
}

// A download that the device below takes is told from an upload that nobody
// answers, and from what the device below has to do besides.
func TestTakenBelow(t *testing.T) {
	ppp := plan.Device{Name: "pppoe-wan", Type: 512}
	vlan := plan.Device{Name: "eth1.7", Type: 1, Kind: "vlan", Parent: "eth1"}
	ethernet := plan.Device{Name: "eth1", Type: 1}
	lan := plan.Device{Name: "eth0", Type: 1}
	pppoe := plan.Device{Name: "eth1", Type: 1, PPPoE: true}
	tests := []struct {
		name  string
		link  passed
		other []passed
		want  []Code
	}{
		{"PPPoE", passed{ppp, 902_113, 402}, []passed{{ethernet, 902_300, 1_700_000}}, []Code{FlowOffload}},
		{"PPPoE, known to be there", passed{ppp, 902_113, 402}, []passed{{lan, 902_113, 902_113}, {pppoe, 902_300, 1_700_000}}, []Code{FlowOffload}},
		{"PPPoE, known to be elsewhere", passed{ppp, 90_000, 50}, []passed{{lan, 90_000, 90_000}, {pppoe, 90_010, 60}}, []Code{Idle}},
		{"VLAN", passed{vlan, 20_058, 0}, []passed{{ethernet, 20_060, 40_637}}, []Code{FlowOffload}},
		{"a VLAN of another device", passed{vlan, 20_058, 0}, []passed{{lan, 20_060, 40_637}}, []Code{Idle}},
		{"an upload that nobody answers", passed{ppp, 90_000, 50}, []passed{{ethernet, 90_010, 60}, {lan, 60, 90_000}}, []Code{Idle}},
		{"beside television, which comes by another way", passed{ppp, 120, 30}, []passed{{ethernet, 120, 30_000}}, []Code{Idle}},
		{"an upload", passed{ppp, 40_000, 20_000}, []passed{{ethernet, 40_010, 20_010}}, []Code{Idle}},
		{"nothing below it", passed{ethernet, 90_000, 50}, []passed{{lan, 90_000, 90_000}}, []Code{Idle}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, samples := taken(test.link, test.other)
			var codes []Code
			for _, f := range Check(p, samples) {
				codes = append(codes, f.Code)
			}
			if !slices.Equal(codes, test.want) {
				t.Errorf("got %v, want %v", codes, test.want)
			}
		})
	}
}

// taken is a download planned for a link, its IFB in place, and two samples of
// what the devices did.
func taken(link passed, others []passed) (plan.Plan, []plan.State) {
	p := download()
	p.Links[0].Interface = link.Name
	link.Filters = []plan.FilterState{{Filter: plan.Filter{Link: link.Name, Priority: 10, Redirect: "ifb4wan"}}}
	ifb := box().Devices[1]
	after := ifb
	after.Qdiscs = slices.Clone(ifb.Qdiscs)
	after.Qdiscs[0].Stats.Packets = link.received
	samples := []plan.State{
		{Time: time.Unix(1000, 0), Devices: []plan.Device{ifb}},
		{Time: time.Unix(1010, 0), Devices: []plan.Device{after}},
	}
	for _, d := range append([]passed{link}, others...) {
		d.Up = true
		samples[0].Devices = append(samples[0].Devices, d.Device)
		d.Counters = plan.Counters{TxPackets: d.sent, RxPackets: d.received}
		samples[1].Devices = append(samples[1].Devices, d.Device)
	}
	return p, samples
}
