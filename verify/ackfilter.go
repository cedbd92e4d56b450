package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/plan"
)

// ackFilter is a thinning of acknowledgements that have crossed the line
// already.
func (d *direction) ackFilter() *Finding {
	root := d.root(d.last())
	if root.Cake == nil || root.Cake.AckFilter == plan.AckFilterOff || !d.ingress() || d.facesClients() || d.corrects("ack-filter") {
		return nil
	}
	f := d.finding(AckFilter, Notice, d.byHand("no-ack-filter", `delete ack_filter, or write ack_filter = "off" for the download`),
		"%s on %s thins acknowledgements out that have crossed the line already: it saves nothing, and uploads get fewer of them to go by", root.Kind, root.Link)
	if root.CakeStats == nil || root.Unknown.Stats {
		return f
	}
	thinned := acksThinnedBy(root)
	if before := d.root(&d.samples[0]); len(d.samples) > 1 && before != nil {
		thinned = delta(acksThinnedBy(before), thinned)
	}
	return d.with(f, fmt.Sprintf("%d acknowledgements dropped", thinned)).numbered("acks_dropped_packets", float64(thinned))
}

func acksThinnedBy(q *plan.QdiscState) (sum uint64) {
	if q.CakeStats == nil {
		return 0
	}
	for i := range q.CakeStats.Tins {
		sum += q.CakeStats.Tins[i].AcksDropped
	}
	return sum
}
