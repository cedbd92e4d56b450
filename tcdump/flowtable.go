package tcdump

import (
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// nftBlock is where in the output of nft the last line stands.
type nftBlock struct {
	depth   int // open braces
	family  string
	table   *plan.FlowTable // that is open
	devices bool            // the list of its devices is
}

// readNft reads a line of nft list ruleset or nft list flowtables, of which flow
// tables are all that is needed:
//
//	table inet fw4 {
//		flowtable ft {
//			hook ingress priority filter
//			devices = { "br-lan", "eth1" }
//			flags offload
//		}
//	}
func (r *reader) readNft(w []string) bool {
	opens := w[len(w)-1] == "{"
	switch {
	case w[0] == "table" && opens && len(w) == 4:
		r.leave()
		r.nft.family = w[1]
	case w[0] == "table" || w[0] == "flowtable" && !opens:
		return false
	case w[0] == "flowtable" && len(w) == 3 && len(r.host.flowTables) < mostDevices:
		if r.nft.depth == 0 {
			r.leave()
		}
		r.nft.table = &plan.FlowTable{Name: w[1], Family: r.nft.family}
	case r.nft.table != nil:
		r.readFlowTable(w)
	}
	for _, word := range w {
		r.nft.depth += strings.Count(word, "{") - strings.Count(word, "}")
	}
	if w[0] == "}" && r.nft.table != nil && !r.nft.devices {
		r.host.flowTables = append(r.host.flowTables, *r.nft.table)
		r.nft.table = nil
	}
	if r.nft.depth <= 0 {
		r.leave()
	}
	return true
}

func (r *reader) readFlowTable(w []string) {
	t := r.nft.table
	if w[0] == "flags" {
		for _, word := range w[1:] {
			t.Hardware = t.Hardware || strings.Trim(word, ",;") == "offload"
		}
	}
	inList := r.nft.devices || w[0] == "devices"
	if !inList {
		return
	}
	r.nft.devices = true
	for _, word := range w {
		name := strings.Trim(word, `",;{}`)
		if isName(name) && name != "devices" && name != "=" {
			t.Devices = append(t.Devices, name)
		}
		if strings.Contains(word, "}") {
			r.nft.devices = false
		}
	}
}

// readConntrack reads a connection as /proc/net/nf_conntrack or conntrack -L has
// it. One that has left the processor shows that there is a flow table.
func (r *reader) readConntrack(w []string) bool {
	var src, dst bool
	for _, word := range w {
		src = src || strings.HasPrefix(word, "src=")
		dst = dst || strings.HasPrefix(word, "dst=")
	}
	if !src || !dst {
		return false
	}
	switch {
	case indexOf(w, "[HW_OFFLOAD]") >= 0:
		r.host.offload, r.host.hardware = true, true
	case indexOf(w, "[OFFLOAD]") >= 0:
		r.host.offload = true
	}
	return true
}
