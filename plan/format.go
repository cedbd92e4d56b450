package plan

import (
	"fmt"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

// Format is a link in the words of ip and tc, in the order in which Diff has
// them done; it can be pasted into a shell. Lines that begin with # say what
// is there already.
func Format(link Link) string {
	var lines []string
	if in := link.Ingress; in != nil {
		lines = append(append(lines, in.IFB.Words()), shaperWords(in)...)
		lines = append(lines, ingressWords(in), in.Redirect.Words())
	}
	if link.Egress != nil {
		lines = append(lines, shaperWords(link.Egress)...)
	}
	if len(lines) == 0 {
		lines = append(lines, "# nothing is shaped on "+link.Interface)
	}
	for d, why := range link.Unshaped {
		if why != "" {
			lines = append(lines, fmt.Sprintf("# the %s is left unshaped: %s", linklayer.Direction(d), strings.Join(strings.Fields(why), " ")))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func shaperWords(s *Shaper) []string {
	lines := []string{s.Qdisc.Words()}
	for _, c := range s.Classes {
		lines = append(lines, c.Words())
	}
	for _, q := range s.Leaves {
		lines = append(lines, q.Words())
	}
	if s.Marks != nil {
		lines = append(lines, s.Marks.Words())
	}
	return lines
}

func ingressWords(in *Shaper) string {
	device := in.Redirect.Link
	if _, made, _ := ParseOwnerAlias(in.IFB.Alias); made {
		return ingressQdisc(device).Words()
	}
	kind := "ingress"
	if in.Redirect.Parent == HandleClsactIngress {
		kind = "clsact"
	}
	return fmt.Sprintf("# %s has the %s qdisc of another program; it stays", device, kind)
}

// ingressQdisc is what holds the filters of the way in.
func ingressQdisc(device string) *Qdisc {
	return &Qdisc{Link: device, Kind: "ingress", Handle: HandleIngressQdisc, Parent: HandleIngress}
}
