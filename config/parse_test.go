package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/linklayer"
)

const fiveLines = `schema = 1
[[link]]
interface = "pppoe-wan"
type      = "vdsl2-pppoe"
invoice   = { download = "100 Mbit/s", upload = "40 Mbit/s" }
`

func mustParse(t *testing.T, text string) *Profile {
	t.Helper()
	p, err := Parse("sqm.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFiveLinesAreEnough(t *testing.T) {
	p := mustParse(t, fiveLines)
	if p.File != "sqm.toml" || len(p.Links) != 1 {
		t.Fatalf("%+v", p)
	}
	l := p.Links[0]
	if l.Interface != "pppoe-wan" || l.Type.Name != "vdsl2-pppoe" || l.Upload.Qdisc.Value != "cake" || l.Download.Qdisc.Value != "cake" || l.Line != 2 {
		t.Errorf("%+v", l)
	}
	if up, down := l.Upload.Rate(), l.Download.Rate(); up != 38*linklayer.Mbit || down != 90*linklayer.Mbit {
		t.Errorf("shaped at %s and %s", up, down)
	}
	want := linklayer.Encapsulation{Overhead: 30, Framing: linklayer.PTM}
	if up, down := l.Upload.Encapsulation(), l.Download.Encapsulation(); up != want || down != want {
		t.Errorf("encapsulated in %+v and %+v", up, down)
	}
}

// settings strips the reasons and lines off, so that values can be compared.
type settings struct {
	Off                                     bool
	Invoice                                 linklayer.Rate
	Headroom                                float64
	Overhead, MPU                           int
	Framing, Diffserv, Isolation, AckFilter string
	NAT, Wash, SplitGSO                     bool
	RTT                                     time.Duration
	MemoryLimit                             int
	FwMark                                  uint32
}

func values(s Settings) settings {
	return settings{
		s.Off, s.Invoice, s.Headroom.Value, s.Overhead.Value, s.MPU.Value, s.Framing.Value.String(), s.Diffserv.Value,
		s.Isolation.Value, s.AckFilter.Value, s.NAT.Value, s.Wash.Value, s.SplitGSO.Value, s.RTT.Value, s.MemoryLimit.Value, s.FwMark.Value,
	}
}

func TestDefaults(t *testing.T) {
	l := mustParse(t, fiveLines).Links[0]
	up := settings{
		Invoice: 40 * linklayer.Mbit, Headroom: 5, Overhead: 30, Framing: "ptm", Diffserv: "diffserv3",
		Isolation: "dual-srchost", AckFilter: "auto", NAT: true, SplitGSO: true, RTT: 100 * time.Millisecond,
	}
	down := up
	down.Invoice, down.Headroom, down.Diffserv = 100*linklayer.Mbit, 10, "besteffort"
	down.Isolation, down.AckFilter, down.Wash = "dual-dsthost", "off", true
	if diff := cmp.Diff([]settings{up, down}, []settings{values(l.Upload), values(l.Download)}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const everyKey = `schema = 1
[[link]]
interface = "eth1"
type = "docsis"
qdisc = "cake"
invoice = { upload = "9.5 Mbit/s", download = "250 Mbit/s" }
headroom = "7.5 %"
overhead = { upload = -4, download = 256 }
mpu = 0
framing = { download = "atm" }
diffserv = "diffserv8"
isolation = { upload = "triple-isolate", download = "flows" }
nat = false
wash = { upload = true, download = false }
ack_filter = "aggressive"
rtt = { upload = "satellite", download = "30.5 ms" }
memory_limit = { upload = "4 MiB", download = "500 kB" }
split_gso = { upload = false }
fwmark = { upload = 0xff, download = "0xff000000" }
`

// What CAKE can, a CAKE for each queue can.
func TestCakeMQHasEveryKeyOfCake(t *testing.T) {
	one := mustParse(t, everyKey).Links[0]
	many := mustParse(t, strings.Replace(everyKey, `qdisc = "cake"`, `qdisc = "cake_mq"`, 1)).Links[0]
	if many.Upload.Qdisc.Value != QdiscCakeMQ || many.Download.Qdisc.Value != QdiscCakeMQ || many.Upload.Qdisc.Line != 5 {
		t.Errorf("upload %+v, download %+v", many.Upload.Qdisc, many.Download.Qdisc)
	}
	for _, s := range []*Settings{&many.Upload, &many.Download} {
		s.Qdisc = one.Upload.Qdisc
	}
	if diff := cmp.Diff(one, many); diff != "" {
		t.Errorf("differs from cake in more than the qdisc:\n%s", diff)
	}
}

func TestEveryKeyIsHeard(t *testing.T) {
	l := mustParse(t, everyKey).Links[0]
	up := settings{
		Invoice: 9_500 * linklayer.Kbit, Headroom: 7.5, Overhead: -4, MPU: 0, Framing: "plain", Diffserv: "diffserv8",
		Isolation: "triple-isolate", AckFilter: "aggressive", Wash: true, RTT: time.Second, MemoryLimit: 4 << 20, FwMark: 0xff,
	}
	down := settings{
		Invoice: 250 * linklayer.Mbit, Headroom: 7.5, Overhead: 256, MPU: 0, Framing: "atm", Diffserv: "diffserv8",
		Isolation: "flows", AckFilter: "off", SplitGSO: true, RTT: 30_500 * time.Microsecond, MemoryLimit: 500_000, FwMark: 0xff000000,
	}
	if diff := cmp.Diff([]settings{up, down}, []settings{values(l.Upload), values(l.Download)}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A choice says either why it is the default or where the profile makes it.
func TestChoicesSayWhereTheyComeFrom(t *testing.T) {
	l := mustParse(t, everyKey).Links[0]
	said := []struct {
		what         string
		line, reason any
		want         int
	}{
		{"headroom up", l.Upload.Headroom.Line, l.Upload.Headroom.Reason, 7},
		{"headroom down", l.Download.Headroom.Line, l.Download.Headroom.Reason, 7},
		{"overhead", l.Upload.Overhead.Line, l.Upload.Overhead.Reason, 8},
		{"ack_filter", l.Upload.AckFilter.Line, l.Upload.AckFilter.Reason, 15},
		{"split_gso", l.Upload.SplitGSO.Line, l.Upload.SplitGSO.Reason, 18},
	}
	for _, s := range said {
		if s.line != s.want || s.reason != "" {
			t.Errorf("%s: line %d, reason %q, want line %d", s.what, s.line, s.reason, s.want)
		}
	}
	for what, c := range map[string]Choice[string]{"framing": {Line: l.Upload.Framing.Line, Reason: l.Upload.Framing.Reason}, "ack_filter": l.Download.AckFilter} {
		if c.Line != 0 || c.Reason == "" {
			t.Errorf("%s: line %d, reason %q for a default", what, c.Line, c.Reason)
		}
	}
}

func TestEveryDefaultHasAReason(t *testing.T) {
	for _, name := range linklayer.AccessNames() {
		l := mustParse(t, strings.Replace(fiveLines, "vdsl2-pppoe", name, 1)).Links[0]
		for _, s := range []Settings{l.Upload, l.Download} {
			reasons := []string{
				s.Headroom.Reason, s.Overhead.Reason, s.MPU.Reason, s.Framing.Reason, s.Diffserv.Reason, s.Isolation.Reason, s.NAT.Reason,
				s.Wash.Reason, s.AckFilter.Reason, s.RTT.Reason, s.MemoryLimit.Reason, s.SplitGSO.Reason, s.FwMark.Reason,
			}
			for i, r := range reasons {
				if len(strings.Fields(r)) < 4 || strings.HasSuffix(r, ".") || strings.Contains(r, "\n") {
					t.Errorf("%s: reason %d is %q", name, i, r)
				}
			}
		}
	}
}

func TestDirectionOff(t *testing.T) {
	l := mustParse(t, strings.Replace(fiveLines, `"100 Mbit/s"`, `"off"`, 1)).Links[0]
	if !l.Download.Off || l.Upload.Off || l.Download.Invoice != 0 {
		t.Errorf("download off: %v, upload off: %v", l.Download.Off, l.Upload.Off)
	}
}

// The same profile in each of TOML's ways to write it.
func TestSpellings(t *testing.T) {
	const head = "schema = 1\n"
	want := mustParse(t, fiveLines).Links
	for _, text := range []string{
		head + "[[link]]\ninterface = 'pppoe-wan'\ntype = 'vdsl2-pppoe'\n[link.invoice]\ndownload = '100mbit'\nupload = '40000 kbit/s'\n",
		head + "[[link]]\ninvoice.upload = '40 Mbps'\ninvoice.download = '0.1 Gbit/s'\ntype = \"vdsl2-pppoe\"\n\"interface\" = \"pppoe-wan\"\n",
		head + "link = [ { interface = 'pppoe-wan', type = 'vdsl2-pppoe', invoice = { download = '100 Mbit/s', upload = '40 Mbit/s' } } ]\n",
		strings.ReplaceAll(byteOrderMark+fiveLines, "\n", "\r\n"),
	} {
		if diff := cmp.Diff(want, mustParse(t, text).Links); diff != "" {
			t.Errorf("%s(-want +got):\n%s", text, diff)
		}
	}
}

func TestSeveralLinks(t *testing.T) {
	p := mustParse(t, fiveLines+"[[link]]\ninterface = \"br-wan\"\ntype = \"lte\"\ninvoice = { download = \"50 Mbit/s\", upload = \"off\" }\n")
	if len(p.Links) != 2 || p.Links[1].Interface != "br-wan" || p.Links[1].Line != 6 || p.Links[1].Type.Name != "lte" {
		t.Errorf("%+v", p.Links)
	}
}

func TestExampleIsFine(t *testing.T) {
	l := mustParse(t, Example()).Links
	if len(l) != 1 || l[0].Upload.Rate() != 19*linklayer.Mbit || l[0].Download.Rate() != 90*linklayer.Mbit {
		t.Errorf("%+v", l)
	}
}

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sqm.toml")
	if err := os.WriteFile(file, []byte(fiveLines), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Load(file)
	if err != nil || p.File != file || len(p.Links) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.toml")
	if err := os.WriteFile(large, []byte(strings.Repeat("#\n", 1<<19)+"#"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ file, want string }{
		{filepath.Join(dir, "none.toml"), "there is no such file; write a profile there, or name the one you have"},
		{dir, "cannot be read: is a directory; name a profile, which is a TOML file"},
		{large, "larger than 1048576 bytes; name a profile, which is a TOML file"},
	}
	for _, tt := range tests {
		p, err := Load(tt.file)
		var problems *Problems
		if p != nil || !errors.As(err, &problems) || err.Error() != tt.file+": "+tt.want {
			t.Errorf("%v, want %s: %s", err, tt.file, tt.want)
		}
	}
}
