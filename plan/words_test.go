package plan

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

func TestWords(t *testing.T) {
	fwmark := Cake{
		Rate: 9500 * linklayer.Kbit, Autorate: true, Diffserv: Diffserv4, Isolation: Hosts, RTT: 30 * time.Millisecond,
		Encapsulation: linklayer.Encapsulation{Overhead: -4, Framing: linklayer.PTM}, AckFilter: AckFilterAggressive, FwMark: 0xff00,
	}
	raw := Cake{Raw: true, RTT: time.Second, Encapsulation: linklayer.Encapsulation{MPU: 64, Framing: linklayer.ATM}, SplitGSO: true, Wash: true, NAT: true}
	tests := []struct {
		object Object
		name   string
		want   string
	}{
		{
			&IFB{Link: "ifb4wan", Alias: "it's ours", Up: true}, "ifb ifb4wan",
			"ip link add name ifb4wan type ifb\n" + `ip link set dev ifb4wan alias 'it'\''s ours' up`,
		},
		{
			&IFB{Link: "ifb4wan", Alias: "ours", Queues: 4}, "ifb ifb4wan",
			"ip link add name ifb4wan numtxqueues 4 type ifb\nip link set dev ifb4wan alias ours",
		},
		{
			&Qdisc{Link: "wan", Kind: "cake_mq", Handle: HandleOwned, Parent: HandleRoot, Cake: &raw}, "qdisc cake_mq 7371: on wan",
			"tc qdisc replace dev wan root handle 7371: cake_mq unlimited diffserv3 flowblind nat wash egress no-ack-filter split-gso rtt 1s raw atm overhead 0 mpu 64",
		},
		{
			&Qdisc{Link: "wan", Kind: "ingress", Handle: HandleIngressQdisc, Parent: HandleIngress}, "qdisc ingress ffff: on wan",
			"tc qdisc add dev wan handle ffff: ingress",
		},
		{
			&Qdisc{Link: "wan", Kind: "clsact", Handle: HandleIngressQdisc, Parent: HandleIngress}, "qdisc clsact ffff: on wan",
			"tc qdisc add dev wan clsact",
		},
		{
			&Qdisc{Link: "eth0.7", Kind: "cake", Handle: HandleOwned, Parent: HandleRoot, Cake: &fwmark}, "qdisc cake 7371: on eth0.7",
			"tc qdisc replace dev eth0.7 root handle 7371: cake bandwidth 9500kbit autorate-ingress diffserv4 hosts nonat nowash egress ack-filter-aggressive no-split-gso rtt 30ms ptm overhead -4 fwmark 0xff00",
		},
		{
			&Qdisc{Link: "wan", Kind: "cake", Parent: 0x10010, Cake: &raw}, "qdisc cake 0: on wan",
			"tc qdisc replace dev wan parent 1:10 cake unlimited diffserv3 flowblind nat wash egress no-ack-filter split-gso rtt 1s raw atm overhead 0 mpu 64",
		},
		{
			&Qdisc{Link: "wan", Kind: "htb", Handle: 0x10000, Parent: HandleRoot, Stab: &Stab{Overhead: 26, MPU: 96, ATM: true, MTU: 2047, Size: 512}}, "qdisc htb 1: on wan",
			"tc qdisc replace dev wan root handle 1: stab mtu 2047 tsize 512 mpu 96 overhead 26 linklayer atm htb",
		},
		{
			&Filter{Link: "wan", Parent: HandleIngressQdisc, Kind: "matchall", Priority: 10, Protocol: 3, Redirect: "ifb4wan"}, "filter matchall prio 10 on wan, redirects to ifb4wan",
			"tc filter add dev wan parent ffff: protocol all prio 10 matchall action mirred egress redirect dev ifb4wan",
		},
		{
			&Filter{Link: "we$t", Parent: HandleClsactIngress, Kind: "u32", Priority: 9, Protocol: 0x86DD, Mirror: "x"}, "filter u32 prio 9 protocol ipv6 on we$t, mirrors to x",
			"tc filter add dev 'we$t' parent ffff:fff2 protocol ipv6 prio 9 u32 match u32 0 0 action mirred egress mirror dev x",
		},
		{
			&Filter{Link: "wan", Parent: HandleIngressQdisc, Kind: "bpf", Priority: 1, Protocol: 0x22F3}, "filter bpf prio 1 protocol 0x22f3 on wan",
			"tc filter add dev wan parent ffff: protocol 0x22f3 prio 1 bpf",
		},
	}
	for _, tt := range tests {
		if got := tt.object.Words(); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
		if got := tt.object.Name(); got != tt.name {
			t.Errorf("the name is %q, want %q", got, tt.name)
		}
	}
}

func TestRateWord(t *testing.T) {
	for rate, want := range map[linklayer.Rate]string{
		0:                            "unlimited",
		7:                            "unlimited", // no whole byte per second
		8:                            "8bit",
		1009:                         "1008bit", // printed as what the kernel keeps
		831 * linklayer.Kbit:         "831kbit",
		19 * mbit:                    "19mbit",
		2 * linklayer.Gbit:           "2gbit",
		2_500 * mbit:                 "2500mbit",
		123_456_789 * linklayer.Kbit: "123456789kbit",
	} {
		if got := rateWord(rate); got != want {
			t.Errorf("%d bit/s: %s, want %s", rate, got, want)
		}
	}
}

func TestTimeAndSizeWord(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0us", time.Microsecond: "1us", 1300 * time.Microsecond: "1300us", 100 * time.Millisecond: "100ms", 1500 * time.Millisecond: "1500ms", time.Hour: "3600s",
	} {
		if got := timeWord(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
	for n, want := range map[uint32]string{
		0: "0b", 1: "1b", 1024: "1Kb", 5_000_000: "5000000b", 4 << 20: "4Mb", 5 << 19: "2560Kb", 1<<32 - 1: "4294967295b",
	} {
		if got := sizeWord(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestCakeWordsRoundTrip(t *testing.T) {
	for d := Diffserv3; d <= Precedence; d++ {
		if got, ok := ParseDiffserv(d.String()); !ok || got != d {
			t.Errorf("%s reads as %s, %t", d, got, ok)
		}
	}
	for i := Flowblind; i <= TripleIsolate; i++ {
		if got, ok := ParseIsolation(i.String()); !ok || got != i {
			t.Errorf("%s reads as %s, %t", i, got, ok)
		}
	}
	for a := AckFilterOff; a <= AckFilterAggressive; a++ {
		if got, ok := ParseAckFilter(a.String()); !ok || got != a {
			t.Errorf("%s reads as %s, %t", a, got, ok)
		}
	}
	if _, ok := ParseDiffserv("diffserv5"); ok {
		t.Error("diffserv5 is a word")
	}
	if got := Diffserv(9).String(); got != "unknown-9" {
		t.Errorf("a mode of a newer kernel is %q", got)
	}
}

func TestDifferingSeesEveryField(t *testing.T) {
	base := func() *Cake { return &Cake{Rate: mbit, RTT: time.Second, Target: time.Second} }
	edits := map[string]func(*Cake){
		"bandwidth":        func(c *Cake) { c.Rate += 8 },
		"autorate-ingress": func(c *Cake) { c.Autorate = true },
		"diffserv":         func(c *Cake) { c.Diffserv = Diffserv8 },
		"flowmode":         func(c *Cake) { c.Isolation = Flows },
		"nat":              func(c *Cake) { c.NAT = true },
		"wash":             func(c *Cake) { c.Wash = true },
		"ingress":          func(c *Cake) { c.Ingress = true },
		"ack-filter":       func(c *Cake) { c.AckFilter = AckFilterOn },
		"split-gso":        func(c *Cake) { c.SplitGSO = true },
		"rtt":              func(c *Cake) { c.RTT += time.Microsecond },
		"target":           func(c *Cake) { c.Target += time.Microsecond },
		"raw":              func(c *Cake) { c.Raw = true },
		"atm":              func(c *Cake) { c.Encapsulation.Framing = linklayer.ATM },
		"overhead":         func(c *Cake) { c.Encapsulation.Overhead = -1 },
		"mpu":              func(c *Cake) { c.Encapsulation.MPU = 1 },
		"memlimit":         func(c *Cake) { c.MemoryLimit = 1 },
		"fwmark":           func(c *Cake) { c.FwMark = 1 },
	}
	for _, o := range base().options() {
		edit, ok := edits[o.name]
		if !ok {
			t.Fatalf("no test for %s", o.name)
		}
		was := base()
		edit(was)
		if got := differing(was.options(), base().options()); len(got) != 1 || got[0].Name != o.name || got[0].Want != o.value {
			t.Errorf("%s: %v", o.name, got)
		}
	}
}

func TestDifferingTakesAsEqualWhatTheKernelCannotTellApart(t *testing.T) {
	was := &Cake{Rate: 8 * 125, RTT: 100 * time.Microsecond}
	want := &Cake{Rate: 8*125 + 7, RTT: 100*time.Microsecond + 999}
	if got := differing(was.options(), want.options()); len(got) > 0 {
		t.Errorf("they differ: %v", got)
	}
}
