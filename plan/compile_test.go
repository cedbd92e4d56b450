package plan

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

var update = flag.Bool("update", false, "write testdata/compile anew")

// lines are profiles of all sorts, with the devices that they are for. The
// kernel test installs the same ones.
var lines = []struct {
	name    string
	profile func(testing.TB) *config.Profile
	found   State
}{
	{"docsis", line("wan", "docsis", 100*mbit, 20*mbit), stateOf(ethernetDevice("wan"))},
	{"vdsl2-on-ppp", line("pppoe-wan", "vdsl2-pppoe", 100*mbit, 40*mbit), stateOf(pppDevice("pppoe-wan"))},
	{"vdsl2-under-ppp", line("eth1", "vdsl2-pppoe", 100*mbit, 40*mbit), stateOf(pppoeDevice("eth1"), pppDevice("ppp0"))},
	{"vdsl2-perhaps-under-ppp", line("eth1", "vdsl2-pppoe", 100*mbit, 40*mbit), stateOf(ethernetDevice("eth1"), pppDevice("ppp0"))},
	{"adsl", line("wan", "adsl-pppoa-vcmux", 8*mbit, 800*linklayer.Kbit), stateOf(ethernetDevice("wan"))},
	{"adsl-slow", line("wan", "adsl-pppoa-vcmux", mbit, 256*linklayer.Kbit), stateOf(ethernetDevice("wan"))},
	{"gpon", line("wan", "gpon", linklayer.Gbit, 500*mbit), stateOf(ethernetDevice("wan"))},
	{"asymmetric", line("wan", "ethernet", linklayer.Gbit, 20*mbit), stateOf(ethernetDevice("wan"))},
	{"lte", line("wwan0", "lte", 50*mbit, 10*mbit), stateOf(ethernetDevice("wwan0"))},
	{"starlink", line("wan", "starlink", 150*mbit, 15*mbit), stateOf(ethernetDevice("wan"))},
	{"conservative", line("wan", "conservative", 16*mbit, mbit), stateOf(ethernetDevice("wan"))},
	{"raw", line("wan", "raw", 16*mbit, mbit), stateOf(ethernetDevice("wan"))},
	{"long-name", line("enx001122334455", "docsis", 100*mbit, 20*mbit), stateOf(ethernetDevice("enx001122334455"))},
	{"upload-only", line("wan", "docsis", 100*mbit, 20*mbit, func(l *config.Link) { l.Download.Off = true }), stateOf(ethernetDevice("wan"))},
	{"every-key", line("wan", "ethernet", 95_500*linklayer.Kbit, 9_500*linklayer.Kbit, everyKey), stateOf(ethernetDevice("wan"))},
	{"cake-mq", line("wan", "gpon", 4*linklayer.Gbit, linklayer.Gbit, withCakeMQ), withQueues(4, 4, ethernetDevice("wan"))},
	{"device-comes-later", line("wan", "docsis", 100*mbit, 20*mbit), stateOf()},
	{"beside-clsact", line("wan", "docsis", 100*mbit, 20*mbit), stateOf(withIngress(ethernetDevice("wan"), "clsact"))},
}

func line(device, access string, down, up linklayer.Rate, edits ...func(*config.Link)) func(testing.TB) *config.Profile {
	return func(t testing.TB) *config.Profile { return profileOf(t, device, access, down, up, edits...) }
}

func pppDevice(name string) Device {
	d := ethernetDevice(name)
	d.Type, d.MTU, d.Kind = 512, 1492, "ppp"
	return d
}

// pppoeDevice is an Ethernet device that carries PPPoE.
func pppoeDevice(name string) Device {
	d := ethernetDevice(name)
	d.PPPoE = true
	return d
}

func withIngress(d Device, kind string) Device {
	d.Qdiscs = append(d.Qdiscs, QdiscState{Qdisc: Qdisc{Link: d.Name, Kind: kind, Handle: HandleIngressQdisc, Parent: HandleIngress}})
	return d
}

func everyKey(l *config.Link) {
	for _, s := range []*config.Settings{&l.Upload, &l.Download} {
		s.Headroom = byLine(0.0, 6)
		s.Overhead, s.MPU, s.Framing = byLine(-4, 7), byLine(0, 8), byLine(linklayer.ATM, 9)
		s.Diffserv, s.Isolation = byLine("precedence", 10), byLine("flowblind", 11)
		s.NAT, s.Wash, s.SplitGSO = byLine(false, 12), byLine(true, 13), byLine(false, 14)
		s.AckFilter, s.RTT = byLine("aggressive", 15), byLine(1300*time.Microsecond, 16)
		s.MemoryLimit, s.FwMark = byLine(5_000_001, 17), byLine(uint32(0xff00), 18)
	}
}

func TestCompile(t *testing.T) {
	for _, l := range lines {
		t.Run(l.name, func(t *testing.T) {
			link := compiled(t, l.profile(t), l.found)
			wantCompiled(t, l.name, link)
		})
	}
}

// wantCompiled compares what people read of a link with a file.
func wantCompiled(t *testing.T, name string, link Link) {
	t.Helper()
	got := Format(link) + "\n" + Explain(link)
	file := filepath.Join("testdata", "compile", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("differs from %s (-file +got):\n%s", file, diff)
	}
}

func TestEveryAttributeHasOneReason(t *testing.T) {
	for _, l := range lines {
		t.Run(l.name, func(t *testing.T) {
			link := compiled(t, l.profile(t), l.found)
			for _, s := range link.Shapers() {
				reasons := map[string]Reason{}
				for _, r := range s.Reasons {
					if _, twice := reasons[r.Attribute]; twice || r.Why == "" {
						t.Errorf("%s: %s has two reasons or none: %+v", s.Direction, r.Attribute, r)
					}
					reasons[r.Attribute] = r
				}
				for _, o := range s.Qdisc.Cake.options() {
					if reasons[o.name].Value != o.value {
						t.Errorf("%s: %s is %s and its reason is for %q", s.Direction, o.name, o.value, reasons[o.name].Value)
					}
				}
			}
		})
	}
}

func TestCompileErrors(t *testing.T) {
	ifb := ethernetDevice("ifb4wan")
	ifb.Kind = "ifb"
	tests := []struct {
		name    string
		profile *config.Profile
		found   State
		want    string
	}{
		{
			"no rate left", profileOf(t, "wan", "docsis", 0, 20*mbit), stateOf(),
			`wan.toml:2: wan: download: unlimited less 10 % leaves no rate: correct invoice or headroom, or write "off"`,
		},
		{
			"an IFB", profileOf(t, "ifb4wan", "docsis", 100*mbit, 20*mbit), stateOf(ifb),
			`wan.toml:2: ifb4wan: it is an IFB: name the device that the line is at; its download gets an IFB by itself`,
		},
		{
			"another qdisc", profileOf(t, "wan", "docsis", mbit, mbit, func(l *config.Link) { l.Upload.Qdisc.Value = "sfq" }), stateOf(),
			`wan.toml:2: wan: upload: qdisc "sfq" is not known: write qdisc = "cake"`,
		},
		{
			"cake_mq on one queue", profileOf(t, "wan", "docsis", mbit, mbit, withCakeMQ), stateOf(ethernetDevice("wan")),
			`wan.toml:2: wan: upload: wan has one transmit queue, and cake_mq spreads over several: write qdisc = { upload = "cake", download = "cake_mq" }, or "cake" for both`,
		},
		{
			"cake_mq on one queue in use", profileOf(t, "wan", "docsis", mbit, mbit, withCakeMQ, uploadOnly),
			stateOf(func() Device { d := queuesOf("wan", 8); d.TxQueuesInUse = 1; return d }()),
			`wan.toml:2: wan: upload: wan uses one of its 8 transmit queues, and cake_mq spreads over several: write qdisc = "cake"; or have it use more (ethtool -L wan)`,
		},
		{
			"cake_mq on one queue, upload only", profileOf(t, "wan", "docsis", mbit, mbit, withCakeMQ, uploadOnly), stateOf(ethernetDevice("wan")),
			`wan.toml:2: wan: upload: wan has one transmit queue, and cake_mq spreads over several: write qdisc = "cake"`,
		},
		{
			"a word", profileOf(t, "wan", "docsis", mbit, mbit, func(l *config.Link) { l.Upload.AckFilter.Value = "yes" }), stateOf(),
			`wan.toml:2: wan: upload: ack-filter "yes" is not known: write "auto", "off", "on" or "aggressive"`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Compile(tt.profile, tt.found)
			if err := p.FirstProblem(); err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestMemoryLimit(t *testing.T) {
	tests := []struct {
		rate linklayer.Rate
		rtt  time.Duration
		want uint32
	}{
		{20 * mbit, 100 * time.Millisecond, 4 << 20}, // 1 000 000 bytes
		{100 * mbit, 100 * time.Millisecond, 5_000_000},
		{900 * mbit, 100 * time.Millisecond, 32 << 20}, // 45 000 000 bytes
		{900 * mbit, 10 * time.Millisecond, 4_500_000},
		{100 * linklayer.Gbit, time.Hour, 32 << 20}, // more than 64 bits hold in byte × µs
	}
	for _, tt := range tests {
		p := profileOf(t, "wan", "docsis", tt.rate, tt.rate, func(l *config.Link) {
			l.Upload.Headroom.Value, l.Upload.RTT.Value = 0, tt.rtt
		})
		if got := compiled(t, p, stateOf()).Egress.Qdisc.Cake.MemoryLimit; got != tt.want {
			t.Errorf("%s with %s: memory limit %d, want %d", tt.rate, tt.rtt, got, tt.want)
		}
	}
}

func TestTarget(t *testing.T) {
	for rtt, want := range map[time.Duration]time.Duration{
		100 * time.Millisecond:   5 * time.Millisecond,
		1300 * time.Microsecond:  65 * time.Microsecond,
		19 * time.Microsecond:    time.Microsecond,
		time.Microsecond:         time.Microsecond,
		33_333 * time.Nanosecond: time.Microsecond,
		time.Second:              50 * time.Millisecond,
	} {
		p := profileOf(t, "wan", "docsis", mbit, mbit, func(l *config.Link) { l.Upload.RTT.Value = rtt })
		if got := compiled(t, p, stateOf()).Egress.Qdisc.Cake.Target; got != want {
			t.Errorf("rtt %s: target %s, want %s", rtt, got, want)
		}
	}
}

// On the way in a slow line has a longer rtt, unless somebody chose one.
func TestSlowSenders(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name    string
		rate    linklayer.Rate
		rtt     config.Choice[time.Duration]
		in, out time.Duration
	}{
		{"slow", 950 * linklayer.Kbit, config.Choice[time.Duration]{Value: 100 * ms}, 407 * ms, 100 * ms}, // 32 × 12.75 ms
		{"slow, chosen", 950 * linklayer.Kbit, byLine(100*ms, 6), 100 * ms, 100 * ms},
		{"slow and far", 950 * linklayer.Kbit, config.Choice[time.Duration]{Value: time.Second}, time.Second, time.Second},
		{"fast", 4 * mbit, config.Choice[time.Duration]{Value: 100 * ms}, 100 * ms, 100 * ms},
	}
	for _, tt := range tests {
		link := compiled(t, profileOf(t, "wan", "docsis", tt.rate, tt.rate, func(l *config.Link) {
			for _, s := range []*config.Settings{&l.Upload, &l.Download} {
				s.Headroom.Value, s.RTT = 0, tt.rtt
			}
		}), stateOf())
		if in, out := link.Ingress.Qdisc.Cake.RTT, link.Egress.Qdisc.Cake.RTT; in != tt.in || out != tt.out {
			t.Errorf("%s: %s in and %s out, want %s and %s", tt.name, in, out, tt.in, tt.out)
		}
	}
}

func TestAckFilterAuto(t *testing.T) {
	tests := []struct {
		down, up linklayer.Rate
		want     AckFilter
	}{
		{299 * mbit, 20 * mbit, AckFilterOff},
		{300 * mbit, 20 * mbit, AckFilterOn},
		{linklayer.Gbit, 20 * mbit, AckFilterOn},
		{20 * mbit, 300 * mbit, AckFilterOff},
	}
	for _, tt := range tests {
		link := compiled(t, profileOf(t, "wan", "docsis", tt.down, tt.up), stateOf())
		if got := link.Egress.Qdisc.Cake.AckFilter; got != tt.want {
			t.Errorf("%s down, %s up: %s, want %s", tt.down, tt.up, got, tt.want)
		}
		if got := link.Ingress.Qdisc.Cake.AckFilter; got != AckFilterOff {
			t.Errorf("%s down, %s up: the download has %s", tt.down, tt.up, got)
		}
	}
}
