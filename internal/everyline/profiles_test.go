package everyline

import (
	"testing"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

// The profiles are right, and as many and as different as they are meant to be.
func TestProfiles(t *testing.T) {
	names, texts := map[string]bool{}, map[string]bool{}
	devices, types, qdiscs, directions := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, p := range Profiles() {
		profile, err := config.Parse(p.Name, []byte(p.Text))
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := Devices[p.Device]; !ok || names[p.Name] || texts[p.Device+p.Text] {
			t.Errorf("%s: on %q, or the same as another one", p.Name, p.Device)
		}
		names[p.Name], texts[p.Device+p.Text] = true, true
		l := &profile.Links[0]
		devices[p.Device]++
		types[l.Type.Name]++
		for _, d := range []linklayer.Direction{linklayer.Egress, linklayer.Ingress} {
			if s := l.Direction(d); s.Shaped() {
				qdiscs[s.Qdisc.Value+" "+s.Diffserv.Value]++
				directions[d.String()]++
			}
		}
	}
	t.Logf("%d profiles: %v, %v, %v", len(names), devices, qdiscs, directions)
	if len(names) < 60 || len(types) != len(linklayer.AccessNames()) {
		t.Errorf("%d profiles of %d types", len(names), len(types))
	}
	for _, kind := range deviceNames {
		if devices[kind] < 10 {
			t.Errorf("only %d profiles on %s", devices[kind], kind)
		}
	}
	for _, qdisc := range []string{"cake diffserv3", "cake besteffort", "fq_codel besteffort", "fq_codel diffserv3"} {
		if qdiscs[qdisc] < 10 {
			t.Errorf("only %d directions have %s", qdiscs[qdisc], qdisc)
		}
	}
	for _, n := range directions {
		if n == len(names) || n < len(names)/2 {
			t.Errorf("%d directions of one kind in %d profiles", n, len(names))
		}
	}
}
