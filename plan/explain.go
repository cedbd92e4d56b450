package plan

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Explain is the reason for every value of a link, a line each, the download
// first as in Format.
func Explain(link Link) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, s := range []*Shaper{link.Ingress, link.Egress} {
		if s == nil {
			continue
		}
		kind := s.Qdisc.Kind
		if len(s.Leaves) > 0 {
			kind += " with " + s.Leaves[0].Kind
		}
		fmt.Fprintf(w, "%s of %s, %s on %s:\n", s.Direction, link.Interface, kind, s.Qdisc.Link)
		for _, r := range s.Reasons {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", r.Attribute, r.Value, r.Why)
		}
	}
	w.Flush()
	return text.String()
}
