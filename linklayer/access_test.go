package linklayer

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func allAccesses(t *testing.T) []Access {
	t.Helper()
	var all []Access
	for _, name := range AccessNames() {
		a, ok := AccessByName(name)
		if !ok || a.Name != name {
			t.Fatalf("AccessByName(%q) is %+v, %v", name, a, ok)
		}
		all = append(all, a)
	}
	return all
}

// The words for tc and the header sizes are written down apart from the sums.
func TestAccessOverheadIsExplained(t *testing.T) {
	leading := regexp.MustCompile(`^\d+ `)
	for _, a := range allAccesses(t) {
		sum := 0
		for term := range strings.SplitSeq(a.Arithmetic, " + ") {
			number := leading.FindString(term)
			n, err := strconv.Atoi(strings.TrimSpace(number))
			if err != nil || len(number) == len(term) {
				t.Errorf("%s: term %q isn't a number and what it is", a.Name, term)
			}
			sum += n
		}
		if sum != a.Encapsulation.Overhead {
			t.Errorf("%s: %s is %d, not %d", a.Name, a.Arithmetic, sum, a.Encapsulation.Overhead)
		}
		words, err := ParseKeywords(a.Keywords)
		if err != nil || words != a.Encapsulation {
			t.Errorf("%s: tc makes %+v, %v of %q, not %+v", a.Name, words, err, a.Keywords, a.Encapsulation)
		}
		if a.Raw != (a.Keywords == "raw") {
			t.Errorf("%s: Raw is %v with the words %q", a.Name, a.Raw, a.Keywords)
		}
	}
}

func TestAccessHeadroom(t *testing.T) {
	for _, a := range allAccesses(t) {
		for _, d := range []Direction{Egress, Ingress} {
			h := a.Headroom[d]
			if h.Percent < 5 || h.Percent > 30 || !strings.Contains(h.Reason, " ") {
				t.Errorf("%s %s: %+v", a.Name, d, h)
			}
		}
		if a.Headroom[Ingress].Percent < a.Headroom[Egress].Percent {
			t.Errorf("%s: the download, shaped behind the queue, has less headroom than the upload", a.Name)
		}
		if a.Title == "" {
			t.Errorf("%s has no title", a.Name)
		}
	}
}

// Whatever a person configured with one of tc's presets has a type.
func TestEveryPresetOfTCIsAType(t *testing.T) {
	modifiers := []string{"ether-vlan", "via-ethernet", "noatm", "atm", "ptm"}
	for _, k := range Keywords() {
		if slices.Contains(modifiers, k) {
			continue
		}
		if !slices.ContainsFunc(accesses, func(a Access) bool { return a.Keywords == k }) {
			t.Errorf("no type is %s", k)
		}
	}
}

func TestNearestAccess(t *testing.T) {
	tests := []struct{ word, want string }{
		{"docsis", "docsis"},
		{"DOCSIS", "docsis"},
		{"dosis", "docsis"},
		{"vdls2-pppoe", "vdsl2-pppoe"},
		{"vdsl2_pppoe_vlan", "vdsl2-pppoe-vlan"},
		{"vdsl2 pppoe", "vdsl2-pppoe"},
		{"adsl-pppoa-llcsnap", "adsl-pppoa-llc"},
		{"adsl-pppoe-llc", "adsl-pppoe-llcsnap"},
		{"etherent", "ethernet"},
		{"4G", "lte"},
		{"cable", "docsis"},
		{"pppoe-ptm", "vdsl2-pppoe"},
		{"pppoe-ptm ether-vlan", "vdsl2-pppoe-vlan"},
		{"bridged-llcsnap", "adsl-bridged-llcsnap"},
		{"carrier-pigeon", ""},
		{"", ""},
		{strings.Repeat("docsis", 1000), ""},
	}
	for _, tt := range tests {
		if got := NearestAccess(tt.word); got != tt.want {
			t.Errorf("%.40q is taken for %q, want %q", tt.word, got, tt.want)
		}
	}
	for other, name := range otherNames {
		if _, ok := AccessByName(name); !ok {
			t.Errorf("%s stands for %s, which is no type", other, name)
		}
		if _, ok := AccessByName(other); ok {
			t.Errorf("%s is a type itself", other)
		}
	}
}

func TestAccessByNameIsExact(t *testing.T) {
	for _, name := range []string{"", "Docsis", "docsis ", "pppoe"} {
		if a, ok := AccessByName(name); ok {
			t.Errorf("%q is %s", name, a.Name)
		}
	}
}
