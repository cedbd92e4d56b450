package verify

import "slices"

// variableTypes are lines whose rate changes by the minute.
var variableTypes = []string{"lte", "5g", "starlink", "fixed-wireless"}

// autorate is CAKE's guess at the line's rate from how packets arrive. It was
// made for the way in on a line whose rate changes.
func (d *direction) autorate() *Finding {
	root := d.root(d.last())
	if root.Cake == nil || !root.Cake.Autorate {
		return nil
	}
	advice := "set a fixed rate instead: write a profile, then run: sqmctl apply"
	access := d.accessType()
	if access != nil {
		advice = applyAdvice
	}
	switch {
	case !d.ingress():
		return d.finding(AutorateIngress, Warning, advice,
			"%s on %s has autorate-ingress on the way out: it takes the rate at which this router's own senders deliver for the line's, so the rate follows them and not the line", root.Kind, root.Link)
	case access != nil && slices.Contains(variableTypes, access.Name):
		return nil
	case access != nil:
		return d.finding(AutorateIngress, Notice, advice,
			"%s on %s has autorate-ingress and guesses at the rate, which is fixed on this line (%s)", root.Kind, root.Link, access.Title)
	}
	return d.finding(AutorateIngress, Notice, advice+"; keep it if the line is mobile, a satellite's or a radio link",
		"%s on %s has autorate-ingress and guesses at the rate, which makes sense only where that changes by the minute", root.Kind, root.Link)
}
