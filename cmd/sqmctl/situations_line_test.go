package main

import (
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// far is the line with a round trip of 100 ms.
func far(t *testing.T, profile string) *story {
	facts := situationLine
	facts.Delay = 50 * time.Millisecond
	return newStoryOn(t, profile, facts)
}

// onPPPoE is a line with PPPoE, shaped at one of the router's devices.
func onPPPoE(device, access string) func(*testing.T, string) *story {
	return func(t *testing.T, _ string) *story {
		return newPPPoEStory(t, device, access, "cake", 5*linklayer.Mbit, 20*linklayer.Mbit)
	}
}

// of is a judgement of another device than wan.
func of(device, up, down string) judgement {
	j := judgement{device + " upload": up}
	if down != "" {
		j[device+" download"] = down
	}
	return j
}

func (s *story) add(line string) { s.write(s.read() + line + "\n") }

// overVLAN, overPPP and offloaded prepare a line and the profile for what is above
// wan.
func overVLAN(s *story) {
	s.tag()
	s.write(strings.Replace(situationProfile(), `"wan"`, `"wan.7"`, 1))
	s.apply()
}

func overPPP(s *story) {
	s.dial()
	s.write(strings.NewReplacer(`"wan"`, `"ppp0"`, `"ethernet"`, `"ethernet-pppoe"`).Replace(situationProfile()))
	s.apply()
}

var lineScenes = []scene{
	{name: "one CUBIC", profile: situationProfile(), load: up(1, "cubic"), then: []situation{
		{name: "as applied", profile: true, want: uploadIs("ok engaged")},
		{name: "rate a little above the line", tc: "qdisc change dev wan root cake bandwidth 10600kbit\n", want: uploadIs("error not-the-bottleneck")},
		// A sender that goes no faster by itself looks the same.
		{name: "the line at half the rate", do: rateOfUp(5 * linklayer.Mbit), want: uploadIs("notice flat")},
	}},
	{name: "one BBR", profile: situationProfile(), load: up(1, "bbr"), then: []situation{
		{name: "as applied", profile: true, want: uploadIs("ok engaged")},
		{name: "rate above the line", tc: "qdisc change dev wan root cake bandwidth 11mbit\n", want: uploadIs("error not-the-bottleneck")},
	}},
	{name: "sixteen Reno", profile: situationProfile(), load: up(16, "reno"), then: []situation{
		{name: "as applied", profile: true, want: uploadIs("ok engaged")},
		{name: "rate above the line", tc: "qdisc change dev wan root cake bandwidth 12mbit\n", want: uploadIs("error not-the-bottleneck")},
	}},
	{name: "one CUBIC from far away", line: far, profile: situationProfile(), load: up(1, "cubic"), then: []situation{
		{name: "as applied", profile: true, want: uploadIs("ok engaged")},
	}},
	{name: "one download", profile: situationProfile(), load: down(1, "cubic"), then: []situation{
		{name: "as applied", profile: true, want: downloadIs("ok engaged")},
	}},
	{name: "VLAN", begin: overVLAN, load: down(4, "cubic"), then: []situation{
		{name: "shaped", profile: true, want: of("wan.7", "ok idle", "ok engaged")},
		{name: "flow table below", do: (*story).offload, profile: true, want: of("wan.7", "ok flow-offload, ok idle", "error flow-offload")},
	}},
	{name: "below a VLAN", begin: func(s *story) { s.tag(); s.write(situationProfile()); s.apply() }, load: down(4, "cubic"), then: []situation{
		{name: "shaped", profile: true, want: downloadIs("ok engaged")},
		{name: "flow table", do: (*story).offload, profile: true, want: of("wan", "ok flow-offload, ok idle", "ok flow-offload, ok engaged")},
	}},
	{name: "PPP", begin: overPPP, load: down(4, "cubic"), then: []situation{
		{name: "shaped", profile: true, want: of("ppp0", "ok idle", "ok engaged")},
		{name: "flow table below", do: (*story).offload, profile: true, want: of("ppp0", "ok flow-offload, ok idle", "error flow-offload")},
	}},
	{name: "VDSL2 with PPPoE", line: onPPPoE("pppoe-wan", "vdsl2-pppoe"), begin: (*story).apply, load: up(4, "cubic"), then: []situation{
		{name: "shaped", profile: true, want: of("pppoe-wan", "ok engaged", "ok idle")},
		{name: "shaped below as well", tc: "qdisc add dev wan root cake bandwidth 4800kbit overhead 22 ptm\n", profile: true, want: of("pppoe-wan", "warning double-shaped, ok engaged", "ok idle")},
	}},
	{name: "below PPPoE", line: onPPPoE("wan", "vdsl2-pppoe"), begin: (*story).apply, load: up(4, "cubic"), then: []situation{
		{name: "shaped", profile: true, want: of("wan", "ok engaged", "ok idle")},
		{name: "PPPoE counted once more", tc: "qdisc change dev wan root cake bandwidth 4700kbit overhead 30\n", want: of("wan", "notice overhead-lengths, ok engaged", "ok idle")},
	}},
	{name: "ADSL", line: onPPPoE("pppoe-wan", "adsl-pppoe-llcsnap"), begin: func(s *story) { s.add(`headroom = "0 %"`); s.apply() }, load: up(1, "cubic"), then: []situation{
		{name: "shaped", profile: true, want: of("pppoe-wan", "ok engaged", "ok idle")},
		{name: "without cells", do: func(s *story) { s.add(`framing = "plain"`); s.apply() }, profile: true, want: of("pppoe-wan", "warning atm-cells, error not-the-bottleneck", "warning atm-cells, ok idle")},
	}},
	// To CAKE an IPIP packet is one of the connection in it.
	{name: "a tunnel", profile: situationProfile(), begin: (*story).ipip, load: up(4, "cubic"), then: []situation{
		{name: "as it is", want: judgement{"wan upload": "ok engaged", "wan download": "ok idle"}},
		{name: "CAKE without a rate", tc: "qdisc add dev tun0 root cake unlimited\n", want: judgement{"wan upload": "ok engaged", "wan download": "ok idle", "tun0 upload": "notice unlimited"}},
		{name: "CAKE with a rate", tc: "qdisc change dev tun0 root cake bandwidth 8mbit\n", want: judgement{"wan upload": "ok idle", "wan download": "ok idle", "tun0 upload": "ok engaged"}, devices: []string{"wan", "tun0"}},
	}},
}

func (s *story) read() string {
	s.t.Helper()
	return readFile(s.t, s.profile)
}

// ipip sends all that goes over the line through an IPIP tunnel to the modem's
// far side.
func (s *story) ipip() {
	s.t.Helper()
	s.Router.Batch("ip", `link add tun0 type ipip local 10.0.2.1 remote 10.0.3.2
		link set tun0 up
		address add 10.0.9.1/24 dev tun0
		route add 10.0.3.2/32 via 10.0.2.2
		route add 10.0.4.0/24 dev tun0
	`)
	s.Net.Batch("ip", `link add tun0 type ipip local 10.0.3.2 remote 10.0.2.1
		link set tun0 up
		address add 10.0.9.2/24 dev tun0
		route add 10.0.1.0/24 dev tun0
	`)
	for _, end := range []struct {
		*kernellab.Namespace
		device string
	}{{s.Sender, "router"}, {s.Receiver, "net"}} {
		end.Command("ip", "link", "set", end.device, "mtu", "1480")
	}
}
