package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

// TestParsedProfiles goes from text to plan for every access technology, with
// the defaults that config really has.
func TestParsedProfiles(t *testing.T) {
	for _, name := range linklayer.AccessNames() {
		t.Run(name, func(t *testing.T) {
			text := fmt.Sprintf("schema = 1\n[[link]]\ninterface = \"wan\"\ntype = %q\ninvoice = { download = \"100 Mbit/s\", upload = \"5 Mbit/s\" }\n", name)
			profile, err := config.Parse("wan.toml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			access, _ := linklayer.AccessByName(name)
			link := compiled(t, profile, wan())
			for _, s := range link.Shapers() {
				c := s.Qdisc.Cake
				if want := s.Invoice.Less(access.Headroom[s.Direction].Percent / 100); c.Rate != want {
					t.Errorf("%s: %s, want %s", s.Direction, c.Rate, want)
				}
				if c.Encapsulation != access.Encapsulation || c.Raw != access.Raw {
					t.Errorf("%s: %+v, raw %t", s.Direction, c.Encapsulation, c.Raw)
				}
				for _, r := range s.Reasons {
					if r.Why == "" || strings.HasSuffix(r.Why, ": ") || r.Line != 0 {
						t.Errorf("%s: no reason for %s %s: %q, line %d", s.Direction, r.Attribute, r.Value, r.Why, r.Line)
					}
				}
			}
			if got := link.Egress.Qdisc.Cake.AckFilter; got != AckFilterOn {
				t.Errorf("upload of a line of 20:1 has %s", got)
			}
		})
	}
}

// TestLineOfTheProfile checks that what a person wrote is told from a default.
func TestLineOfTheProfile(t *testing.T) {
	profile, err := config.Parse("wan.toml", []byte(`schema = 1
[[link]]
interface = "wan"
type = "docsis"
invoice = { download = "100 Mbit/s", upload = "20 Mbit/s" }
headroom = "8 %"
ack_filter = "auto"
nat = false
`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Reason{
		"bandwidth":  {"bandwidth", "18400kbit", "20 Mbit/s × (1 − 8 %): line 6 of the profile", 6},
		"ack-filter": {"ack-filter", "no-ack-filter", "line 7 of the profile says auto: the download is 5 times the upload, and only from 15 times do its acknowledgements crowd the upload", 7},
		"nat":        {"nat", "nonat", "line 8 of the profile", 8},
	}
	for _, r := range compiled(t, profile, wan()).Egress.Reasons {
		if w, ok := want[r.Attribute]; ok {
			if r != w {
				t.Errorf("got  %+v\nwant %+v", r, w)
			}
			delete(want, r.Attribute)
		}
	}
	if len(want) > 0 {
		t.Errorf("no reasons for %v", want)
	}
}
