package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/linklayer"
)

// linkKeys are the keys of [[link]] in the table, by bare name.
func linkKeys() map[string]Key {
	all := map[string]Key{}
	for _, k := range Keys() {
		if name, ok := strings.CutPrefix(k.Name, "link."); ok {
			all[name] = k
		}
	}
	return all
}

// Every key in the table is read: a date, which is right nowhere, is a problem
// there.
func TestEveryKeyIsRead(t *testing.T) {
	for name := range linkKeys() {
		_, err := Parse("f", fmt.Appendf(nil, "schema = 1\n[[link]]\n%s = 2026-01-01\n", name))
		var problems *Problems
		if !errors.As(err, &problems) {
			t.Fatalf("%s: %v", name, err)
		}
		wrong := func(p Problem) bool { return p.Key == "link[1]."+name && strings.HasPrefix(p.Text, "a date is not ") }
		if !slices.ContainsFunc(problems.List, wrong) {
			t.Errorf("%s is not read: %v", name, err)
		}
	}
}

// The defaults in the table, written into a profile, change nothing.
func TestKeysTellTheDefaults(t *testing.T) {
	var b strings.Builder
	for name, k := range linkKeys() {
		switch up, down := k.Default[linklayer.Egress], k.Default[linklayer.Ingress]; {
		case k.PerDirection && up != "":
			fmt.Fprintf(&b, "%s = { upload = %s, download = %s }\n", name, up, down)
		case up != "":
			fmt.Fprintf(&b, "%s = %s\n", name, up)
		}
	}
	if n := strings.Count(b.String(), "\n"); n != 12 {
		t.Fatalf("%d keys have a default that is the same for every type", n)
	}
	bare, written := mustParse(t, fiveLines).Links[0], mustParse(t, fiveLines+b.String()).Links[0]
	if diff := cmp.Diff(values(bare.Upload), values(written.Upload)); diff != "" {
		t.Errorf("upload (-without +with):\n%s", diff)
	}
	if diff := cmp.Diff(values(bare.Download), values(written.Download)); diff != "" {
		t.Errorf("download (-without +with):\n%s", diff)
	}
}

// What the table says of tables and of required keys is what happens.
func TestKeysTellTheirKind(t *testing.T) {
	_, err := Parse("f", []byte("schema = 1\n[[link]]\n"))
	for name, k := range linkKeys() {
		missing := strings.Contains(err.Error(), "link[1]."+name+": missing")
		if missing != k.Required {
			t.Errorf("%s: required %v, said to be missing %v", name, k.Required, missing)
		}
		_, err := Parse("f", fmt.Appendf(nil, "schema = 1\n[[link]]\n%s = {}\n", name))
		asTable := !strings.Contains(err.Error(), "link[1]."+name+": a table is not")
		if asTable != (k.PerDirection || name == "invoice" || name == "preview") {
			t.Errorf("%s: per direction %v, taken as a table %v", name, k.PerDirection, asTable)
		}
	}
}

func TestKeysAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Keys() {
		if k.Type == "" || !strings.HasSuffix(k.Text, ".") || seen[k.Name] || k.Required && k.Default != [2]string{} {
			t.Errorf("%+v", k)
		}
		seen[k.Name] = true
	}
	for _, name := range []string{"schema", "link", "link.interface", "link.invoice"} {
		if !seen[name] {
			t.Errorf("%s isn't in the table", name)
		}
	}
}
