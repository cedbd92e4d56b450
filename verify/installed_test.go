package verify

import (
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/plan"
)

// One direction is in place, and of the other nothing: that isn't a profile that
// nobody applied.
func TestPartlyApplied(t *testing.T) {
	p := plan.Plan{Links: []plan.Link{{Interface: "wan", Egress: upload().Links[0].Egress, Ingress: download().Links[0].Ingress}}}
	s := box()
	withoutIFB(&s)
	findings := Check(p, []plan.State{s})
	record(findings...)
	if f := findings[len(findings)-1]; f.Code != PartlyApplied || f.Direction != p.Links[0].Ingress.Direction {
		t.Errorf("%+v", findings)
	}
	root := s.Device("wan").At(plan.HandleRoot)
	root.Kind, root.Handle, root.Cake, root.CakeStats = "fq_codel", 0, nil, nil
	findings = Check(p, []plan.State{s})
	for _, f := range findings {
		if f.Code != NotApplied {
			t.Errorf("nothing is there: %+v", f)
		}
	}
}

// A direction that the profile leaves alone for a reason is said to be so.
func TestUnshaped(t *testing.T) {
	p := upload()
	p.Links[0].Unshaped[1] = "the line is faster than this router"
	findings := Check(p, []plan.State{box()})
	record(findings...)
	f := findings[len(findings)-1]
	if f.Code != Unshaped || f.Severity != Fine || f.Direction.String() != "download" || !strings.HasSuffix(f.Text, p.Links[0].Unshaped[1]) {
		t.Errorf("%+v", findings)
	}
}

// A kernel without what a redirect takes is the cause that is named.
func TestModulesMissing(t *testing.T) {
	s := box()
	withoutFilter(&s)
	s.MissingModules = []string{"act_mirred"}
	f := Check(download(), []plan.State{s})[0]
	if f.Code != NotRedirected || !strings.HasPrefix(f.Evidence[0], "this kernel seems to have no act_mirred") || !strings.Contains(f.Advice, "kmod-sched-core") {
		t.Errorf("%+v", f)
	}
}
