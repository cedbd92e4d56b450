package verify

import (
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// notRedirected looks for the first break in the way from the link's receive
// side to the IFB's qdisc. A filter that is gone is the cause of everything
// that can be seen behind it: an IFB without traffic, a shaper that is idle.
func (d *direction) notRedirected() *Finding {
	if !d.ingress() {
		return nil
	}
	state, ifb := d.last(), d.shaper.Qdisc.Link
	device := d.device(state)
	target := device.RedirectTarget()
	if target == "" && device.Unknown.Filters {
		return d.unseenRedirect(device)
	}
	switch {
	case state.Device(ifb) == nil && target == "":
		return d.finding(d.absent(), Fault, applyAdvice,
			"download is not shaped: there is no redirect on %s and no %s", device.Name, ifb).because(d.modulesMissing())
	case target == plan.Gone:
		return d.finding(LostRedirect, Fault, applyAdvice,
			"%s redirects what it receives to a device that has gone: all of it is lost", device.Name)
	case target == device.Name:
		return d.finding(SelfRedirect, Fault, "delete that filter, then run: sqmctl apply",
			"%s redirects what it receives to itself: all of it is lost", device.Name)
	case target == "":
		f := d.finding(NotRedirected, Fault, applyAdvice,
			"download is not shaped: %s has no redirect filter to %s, so received packets take the normal way and the shaper sees none", device.Name, ifb)
		return d.with(f, d.traffic()...).because(d.modulesMissing())
	case target != ifb:
		return d.finding(ForeignRedirect, Fault, "turn the other program off, or run: sqmctl apply --take-over",
			"download is not shaped: %s redirects what it receives to %s, not to %s", device.Name, target, ifb)
	case state.Device(ifb) == nil:
		return d.finding(LostRedirect, Fault, applyAdvice,
			"%s redirects what it receives to %s, which does not exist: all of it is lost", device.Name, ifb)
	case !state.Device(ifb).Up:
		return d.finding(IFBDown, Fault, applyAdvice,
			"%s is down: what %s receives is lost there", ifb, device.Name)
	}
	return nil
}

// modulesMissing is why nobody could make a redirect; "" if nothing is known of
// that.
func (d *direction) modulesMissing() (cause, advice string) {
	missing := d.last().MissingModules
	if len(missing) == 0 {
		return "", ""
	}
	words := strings.Join(missing, ", ")
	return "this kernel seems to have no " + words + ", which a redirect takes",
		"install what brings " + words + ": kmod-sched-core and kmod-ifb on OpenWrt, the full kernel package elsewhere; then run: sqmctl apply"
}

// because puts a cause before what else was seen; none for "".
func (f *Finding) because(cause, advice string) *Finding {
	if cause != "" {
		f.Evidence, f.Advice = append([]string{cause}, f.Evidence...), advice
	}
	return f
}

// ARPHRD_* of linux/if_arp.h.
const arphrdEthernet, arphrdPPP = 1, 512

// delta is how far a counter moved; 0 if it went backwards, as it does when an
// object was made anew.
func delta(before, after uint64) uint64 {
	if after < before {
		return 0
	}
	return after - before
}
