package main

import "strings"

// downloadIs is the judgement of a line whose upload is shaped and has nothing to
// do.
func downloadIs(findings string) judgement {
	return judgement{"wan upload": "ok idle", "wan download": findings}
}

// filtered is a way in that hands to the IFB what a filter's match takes.
func filtered(match string) string {
	return "filter del dev wan ingress\nfilter add dev wan ingress " + match + "\n"
}

func ip(words string) func(*story) {
	return func(s *story) { s.Router.Command("ip", strings.Fields(words)...) }
}

var downloadScenes = []scene{
	{name: "download through CAKE", profile: situationProfile(), load: down(4, "cubic"), then: []situation{
		{name: "as applied", profile: true, want: downloadIs("ok engaged")},
		{name: "as found", want: downloadIs("ok engaged")},
		{name: "rate above the line", tc: "qdisc change dev ifb4wan root cake bandwidth 23mbit\n", want: downloadIs("error not-the-bottleneck")},
		{name: "rate above the line and the profile's", profile: true, want: downloadIs("warning not-as-planned, error not-the-bottleneck")},
		{name: "no rate", tc: "qdisc change dev ifb4wan root cake unlimited\n", want: downloadIs("error unlimited")},
		{name: "another qdisc", tc: "qdisc replace dev ifb4wan root fq_codel\n", profile: true, want: downloadIs("error partly-applied")},
		{name: "applied again", do: (*story).apply, profile: true, want: downloadIs("ok engaged")},
		{name: "the line slower than it was", do: rateOfDown("16mbit"), profile: true, want: downloadIs("error not-the-bottleneck")},
	}},
	{name: "download through HTB", profile: situationProfile(`qdisc = "fq_codel"`), load: down(4, "cubic"), then: []situation{
		{name: "as applied", profile: true, want: downloadIs("ok engaged")},
		{name: "as found", want: downloadIs("ok engaged")},
		{name: "the line slower than it was", do: rateOfDown("15mbit"), profile: true, want: downloadIs("error not-the-bottleneck")},
	}},
	{name: "the way to the IFB", profile: situationProfile(), load: down(4, "cubic"), then: []situation{
		{name: "u32 for all", tc: filtered("protocol all prio 10 u32 match u32 0 0 action mirred egress redirect dev ifb4wan"), profile: true, want: downloadIs("ok engaged")},
		{name: "matchall for IPv4", tc: filtered("protocol ip prio 10 matchall action mirred egress redirect dev ifb4wan"), want: downloadIs("ok engaged")},
		{name: "a port that nothing uses", tc: filtered("protocol ip prio 10 flower ip_proto udp dst_port 99 action mirred egress redirect dev ifb4wan"), profile: true, want: downloadIs("error not-redirected")},
		{name: "IPv6 alone", tc: filtered("protocol ipv6 prio 10 matchall action mirred egress redirect dev ifb4wan"), want: downloadIs("error goes-round"), says: "carries almost nothing"},
		{name: "another filter first", tc: filtered("protocol all prio 10 matchall action mirred egress redirect dev ifb4wan") + "filter add dev wan ingress protocol ip prio 5 matchall action ok\n", want: downloadIs("error goes-round"), says: "carries almost nothing"},
		{name: "into the IFB's way in", tc: filtered("protocol all prio 10 matchall action mirred ingress redirect dev ifb4wan"), profile: true, want: downloadIs("error not-redirected")},
		{name: "no filter", tc: "filter del dev wan ingress\n", profile: true, want: downloadIs("error not-redirected"), says: "wan has no redirect filter to ifb4wan"},
		{name: "no filter, no profile", want: downloadIs("error not-redirected"), says: "wan has no redirect filter to ifb4wan"},
		{name: "no qdisc on the way in", tc: "qdisc del dev wan ingress\n", profile: true, want: downloadIs("error not-redirected")},
		{name: "clsact by hand", tc: "qdisc add dev wan clsact\nfilter add dev wan ingress protocol all matchall action mirred egress redirect dev ifb4wan\n", want: downloadIs("ok engaged")},
		// To no avail does CAKE drop copies, so it fills up: nothing may come after it.
		{name: "a copy", tc: filtered("protocol all prio 10 matchall action mirred egress mirror dev ifb4wan"), profile: true, want: downloadIs("error not-redirected")},
	}},
	{name: "another way in", profile: situationProfile(), load: down(4, "cubic"), then: []situation{
		{name: "to another IFB", do: ip("link add ifb9 up type ifb"), profile: true, want: downloadIs("ok engaged")},
		{name: "to another IFB, with a shaper", tc: "qdisc add dev ifb9 root cake bandwidth 18mbit overhead 38 besteffort ingress\n" + filtered("protocol all prio 10 matchall action mirred egress redirect dev ifb9"), want: downloadIs("ok engaged")},
		{name: "to another IFB than the profile's", profile: true, want: downloadIs("error foreign-redirect"), says: "redirects what it receives to ifb9, not to ifb4wan"},
		{name: "to another IFB, without a shaper", tc: "qdisc del dev ifb9 root\n", want: downloadIs("error not-the-bottleneck")},
		{name: "applied over it", do: func(s *story) { s.sqmctl("apply", "--take-over", "-p", s.profile) }, profile: true, want: downloadIs("ok engaged")},
		{name: "IFB down", do: ip("link set ifb4wan down"), profile: true, want: downloadIs("error ifb-down"), says: "ifb4wan is down"},
		{name: "IFB down, no profile", want: downloadIs("error ifb-down"), says: "ifb4wan is down"},
		{name: "IFB gone", do: ip("link del ifb4wan"), profile: true, want: downloadIs("error lost-redirect"), says: "a device that has gone"},
		{name: "to itself", tc: filtered("protocol all prio 10 matchall action mirred egress redirect dev wan"), profile: true, want: downloadIs("error self-redirect"), says: "to itself"},
		{name: "nothing of it", tc: "qdisc del dev wan ingress\n", profile: true, want: downloadIs("error partly-applied"), says: "no redirect on wan and no ifb4wan"},
	}},
	{name: "download unshaped on purpose", profile: situationProfile(`qdisc = { download = "none" }`, `reason = "the processor"`), load: down(4, "cubic"), then: []situation{
		{name: "with its reason", profile: true, want: downloadIs("ok unshaped"), says: "the processor"},
	}},
}

// rateOfDown makes the provider send at another rate.
func rateOfDown(rate string) func(*story) {
	return func(s *story) {
		s.Modem.Command("tc", strings.Fields("qdisc change dev router root tbf burst 1600 limit 512k rate "+rate)...)
	}
}
