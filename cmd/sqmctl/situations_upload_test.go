package main

import (
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// up and down load a line with bulk transfers, until the end.
func up(flows int, congestion string) func(*story) {
	return func(s *story) { s.Upload(flows, congestion) }
}

func down(flows int, congestion string) func(*story) {
	return func(s *story) { s.Download(flows, congestion) }
}

// uploadIs is the judgement of a line whose download is shaped and has nothing to
// do.
func uploadIs(findings string) judgement {
	return judgement{"wan upload": findings, "wan download": "ok idle"}
}

// uploadAlone is that of a line whose download nobody shapes.
func uploadAlone(findings string) judgement { return judgement{"wan upload": findings} }

// rateOfUp makes the modem send at another rate.
func rateOfUp(r linklayer.Rate) func(*story) {
	return func(s *story) {
		s.Modem.Command("tc", strings.Fields("qdisc change dev net root tbf burst 1600 limit 256k rate "+bitWords(r))...)
	}
}

func bitWords(r linklayer.Rate) string {
	return strings.ReplaceAll(strings.TrimSuffix(r.String(), "/s"), " ", "")
}

var uploadScenes = []scene{
	{name: "upload through CAKE", profile: situationProfile(), load: up(4, "cubic"), then: []situation{
		{name: "as applied", profile: true, want: uploadIs("ok engaged")},
		{name: "as found", want: uploadIs("ok engaged")},
		{name: "rate above the line", tc: "qdisc change dev wan root cake bandwidth 12mbit\n", want: uploadIs("error not-the-bottleneck")},
		{name: "rate above the line and the profile's", profile: true, want: uploadIs("warning not-as-planned, error not-the-bottleneck")},
		{name: "rate far below the line", tc: "qdisc change dev wan root cake bandwidth 5mbit\n", want: uploadIs("ok engaged")},
		{name: "rate far below the profile's", profile: true, want: uploadIs("warning not-as-planned, ok engaged")},
		{name: "no rate", tc: "qdisc change dev wan root cake unlimited\n", want: uploadIs("error unlimited")},
		{name: "no rate, but in the profile", profile: true, want: uploadIs("error unlimited")},
		{name: "another qdisc", tc: "qdisc replace dev wan root pfifo_fast\n", profile: true, want: uploadIs("error partly-applied")},
		{name: "no qdisc", tc: "qdisc del dev wan root\n", profile: true, want: uploadIs("error partly-applied")},
		{name: "applied again", do: (*story).apply, profile: true, want: uploadIs("ok engaged")},
		{name: "the line slower than it was", do: rateOfUp(8 * linklayer.Mbit), profile: true, want: uploadIs("error not-the-bottleneck")},
		{name: "device down", do: downDevice("wan"), profile: true, says: "wan is down",
			want: judgement{"wan upload": "error device-down", "wan download": "error device-down"}},
	}},
	{name: "upload through HTB", profile: situationProfile(`qdisc = "fq_codel"`), load: up(4, "cubic"), then: []situation{
		{name: "as applied", profile: true, want: uploadIs("ok engaged")},
		{name: "as found", want: uploadIs("ok engaged")},
		{name: "the line slower than it was", do: rateOfUp(8500 * linklayer.Kbit), want: uploadIs("error not-the-bottleneck")},
		{name: "rate below that", tc: "class change dev wan classid 7371:1 htb rate 8mbit burst 1600 cburst 1600\n", want: uploadIs("ok engaged")},
		{name: "rate below the profile's", profile: true, want: uploadIs("warning not-as-planned, ok engaged")},
		{name: "class gone", tc: "qdisc del dev wan root\nqdisc add dev wan root handle 7371: htb default 1\n", profile: true, want: uploadIs("warning not-as-planned, error not-the-bottleneck")},
	}},
	{name: "upload through a tree by hand", load: up(4, "cubic"), then: []situation{
		{name: "HTB with a default in hexadecimal", tc: `qdisc add dev wan root handle 1: stab overhead 24 linklayer ethernet htb default 0x12
			class add dev wan parent 1: classid 1:1 htb rate 9500kbit burst 1600 cburst 1600
			class add dev wan parent 1:1 classid 1:12 htb rate 2mbit ceil 9500kbit burst 1600 cburst 1600
			qdisc add dev wan parent 1:12 handle 120: fq_codel
		`, want: uploadAlone("ok engaged")},
		{name: "unlimited CAKE under a class", tc: "qdisc replace dev wan parent 1:12 handle 121: cake unlimited besteffort\n", want: uploadAlone("ok engaged")},
		{name: "a class that may borrow a part", tc: "class change dev wan parent 1:1 classid 1:12 htb rate 2mbit ceil 8500kbit burst 1600 cburst 1600\n", want: uploadAlone("ok engaged")},
		{name: "unlimited CAKE alone", tc: "qdisc replace dev wan root handle 5: cake unlimited besteffort\n", want: uploadAlone("error unlimited")},
		{name: "fq_codel alone", tc: "qdisc replace dev wan root handle 2: fq_codel\n", want: uploadAlone("error not-the-bottleneck")},
		{name: "HFSC", tc: `qdisc replace dev wan root handle 3: hfsc default 1
			class add dev wan parent 3: classid 3:1 hfsc sc rate 9mbit ul rate 9mbit
			qdisc add dev wan parent 3:1 fq_codel
		`, want: uploadAlone("notice not-judged")},
		{name: "TBF", tc: "qdisc replace dev wan root handle 4: tbf rate 9mbit burst 3000 latency 20ms\n", want: uploadAlone("notice not-judged")},
		{name: "a device of its own", tc: "qdisc del dev wan root\n", devices: []string{"wan"}, want: uploadAlone("error not-the-bottleneck")},
	}},
	{name: "upload through sqm-scripts", load: up(4, "cubic"), begin: func(s *story) {
		s.applyScripts(cell{qdisc: "fq_codel", rate: 10 * linklayer.Mbit})
	}, then: []situation{
		{name: "simple.qos", want: byHandIs("ok engaged", "ok idle")},
	}},
	{name: "nobody loads the line", profile: situationProfile(), then: []situation{
		{name: "no packet at all", profile: true, want: uploadIs("ok idle")},
		{name: "a call", do: call, profile: true, want: uploadIs("ok idle")},
		{name: "a burst now and then", do: bursts, profile: true, want: uploadIs("ok idle")},
		{name: "no profile", want: uploadIs("ok idle")},
		{name: "no rate", tc: "qdisc change dev wan root cake unlimited\n", want: uploadIs("error unlimited")},
	}},
	{name: "no shaper and nobody loads the line", then: []situation{
		{name: "fq_codel alone", tc: "qdisc add dev wan root fq_codel\n", want: uploadAlone("warning unlimited")},
		{name: "with bursts", do: bursts, want: uploadAlone("error not-the-bottleneck")},
	}},
	{name: "a device that isn't there", profile: situationProfile(), begin: func(s *story) {
		s.write(strings.Replace(situationProfile(), `"wan"`, `"wan9"`, 1))
	}, then: []situation{
		{name: "in the profile", profile: true, want: judgement{"wan9 upload": "error no-device", "wan9 download": "error no-device"}, says: "wan9 does not exist"},
	}},
}

func downDevice(name string) func(*story) {
	return func(s *story) { s.Router.Command("ip", "link", "set", name, "down") }
}

func call(s *story) { s.Call(linklayer.Egress) }

// bursts are 15 full packets at once every 100 ms, 1.9 Mbit/s.
func bursts(s *story) {
	s.always(100*time.Millisecond, func(int) { s.Router.SendIP("wan", 1500, 15) })
}
