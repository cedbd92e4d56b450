package tcdump

import (
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// host is what a paste says of the machine as a whole.
type host struct {
	routes            []string
	flowTables        []plan.FlowTable
	offload, hardware bool // a connection was seen that a flow table forwards
	configured        []*section
	sections          map[string]*section
	defaultQdisc      string
	congestion        string
}

// readSysctl reads "net.core.default_qdisc = fq_codel".
func (r *reader) readSysctl(w []string) bool {
	key, value, ok := strings.Cut(strings.Join(w, " "), "=")
	field := r.host.sysctl(strings.TrimSpace(key))
	if !ok || field == nil {
		return false
	}
	*field = strings.TrimSpace(value)
	return true
}

func (h *host) sysctl(key string) *string {
	switch key {
	case "net.core.default_qdisc":
		return &h.defaultQdisc
	case "net.ipv4.tcp_congestion_control":
		return &h.congestion
	}
	return nil
}

// tell fills in what the host has.
func (h *host) tell(s *plan.State) {
	s.DefaultRoutes, s.FlowTables = h.routes, h.flowTables
	s.DefaultQdisc, s.CongestionControl = h.defaultQdisc, h.congestion
	offload, hardware := h.offload, h.hardware
	for _, c := range h.configured {
		if queue, ok := c.queueOf(); ok && c.isQueue() {
			s.Configured = append(s.Configured, queue)
		}
		if c.isDefaults() && c.values["flow_offloading"] == "1" { // without which the firewall ignores the other
			offload = true
			hardware = hardware || c.values["flow_offloading_hw"] == "1"
		}
	}
	if offload && len(s.FlowTables) == 0 {
		s.FlowTables = []plan.FlowTable{{Hardware: hardware}}
	}
}
