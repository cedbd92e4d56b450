package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func routedBy(devices ...string) func(*plan.State) {
	return func(s *plan.State) { s.DefaultRoutes = devices }
}

func inBridge(s *plan.State) {
	s.Device("wan").Master = "br-lan"
	s.Devices = append(s.Devices, plan.Device{Name: "br-lan", Kind: "bridge", Type: 1, Up: true}, plan.Device{Name: "eth0", Type: 1, Up: true})
}

func TestLANSide(t *testing.T) {
	tagged := func(s *plan.State) {
		s.Devices = append(s.Devices, plan.Device{Name: "br-lan.7", Kind: "vlan", Type: 1, Parent: "br-lan", Up: true})
	}
	checkSituations(t, LANSide, []situation{
		{name: "a port of the LAN", alter: both(inBridge, routedBy("eth0")), want: Fault, says: "20 Mbit/s limits the download"},
		{name: "said once", direction: linklayer.Ingress, alter: both(inBridge, routedBy("eth0")), want: absent},
		{name: "the bridge leads to the internet", alter: both(inBridge, routedBy("br-lan")), want: absent},
		{name: "a VLAN on the bridge does", alter: both(inBridge, tagged, routedBy("br-lan.7")), want: absent},
		{name: "PPPoE through the bridge", alter: both(inBridge, routedBy("ppp0"), func(s *plan.State) {
			s.Device("br-lan").PPPoE = true
			s.Devices = append(s.Devices, plan.Device{Name: "ppp0", Type: arphrdPPP, Up: true})
		}), want: absent},
		{name: "the second of two lines", alter: both(inBridge, routedBy("eth0", "wan")), want: absent},
		{name: "no port, and no default route", alter: routedBy("eth0"), want: absent},
		{name: "no default route is known", alter: inBridge, want: absent},
	})
}

func TestSwapped(t *testing.T) {
	rates := func(up, down linklayer.Rate) func(*plan.State) {
		return both(onCake(func(q *plan.QdiscState) { q.Cake.Rate = up }), onCakeOf("ifb4wan", func(q *plan.QdiscState) { q.Cake.Rate = down }))
	}
	wants := func(up, down linklayer.Rate) func(*plan.Plan) {
		return func(p *plan.Plan) {
			l := &p.Links[0]
			l.Egress.Qdisc.Cake, l.Ingress.Qdisc.Cake = cake(), cake()
			l.Egress.Qdisc.Cake.Rate, l.Ingress.Qdisc.Cake.Rate = up, down
		}
	}
	const mbit = linklayer.Mbit
	checkSituations(t, Swapped, []situation{
		{name: "each has the other's", alter: rates(100*mbit, 20*mbit), profile: wants(20*mbit, 100*mbit), want: Fault, says: "upload at 100 Mbit/s, download at 20 Mbit/s"},
		{name: "as the profile says", alter: rates(20*mbit, 100*mbit), profile: wants(20*mbit, 100*mbit), want: absent},
		{name: "a profile with more upload", alter: rates(100*mbit, 20*mbit), profile: wants(100*mbit, 20*mbit), want: absent},
		{name: "one alone differs", alter: rates(100*mbit, 100*mbit), profile: wants(20*mbit, 100*mbit), want: absent},
		{name: "far more upload, without a profile", alter: rates(500*mbit, 50*mbit), want: Notice, says: "more than three times"},
		{name: "a little more upload", alter: rates(50*mbit, 40*mbit), want: absent},
		{name: "download is off", alter: rates(50*mbit, 0), want: absent},
		{name: "said once", direction: linklayer.Ingress, alter: rates(100*mbit, 20*mbit), profile: wants(20*mbit, 100*mbit), want: absent},
		{name: "at the LAN, that is the cause", alter: both(rates(500*mbit, 50*mbit), inBridge, routedBy("eth0")), want: absent},
	})
	checkSituations(t, NotAsPlanned, []situation{
		{name: "each has the other's", direction: linklayer.Ingress, alter: rates(100*mbit, 20*mbit), profile: wants(20*mbit, 100*mbit), want: absent},
		{name: "one alone differs", direction: linklayer.Ingress, alter: rates(20*mbit, 20*mbit), profile: wants(20*mbit, 100*mbit), want: Warning},
	})
}

func TestDoubleShaped(t *testing.T) {
	below := func(rate linklayer.Rate, ingress bool) func(*plan.State) {
		return func(s *plan.State) {
			s.Device("wan").Parent = "eth0"
			root := rootOf("eth0")
			root.Cake.Rate = rate
			device := plan.Device{Name: "eth0", Up: true, Type: 1, Qdiscs: []plan.QdiscState{root}}
			if ingress {
				second := rootOf("ifb4eth0")
				device.Qdiscs = nil
				device.Filters = []plan.FilterState{{Filter: plan.Filter{Link: "eth0", Redirect: "ifb4eth0"}}}
				s.Devices = append(s.Devices, plan.Device{Name: "ifb4eth0", Kind: "ifb", Up: true, Qdiscs: []plan.QdiscState{second}})
			}
			s.Devices = append(s.Devices, device)
		}
	}
	checkSituations(t, DoubleShaped, []situation{
		{name: "upload", alter: below(19*linklayer.Mbit, false), want: Warning, says: "on wan at 20 Mbit/s, and on eth0 below it at 19 Mbit/s"},
		{name: "download", direction: linklayer.Ingress, alter: below(0, true), want: Warning, says: "on ifb4eth0 below it"},
		{name: "without a rate below", alter: below(0, false), want: absent},
		{name: "nothing below", want: absent},
	})
}
