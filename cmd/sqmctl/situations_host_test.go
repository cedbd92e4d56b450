package main

import (
	"os"
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
)

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// onServer makes the sender the host that is judged, by its device router.
func onServer(t *testing.T, profile string) *story {
	s := newStoryOn(t, strings.Replace(profile, `"wan"`, `"router"`, 1), situationLine)
	s.Router = s.Sender
	return s
}

// fails runs an apply that this kernel can't do.
func fails(s *story) {
	s.t.Helper()
	if status, _ := s.sqmctl("apply", "-p", s.profile); status != statusFailed {
		s.t.Errorf("apply ended with %d", status)
	}
}

// withProfile writes another profile and applies it.
func withProfile(profile string) func(*story) {
	return func(s *story) { s.write(profile); s.apply() }
}

const notRedirectedByHand = `qdisc add dev wan root cake bandwidth 9500kbit overhead 38
	qdisc add dev wan ingress
	qdisc add dev ifb4wan root cake bandwidth 18mbit overhead 38 besteffort ingress
`

var notApplied = judgement{"wan upload": "error not-applied", "wan download": "error not-applied"}

var hostScenes = []scene{
	{name: "a kernel without mirred", kernel: "no-mirred", begin: func(s *story) {
		s.Router.Batch("ip", "link add ifb4wan up type ifb\n")
		s.Router.Batch("tc", notRedirectedByHand)
	}, load: down(4, "cubic"), then: []situation{
		{name: "all but the redirect", want: downloadIs("error not-redirected")},
	}},
	{name: "a kernel without matchall", kernel: "no-matchall", profile: situationProfile(), load: down(4, "cubic"), then: []situation{
		{name: "as applied", profile: true, want: downloadIs("ok engaged")},
	}},
	{name: "a kernel without IFB", kernel: "no-ifb", begin: func(s *story) { s.write(situationProfile()); fails(s) }, load: up(4, "cubic"), then: []situation{
		{name: "both directions wanted", profile: true, want: notApplied},
		{name: "upload wanted", do: withProfile(profileOf("ethernet", "off", "10 Mbit/s", `headroom = "5 %"`)), profile: true, want: uploadAlone("ok engaged")},
	}},
	{name: "a kernel without CAKE", kernel: "no-cake", begin: func(s *story) { s.write(situationProfile()); fails(s) }, load: up(4, "cubic"), then: []situation{
		{name: "CAKE wanted", profile: true, want: notApplied},
		{name: "HTB wanted", do: withProfile(situationProfile(`qdisc = "fq_codel"`)), profile: true, want: uploadIs("ok engaged")},
	}},
	{name: "a kernel without a way in", kernel: "no-ingress", begin: func(s *story) { s.write(situationProfile()); fails(s) }, then: []situation{
		{name: "both directions wanted", profile: true, want: notApplied},
	}},
	{name: "a kernel without a classifier", kernel: "no-classifier", begin: func(s *story) { s.write(situationProfile()); fails(s) }, then: []situation{
		{name: "both directions wanted", profile: true, want: notApplied},
	}},
	{name: "sqm-scripts and a profile", begin: func(s *story) {
		s.write(situationProfile())
		s.applyScripts(cell{qdisc: "cake", rate: 10 * linklayer.Mbit})
	}, load: up(4, "cubic"), then: []situation{
		{name: "without the profile", want: byHandIs("ok engaged", "ok idle")},
		{name: "with the profile", profile: true, want: of("wan", "warning other-owner, ok engaged", "warning other-owner, ok idle")},
		{name: "stopped, and the profile applied", tc: "qdisc del dev wan root\nqdisc del dev wan ingress\n", do: func(s *story) { s.Router.Command("ip", "link", "del", "ifb4wan"); s.apply() }, profile: true, want: uploadIs("ok engaged")},
	}},
	{name: "the LAN's side", begin: func(s *story) {
		s.Router.Batch("ip", `link add br-lan up type bridge
			address del 10.0.1.2/24 dev lan
			link set lan master br-lan
			address add 10.0.1.2/24 dev br-lan
		`)
	}, load: down(4, "cubic"), then: []situation{
		{name: "a port of the bridge", tc: "qdisc add dev lan root cake bandwidth 18mbit overhead 38\n", want: of("lan", "error lan-side, ok engaged", "")},
		{name: "the bridge", tc: "qdisc del dev lan root\nqdisc add dev br-lan root cake bandwidth 18mbit overhead 38\n", want: of("br-lan", "error lan-side, ok engaged", "")},
		{name: "the line's side", tc: "qdisc del dev br-lan root\nqdisc add dev wan root cake bandwidth 9mbit overhead 38\n", want: uploadAlone("ok idle")},
	}},
	{name: "a server", line: onServer, profile: serverProfile(), load: up(1, "bbr"), then: []situation{
		{name: "fq and BBR", profile: true, want: of("router", "ok server", "")},
		{name: "fq without pacing", tc: "qdisc change dev router root fq nopacing\n", profile: true, want: of("router", "warning not-as-planned", "")},
		{name: "a FIFO in its place", tc: "qdisc replace dev router root pfifo_fast\n", profile: true, want: of("router", "error not-applied", "")},
		{name: "fq_codel and BBR", do: func(s *story) {
			s.Sender.Sysctl("net/ipv4/tcp_congestion_control", "bbr")
			withProfile(strings.Replace(serverProfile(`qdisc = "fq_codel"`), `"wan"`, `"router"`, 1))(s)
		}, profile: true, want: of("router", "ok server, notice pacing", "")},
		{name: "fq_codel and CUBIC", do: func(s *story) { s.Sender.Sysctl("net/ipv4/tcp_congestion_control", "cubic") }, profile: true, want: of("router", "ok server", "")},
		{name: "a long FIFO elsewhere", do: func(s *story) {
			s.Sender.Batch("ip", "link add old txqueuelen 10000 up type dummy\n")
			s.Sender.Command("tc", "qdisc", "add", "dev", "old", "root", "pfifo_fast")
		}, profile: true, want: of("router", "ok server, notice queue-length", "")},
		{name: "a FIFO of the usual length", do: func(s *story) { s.Sender.Command("ip", "link", "set", "old", "txqueuelen", "1000") }, profile: true, want: of("router", "ok server", "")},
	}},
}
