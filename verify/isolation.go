package verify

import "github.com/sqmctl/sqmctl/plan"

// isolation is fairness between the hosts at the wrong end: on the way out this
// network's hosts are the senders, on the way in the receivers.
func (d *direction) isolation() *Finding {
	root := d.root(d.last())
	if root.Cake == nil || root.Unknown.Options {
		return nil
	}
	wrong, right := plan.DualDsthost, plan.DualSrchost
	if d.ingress() {
		wrong, right = right, wrong
	}
	if root.Cake.Isolation != wrong || d.facesClients() || d.corrects("flowmode") {
		return nil
	}
	return d.finding(Isolation, Notice, d.byHand(right.String(), `delete isolation, or write isolation = "`+right.String()+`"`),
		"%s on %s shares the %s between the hosts at the far end (%s): one of this network with many of them takes it all", root.Kind, root.Link, d.shaper.Direction, wrong)
}
