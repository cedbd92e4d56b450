package tcdump

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sqmctl/sqmctl/plan"
)

// filtersOf are the filters of a device that a paste shows, without their counters.
func filtersOf(t *testing.T, device, text string, unread ...string) []plan.FilterState {
	t.Helper()
	s := read(t, text, unread...)
	d := s.Device(device)
	if d == nil {
		t.Fatalf("no %s: %+v", device, s)
	}
	return d.Filters
}

const (
	ingressLine = "qdisc ingress ffff: dev eth0 parent ffff:fff1 ---------------- \n"
	clsactLine  = "qdisc clsact ffff: dev eth0 parent ffff:fff1 \n"
	mirred      = "\taction order 1: mirred (Egress Redirect to device ifb0) stolen\n \tindex 1 ref 1 bind 1\n"
)

func redirect(kind string, priority, protocol uint16, handle uint32) plan.FilterState {
	return plan.FilterState{
		Filter: plan.Filter{Link: "eth0", Parent: plan.HandleIngressQdisc, Kind: kind, Priority: priority, Protocol: protocol, Redirect: "ifb0"},
		Handle: handle,
	}
}

func TestFilters(t *testing.T) {
	const all, ip, ipv6 = 3, 0x0800, 0x86DD
	selective := redirect("u32", 10, ip, 0x80000800)
	selective.Selective = true
	gone := redirect("matchall", 1, all, 1)
	gone.Redirect = plan.Gone
	mirror := redirect("matchall", 49152, all, 1)
	mirror.Redirect, mirror.Mirror = "", "eth5"
	onClsact := redirect("matchall", 10, all, 1)
	onClsact.Parent = plan.HandleClsactIngress
	restoring := onClsact
	restoring.RestoreDSCP = true
	chained := redirect("matchall", 10, all, 1)
	chained.Chain = 7
	other := plan.FilterState{Filter: plan.Filter{Link: "eth0", Parent: plan.HandleIngressQdisc, Kind: "bpf", Priority: 7, Protocol: ip}, Handle: 1, Selective: true}

	for name, test := range map[string]struct {
		text string
		want []plan.FilterState
	}{
		"u32 as newer versions print it": {"$ tc filter show dev eth0 parent ffff:\n" +
			"filter protocol all pref 10 u32 chain 0 \nfilter protocol all pref 10 u32 chain 0 fh 800: ht divisor 1 \n" +
			"filter protocol all pref 10 u32 chain 0 fh 800::800 order 2048 key ht 800 bkt 0 terminal flowid not_in_hw \n  match 00000000/00000000 at 0\n" + mirred,
			[]plan.FilterState{redirect("u32", 10, all, 0x80000800)}},
		"u32 as older versions print it": {"$ tc filter show dev eth0 parent ffff:\n" +
			"filter protocol all pref 10 u32 \nfilter protocol all pref 10 u32 fh 800: ht divisor 1 \n" +
			"filter protocol all pref 10 u32 fh 800::800 order 2048 key ht 800 bkt 0 flowid 1:1 \n  match 00000000/00000000 at 0\n" + mirred,
			[]plan.FilterState{redirect("u32", 10, all, 0x80000800)}},
		"u32 without a key, two protocols": {"# tc filter show dev eth0 ingress\n" +
			"filter protocol ipv6 pref 49151 u32 fh 801::800 order 2048 key ht 801 bkt 0 flowid 1:1\n" + mirred +
			"filter protocol ip pref 49152 u32 fh 800::800 order 2048 key ht 800 bkt 0 flowid 1:1\n" + mirred,
			[]plan.FilterState{redirect("u32", 49151, ipv6, 0x80100800), redirect("u32", 49152, ip, 0x80000800)}},
		"u32 that looks at something": {"$ tc filter show dev eth0 parent ffff:\n" +
			"filter protocol ip pref 10 u32 chain 0 fh 800::800 order 2048 key ht 800 bkt 0 \n  match c0000209/ffffffff at 16\n  match 00000000/00000000 at 0\n" + mirred,
			[]plan.FilterState{selective}},
		"u32 in words": {"$ tc -p filter show dev eth0 parent ffff:\n" +
			"filter protocol ip pref 10 u32 chain 0 fh 800::800 order 2048 key ht 800 bkt 0 \n  match IP dst 192.0.2.9/32\n" + mirred,
			[]plan.FilterState{selective}},
		"to a device that is gone": {ingressLine + "filter parent ffff: protocol all pref 1 matchall chain 0 handle 0x1 \n" +
			"  not_in_hw (rule hit 3)\n\taction order 1: mirred (Egress Redirect to device *) stolen\n",
			[]plan.FilterState{gone}},
		"a mirror": {ingressLine + "filter parent ffff: protocol all pref 49152 matchall chain 0 \nfilter parent ffff: protocol all pref 49152 matchall chain 0 handle 0x1 \n" +
			"\taction order 1: mirred (Egress Mirror to device eth5) pipe\n\tindex 2 ref 1 bind 1\n",
			[]plan.FilterState{mirror}},
		"under clsact": {clsactLine + "$ tc filter show dev eth0 ingress\nfilter protocol all pref 10 matchall chain 0 handle 0x1 \n" + mirred,
			[]plan.FilterState{onClsact}},
		"with DSCP restored": {clsactLine + "$ tc filter show dev eth0 ingress\nfilter protocol all pref 10 matchall chain 0 handle 0x1 \n" +
			"\taction order 1: ctinfo zone 0 pipe\n\t index 1 ref 1 bind 1 dscp 0x0000003f 0x00000080 \n" +
			"\taction order 2: mirred (Egress Redirect to device ifb0) stolen\n\tindex 3 ref 1 bind 1\n",
			[]plan.FilterState{restoring}},
		"in another chain": {ingressLine + "filter parent ffff: protocol all pref 10 matchall chain 7 handle 0x1 \n" + mirred,
			[]plan.FilterState{chained}},
		"of another kind": {ingressLine + "filter parent ffff: protocol ip pref 7 bpf chain 0 \nfilter parent ffff: protocol ip pref 7 bpf chain 0 handle 0x1 flowid 1:1 bytecode '1,6 0 0 0' \n",
			[]plan.FilterState{other}},
		"of the way out": {clsactLine + "$ tc filter show dev eth0\nfilter parent 1: protocol all pref 10 matchall chain 0 handle 0x1 \n" + mirred +
			"$ tc filter show dev eth0 egress\nfilter protocol all pref 10 matchall chain 0 handle 0x1 \n" + mirred, nil},
		"of a block": {ingressLine + "filter block 3 protocol all pref 10 matchall chain 0 handle 0x1 \n" + mirred, nil},
		"as JSON": {"$ tc -s -j filter show dev eth0 parent ffff:\n" +
			`[{"protocol":"all","pref":10,"kind":"matchall","chain":0},{"protocol":"all","pref":10,"kind":"matchall","chain":7,"options":{"handle":1,"not_in_hw":true,"actions":[` +
			`{"order":1,"kind":"mirred","mirred_action":"redirect","direction":"egress","to_dev":"ifb0","control_action":{"type":"stolen"}}]}}]` + "\n",
			[]plan.FilterState{chained}},
		"as pretty JSON": {"$ tc -j -p filter show dev eth0 parent ffff:\n" +
			"[ {\n        \"protocol\": \"ip\",\n        \"pref\": 10,\n        \"kind\": \"u32\",\n        \"chain\": 0,\n        \"options\": {\n            \"fh\": \"800::800\",\n" +
			"            \"match\": {\n                \"value\": \"c0000209\",\n                \"mask\": \"ffffffff\"\n            },\n            \"actions\": [ {\n" +
			"                    \"order\": 1,\n                    \"kind\": \"mirred\",\n                    \"mirred_action\": \"redirect\",\n                    \"direction\": \"egress\",\n" +
			"                    \"to_dev\": \"ifb0\"\n                } ]\n        }\n    } ]\n",
			[]plan.FilterState{selective}},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, "filters", test.want, filtersOf(t, "eth0", "qdisc noqueue 0: dev eth0 root refcnt 2\n"+test.text))
		})
	}
}

// Where filters were asked for and none came there are none; where nobody asked,
// nobody knows.
func TestFiltersShown(t *testing.T) {
	for name, test := range map[string]struct {
		text    string
		unknown bool
	}{
		"not asked":                           {ingressLine, true},
		"asked":                               {ingressLine + "$ tc filter show dev eth0 parent ffff:\n", false},
		"asked in another word":               {"root@OpenWrt:~# tc -s -d filter ls dev eth0 ingress\n" + ingressLine, false},
		"asked with a path":                   {"admin@ap:/tmp/home/root# /usr/sbin/tc filter show dev eth0 parent ffff:\n" + ingressLine, false},
		"asked without a prompt":              {"tc filter show dev eth0 parent ffff:\n" + ingressLine, false},
		"asked for another":                   {ingressLine + "$ tc filter show dev eth1 parent ffff:\n", true},
		"asked for those of the way out":      {ingressLine + "$ tc filter show dev eth0\n", true},
		"asked among others":                  {"# tc qdisc show dev eth0; tc filter show dev eth0 parent ffff: | head\n" + ingressLine, false},
		"clsact, asked as if it were ingress": {clsactLine + "$ tc filter show dev eth0 parent ffff:\n", true},
		"clsact, asked":                       {clsactLine + "$ tc filter show dev eth0 ingress\n", false},
	} {
		s := read(t, test.text)
		if d := s.Device("eth0"); d.Unknown.Filters != test.unknown || len(d.Filters) > 0 {
			t.Errorf("%s: unknown is %t: %+v", name, d.Unknown.Filters, d.Filters)
		}
	}
}

// Filters of which nothing says the device belong to the only one with a way in.
func TestFiltersWithoutDevice(t *testing.T) {
	const line = "filter protocol all pref 10 matchall chain 0 handle 0x1 \n"
	want := []plan.FilterState{redirect("matchall", 10, 3, 1)}
	same(t, "the only one", want, filtersOf(t, "eth0", ingressLine+line+mirred))
	filtersOf(t, "eth0", ingressLine+"qdisc ingress ffff: dev eth1 parent ffff:fff1 ----------------\n"+line+mirred,
		"filters, and nothing says of which device: paste the command line too")
}

// The JSON of a tc that prints u32's words in it is read all the same.
func TestBrokenJSON(t *testing.T) {
	got := filtersOf(t, "eth0", fixture(t, "u32-in-json.txt"), noJSON)
	mirror := redirect("u32", 10, 3, 0x80000800)
	mirror.Redirect, mirror.Mirror = "", "dummy0"
	selective := redirect("u32", 11, 0x0800, 0x80100800)
	selective.Selective = true
	if diff := cmp.Diff([]plan.FilterState{mirror, selective}, got, cmpopts.IgnoreFields(plan.FilterState{}, "Stats")); diff != "" {
		t.Error(diff)
	}
}

// The target of a redirect is a device, and an IFB if its name says so.
func TestTargets(t *testing.T) {
	s := read(t, ingressLine+"filter parent ffff: protocol all pref 10 matchall chain 0 handle 0x1 \n\taction order 1: mirred (Egress Redirect to device eth0-ifb) stolen\n")
	d := s.Device("eth0-ifb")
	if d == nil || d.Kind != "ifb" || !d.Up || !d.Carrier || d.MTU != 0 || !d.Unknown.Link {
		t.Errorf("%+v", d)
	}
	s = read(t, "qdisc cake 8002: dev ifb4wan root refcnt 2 bandwidth 450Mbit besteffort dual-dsthost nat wash ingress no-ack-filter split-gso rtt 100ms noatm overhead 44 \n")
	if d := s.Device("wan"); d == nil || len(d.Qdiscs) > 0 || !d.Unknown.Filters || !d.Unknown.Link {
		t.Errorf("an IFB's name names its device: %+v", d)
	}
	s = read(t, ingressLine+"qdisc fq 1: dev ifb4eth0 root refcnt 2 limit 1p\nqdisc fq 1: dev ifb0 root refcnt 2 limit 1p\n")
	if len(s.Devices) != 3 {
		t.Errorf("%d devices", len(s.Devices))
	}
}
