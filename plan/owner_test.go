package plan

import (
	"strings"
	"testing"
)

func TestIFBName(t *testing.T) {
	tests := map[string]string{
		"wan":          "ifb4wan",
		"pppoe-wan":    "ifb4pppoe-wan",
		"elevenbytes":  "ifb4elevenbytes",
		"twelve-bytes": "",
		"ifb4wan":      "ifb4ifb4wan",
	}
	for device, want := range tests {
		got := IFBName(device)
		if want != "" && got != want {
			t.Errorf("%s: %s, want %s", device, got, want)
		}
		if len(got) > maxNameLength || got == device || got != IFBName(device) {
			t.Errorf("%s: %s is too long, the device itself, or different each time", device, got)
		}
	}
	if got := SpreadIFBName("wan"); got != "ifq4wan" {
		t.Errorf("with several queues it is %s", got)
	}
	a, b := IFBName("enx001122334455"), IFBName("enx001122334466")
	if a == b || len(a) != maxNameLength || !strings.HasPrefix(a, ifbPrefix) {
		t.Errorf("two devices with long names have the IFBs %s and %s", a, b)
	}
}

// FuzzIFBName looks for names that the kernel would refuse or that two devices
// share.
func FuzzIFBName(f *testing.F) {
	f.Add("wan", "lan")
	f.Add("enx001122334455", "enx001122334466")
	f.Add("ifb4wan", "wan")
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = a[:min(len(a), maxNameLength)], b[:min(len(b), maxNameLength)]
		if n := IFBName(a); len(n) > maxNameLength || n == a {
			t.Errorf("%q gets %q", a, n)
		}
		if n := SpreadIFBName(a); len(n) > maxNameLength || n == a || n == IFBName(b) {
			t.Errorf("with several queues %q gets %q", a, n)
		}
		if a != b && IFBName(a) == IFBName(b) {
			t.Errorf("%q and %q share %q", a, b, IFBName(a))
		}
	})
}

func TestOwnerAlias(t *testing.T) {
	for _, device := range []string{"wan", "we$t,(and", "(and"} {
		for _, made := range []bool{false, true} {
			got, gotMade, ok := ParseOwnerAlias(OwnerAlias(device, made))
			if got != device || gotMade != made || !ok {
				t.Errorf("%q, %t comes back as %q, %t, %t", device, made, got, gotMade, ok)
			}
		}
	}
	for _, alias := range []string{"", "lab", "sqmctl", aliasPrefix, aliasPrefix + aliasIngress, aliasPrefix + "two words", " " + OwnerAlias("wan", true)} {
		if device, _, ok := ParseOwnerAlias(alias); ok {
			t.Errorf("%q marks the IFB of %q", alias, device)
		}
	}
}

// FuzzParseOwnerAlias checks that whatever reads as a mark is one.
func FuzzParseOwnerAlias(f *testing.F) {
	f.Add("")
	f.Add(OwnerAlias("wan", false))
	f.Add(OwnerAlias("enx001122334455", true))
	f.Add(OwnerAlias("wan", true) + aliasIngress)
	f.Fuzz(func(t *testing.T, alias string) {
		device, made, ok := ParseOwnerAlias(alias)
		if ok && OwnerAlias(device, made) != alias {
			t.Errorf("%q reads as %q, %t", alias, device, made)
		}
		if !ok && (device != "" || made) {
			t.Errorf("%q reads as %q, %t, though it is none", alias, device, made)
		}
	})
}
