package tcdump

import (
	"net/netip"
	"slices"
)

// readRoute reads a line of ip route: "default via 192.0.2.1 dev eth0 proto static".
// Of the others nothing is needed.
func (r *reader) readRoute(w []string) bool {
	at := indexOf(w, "dev")
	if at < 0 || at+1 >= len(w) || !isName(w[at+1]) {
		return false
	}
	if w[0] == "default" {
		r.leave()
		r.defaultBy(w[at+1])
		return true
	}
	_, isPrefix := netip.ParsePrefix(w[0])
	_, isAddress := netip.ParseAddr(w[0])
	return isPrefix == nil || isAddress == nil
}

// readRouteObject reads a route of ip -j route.
func (r *reader) readRouteObject(o object) bool {
	if name := o.text("dev"); o.text("dst") == "default" && isName(name) {
		r.defaultBy(name)
	}
	return true
}

func (r *reader) defaultBy(device string) {
	if routes := r.host.routes; !slices.Contains(routes, device) && len(routes) < mostDevices {
		r.host.routes = append(routes, device)
	}
}
