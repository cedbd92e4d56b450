package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// Only two rates that nobody would choose make the notice.
func TestRateUnits(t *testing.T) {
	tests := []struct {
		name     string
		up, down linklayer.Rate
		want     bool
	}{
		{"45 and 500", 46_080 * linklayer.Kbit, 512_000 * linklayer.Kbit, true},
		{"25 and 190", 25_600 * linklayer.Kbit, 194_560 * linklayer.Kbit, true},
		{"one alone", 45_000 * linklayer.Kbit, 512_000 * linklayer.Kbit, false},
		{"both whole Mbits", 128 * linklayer.Mbit, 512 * linklayer.Mbit, false},
		{"no rate", 46_080 * linklayer.Kbit, 0, false},
		{"decimal", 19 * linklayer.Mbit, 90 * linklayer.Mbit, false},
	}
	for _, test := range tests {
		s := box()
		rate("wan", test.up)(&s)
		rate("ifb4wan", test.down)(&s)
		p := Observed(s)
		if got := hasCode(Check(p, []plan.State{s}), RateUnits); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		p.Links[0].Egress.Invoice = 50 * linklayer.Mbit // of a profile, which knows its units
		if hasCode(Check(p, []plan.State{s}), RateUnits) {
			t.Errorf("%s: found although a profile says so", test.name)
		}
	}
}

func hasCode(findings []Finding, code Code) bool {
	record(findings...)
	for _, f := range findings {
		if f.Code == code {
			return true
		}
	}
	return false
}
