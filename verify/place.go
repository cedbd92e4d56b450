package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// lanSide is a shaper on a device that leads to the clients: its upload is
// their download. Only where the default route is known to leave elsewhere, and
// either the device is a port of a bridge that doesn't lead there or it is that
// bridge. Said once for a link.
func (d *direction) lanSide() *Finding {
	state, device := d.last(), d.device(d.last())
	if len(state.DefaultRoutes) == 0 || d.shaper != d.link.Shapers()[0] {
		return nil
	}
	bridge := device.Master
	if device.Kind == "bridge" {
		bridge = device.Name
	}
	if bridge == "" || slices.ContainsFunc(state.DefaultRoutes, func(out string) bool { return leadsTo(state, out, device.Name, bridge) }) {
		return nil
	}
	what := "the bridge of the LAN"
	if device.Master != "" {
		what = "a port of " + device.Master
	}
	out := strings.Join(state.DefaultRoutes, ", ")
	f := d.finding(LANSide, Fault, "shape "+out+" instead, with the rates as the invoice has them; don't exchange the numbers, or what goes between your own devices is shaped too",
		"%s is %s, and the way to the internet is %s: what is upload here goes to your clients", device.Name, what, out)
	if up, down := d.link.Egress, d.link.Ingress; up != nil && down != nil {
		return d.with(f, fmt.Sprintf("so %s limits the download, and %s the upload", d.rateOf(up), d.rateOf(down)))
	}
	return f
}

// leadsTo tells whether packets for a device of a default route go out by a
// device or by its bridge.
func leadsTo(state *plan.State, out, device, bridge string) bool {
	for range len(state.Devices) { // a loop of parents can't be made, and ends here all the same
		if out == device || out == bridge {
			return true
		}
		d := state.Device(out)
		switch {
		case d == nil:
			return false
		case d.Parent != "":
			out = d.Parent
		case d.Type == arphrdPPP:
			return slices.ContainsFunc(state.Devices, func(below plan.Device) bool {
				return (below.Name == device || below.Name == bridge) && mayCarry(&below, d, state)
			})
		default:
			return false
		}
	}
	return false
}

// rateOf is the rate of another direction of the link, for people.
func (d *direction) rateOf(s *plan.Shaper) string {
	other := d.other(s)
	return rateWords(other.rate(d.last()))
}

// swapped are two directions that have each other's rate; or, where nobody says
// what is meant, an upload far above the download, which few lines have. Said
// once for a link.
func (d *direction) swapped() *Finding {
	up, down := d.link.Egress, d.link.Ingress
	if up == nil || down == nil || d.ingress() || d.lanSide() != nil {
		return nil
	}
	other := d.other(down)
	rates := [2]linklayer.Rate{d.rate(d.last()), other.rate(d.last())}
	evidence := fmt.Sprintf("upload at %s, download at %s", rateWords(rates[0]), rateWords(rates[1]))
	switch {
	case rates[0] == 0 || rates[1] == 0 || rates[0] == rates[1]:
	case d.exchanged():
		return d.with(d.finding(Swapped, Fault, applyAdvice, "upload and download have each other's rate"), evidence)
	case !d.planned() && rates[0] > 3*rates[1]:
		return d.with(d.finding(Swapped, Notice, "if the provider sells it the other way round, exchange them; if the device leads to clients, shape the one that leads to the provider",
			"upload is shaped at more than three times the rate of the download: they may be swapped"), evidence)
	}
	return nil
}

// exchanged tells whether both directions have the rate that a profile gives the
// other.
func (d *direction) exchanged() bool {
	if d.link.Egress == nil || d.link.Ingress == nil || !d.planned() {
		return false
	}
	up := direction{link: d.link, shaper: d.link.Egress, samples: d.samples}
	down := direction{link: d.link, shaper: d.link.Ingress, samples: d.samples}
	a, b := up.rate(d.last()), down.rate(d.last())
	return a != b && a != 0 && a == down.wantedRate() && b == up.wantedRate()
}

// doubleShaped is a direction whose packets pass a shaper on the device below as
// well. The slower of the two holds the queue; the other only costs.
func (d *direction) doubleShaped() *Finding {
	state, link, rate := d.last(), d.device(d.last()), d.rate(d.last())
	if rate == 0 {
		return nil
	}
	for i := range state.Devices {
		below := &state.Devices[i]
		if below.Name == link.Name || !mayCarry(below, link, state) {
			continue
		}
		second := below
		if d.ingress() {
			second = state.Device(below.RedirectTarget())
		}
		if second == nil || second.ShapedRate() == 0 {
			continue
		}
		return d.finding(DoubleShaped, Warning, "shape on one of them: "+link.Name+" sees packets as they are, so keep that, and remove the other",
			"%s is shaped twice: on %s at %s, and on %s below it at %s; the slower one holds the queue, and what the other says of its own is not the line's",
			d.shaper.Direction, d.shaper.Qdisc.Link, rate, second.Name, second.ShapedRate()).
			numbered("rate_bit_per_s", float64(rate)).numbered("other_bit_per_s", float64(second.ShapedRate()))
	}
	return nil
}
