package config

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
)

func TestServer(t *testing.T) {
	for _, tt := range []struct {
		lines, root string
		line        int
	}{
		{"interface = \"eth0\"\nrole = \"server\"\n", QdiscFQ, 0},
		{"role = \"server\"\ninterface = \"lan0\"\nqdisc = \"fq\"\n", QdiscFQ, 5},
		{"role = \"server\"\ninterface = \"br-lan\"\nqdisc = \"fq_codel\"\n", QdiscFQCodel, 5},
	} {
		l := mustParse(t, "schema = 1\n[[link]]\n"+tt.lines).Links[0]
		if !l.IsServer() || l.Root.Value != tt.root || l.Root.Line != tt.line || (l.Root.Reason == "") != (tt.line != 0) {
			t.Errorf("%q: %+v", tt.lines, l.Root)
		}
		for _, d := range directions {
			if l.Direction(d).Shaped() {
				t.Errorf("%q: the %s is shaped", tt.lines, d)
			}
		}
	}
}

// A line may say that it is one.
func TestLineSaysItsRole(t *testing.T) {
	l := mustParse(t, fiveLines+"role = \"line\"\n").Links[0]
	if l.IsServer() || !l.Upload.Shaped() || l.Direction(linklayer.Ingress).Qdisc.Value != QdiscCake {
		t.Errorf("%+v", l)
	}
}
