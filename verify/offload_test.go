package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func withTable(t plan.FlowTable) func(*plan.State) {
	return func(s *plan.State) { s.FlowTables = []plan.FlowTable{t} }
}

// overPPP makes wan a PPP device over a new one, modem.
func overPPP(s *plan.State) {
	s.Device("wan").Type = arphrdPPP
	s.Devices = append(s.Devices, plan.Device{Name: "modem", Up: true, Type: arphrdEthernet, PPPoE: true})
}

var held = traffic{packets: full, overlimits: 300, backlog: 9000}

func TestHardwareOffload(t *testing.T) {
	at := func(devices ...string) func(*plan.State) {
		return withTable(plan.FlowTable{Name: "ft", Family: "inet", Devices: devices, Hardware: true})
	}
	idle := seconds(2, traffic{packets: 10}, traffic{})
	checkSituations(t, HardwareOffload, []situation{
		{name: "at the device", intervals: idle, alter: at("lan", "wan"), want: Fault, says: "(flow table ft of nftables, at lan, wan)"},
		{name: "download too", direction: linklayer.Ingress, intervals: idle, alter: at("wan"), want: Fault, says: "flow_offloading_hw=0"},
		{name: "the shaper holds the queue all the same", intervals: seconds(10, held, traffic{}), alter: at("wan"), want: Notice, says: "not all of them"},
		{name: "at the device below PPP", intervals: idle, alter: both(overPPP, at("lan", "modem")), want: Fault},
		{name: "a configuration file says so", alter: withTable(plan.FlowTable{Hardware: true}), want: Fault},
		{name: "at other devices", intervals: idle, alter: at("lan", "dmz"), want: absent},
		{name: "at none", intervals: idle, alter: at(), want: absent},
		{name: "in software", intervals: idle, alter: withTable(plan.FlowTable{Name: "ft", Devices: []string{"wan"}}), want: absent},
	})
}

func TestSoftwareOffload(t *testing.T) {
	at := func(devices ...string) func(*plan.State) {
		return withTable(plan.FlowTable{Name: "ft", Family: "inet", Devices: devices})
	}
	idle := seconds(2, traffic{packets: 10}, traffic{})
	checkSituations(t, FlowOffload, []situation{
		{name: "at the device itself", direction: linklayer.Ingress, intervals: idle, alter: at("lan", "wan"), want: Fine, says: "they pass it all the same"},
		{name: "below PPP, download", direction: linklayer.Ingress, intervals: idle, alter: both(overPPP, at("lan", "modem")), want: Notice, says: "doesn't come to ifb4wan"},
		{name: "below PPP, upload", intervals: idle, alter: both(overPPP, at("lan", "modem")), want: Fine},
		{name: "below a VLAN", direction: linklayer.Ingress, intervals: idle, alter: both(func(s *plan.State) {
			s.Device("wan").Parent = "eth0"
			s.Devices = append(s.Devices, plan.Device{Name: "eth0", Up: true, Type: 1})
		}, at("lan", "eth0")), want: Notice},
		{name: "a configuration file says so", direction: linklayer.Ingress, alter: withTable(plan.FlowTable{}), want: Fine},
		{name: "none", direction: linklayer.Ingress, intervals: idle, want: absent},
	})
}

func TestTotalsGoRound(t *testing.T) {
	sent := func(up, down uint64) func(*plan.State) {
		return func(s *plan.State) {
			s.Device("wan").At(plan.HandleRoot).Stats.Packets, s.Device("ifb4wan").At(plan.HandleRoot).Stats.Packets = up, down
		}
	}
	checkSituations(t, RoundShaper, []situation{
		{name: "next to nothing came in", direction: linklayer.Ingress, alter: sent(902_113, 402), want: Fault, says: "ifb4wan has passed 402 packets, where wan sent 902113"},
		{name: "more came in than went out", direction: linklayer.Ingress, alter: sent(402_113, 902_113), want: absent},
		{name: "an upload of a backup", direction: linklayer.Ingress, alter: sent(902_113, 302_113), want: absent},
		{name: "little traffic", direction: linklayer.Ingress, alter: sent(900, 1), want: absent},
		{name: "the counters were not shown", direction: linklayer.Ingress, alter: both(sent(902_113, 0), onCakeOf("ifb4wan", func(q *plan.QdiscState) { q.Unknown.Stats = true })), want: absent},
	})
}

func TestAboveDevice(t *testing.T) {
	speed := func(r linklayer.Rate) func(*plan.State) {
		return onDevice("wan", func(d *plan.Device) { d.Speed = r })
	}
	checkSituations(t, AboveDevice, []situation{
		{name: "a slow device", alter: speed(10 * linklayer.Mbit), want: Warning, says: "20 Mbit/s is no lower than what wan does by itself, 10 Mbit/s"},
		{name: "as fast", alter: speed(shapedRate), want: Warning},
		{name: "a faster one", alter: speed(100 * linklayer.Mbit), want: absent},
		{name: "nobody knows", alter: speed(0), want: absent},
	})
}
