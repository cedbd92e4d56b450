package tcdump

import (
	"strconv"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// filter is a filter of the way in as far as it was shown.
type filter struct {
	plan.FilterState
	number int // of its line
}

type ruleKey struct {
	priority, protocol uint16
	chain, handle      uint32
	kind               string
}

// readFilter reads the first line of a filter:
//
//	filter parent ffff: protocol all pref 10 u32 chain 0 fh 800::800 order 2048 …
//
// tc leaves out the device and the parent, which it was asked for.
func (r *reader) readFilter(w []string) bool {
	f := &filter{number: r.number}
	asked := r.listed("filter")
	f.Link, f.Parent = asked.device, asked.parent
	i := f.readHead(w)
	if i < 0 {
		return false
	}
	f.readHandle(w[i:])
	r.leave()
	if f.Link == noDevice || !isWayIn(f.Parent) {
		r.foreign = true
		return true
	}
	r.addFilter(f)
	return true
}

// noDevice stands for the place of a filter that is shared by several devices.
const noDevice = "/"

// isWayIn tells whether filters at a parent are of the way in. Where no line told
// it, they are taken for it: tc tells it for others.
func isWayIn(parent plan.Handle) bool {
	return parent == 0 || parent == plan.HandleIngressQdisc || parent == plan.HandleClsactIngress
}

// readHead reads where a filter is and of which kind, and returns the index of
// the words behind that; below zero if it is no filter's line.
func (f *filter) readHead(w []string) int {
	for i := 1; i < len(w); i++ {
		value := ""
		if i+1 < len(w) {
			value = w[i+1]
		}
		ok := true
		switch w[i] {
		case "root":
			f.Parent = plan.HandleRoot
			continue
		case "ingress":
			f.Parent = plan.HandleClsactIngress
			continue
		case "egress":
			f.Parent = handleClsactEgress
			continue
		case "dev":
			f.Link = value
		case "block":
			f.Link = noDevice
		case "parent":
			f.Parent, ok = parseHandle(value)
		case "protocol":
			f.Protocol, ok = plan.ParseProtocol(value)
		case "pref":
			var n uint64
			n, ok = parseCount(value)
			f.Priority = uint16(n)
		default:
			if f.Protocol == 0 { // prose
				return -1
			}
			f.Kind = w[i]
			return i + 1
		}
		if !ok {
			return -1
		}
		i++
	}
	return -1
}

// readHandle reads the chain and the handle of a filter.
func (f *filter) readHandle(w []string) {
	f.Selective = f.Kind != "matchall" && f.Kind != "u32"
	for i := 0; i+1 < len(w); i++ {
		switch w[i] {
		case "chain":
			f.Chain, _ = parseNumber(w[i+1])
		case "handle":
			f.Handle, _ = parseHex(w[i+1])
		case "fh":
			f.Handle = u32Handle(w[i+1])
		}
	}
}

// u32Handle reads "800::800", table, bucket and node. It is 0 for a table, which
// is no filter.
func u32Handle(s string) uint32 {
	parts := strings.Split(s, ":")
	if len(parts) != 3 || parts[2] == "" {
		return 0
	}
	var handle uint32
	for i, shift := range []int{20, 12, 0} {
		n, err := strconv.ParseUint("0"+parts[i], 16, 12)
		if err != nil {
			return 0
		}
		handle |= uint32(n) << shift
	}
	return handle
}

// addFilter makes a filter the one that the next lines are about.
func (r *reader) addFilter(f *filter) {
	r.objects++
	if isName(f.Link) {
		r.named(f.Link).putFilter(f)
	} else {
		r.loose = append(r.loose, f)
	}
	r.filter, r.counted, r.sent = f, &f.Stats, new(bool)
}

// putFilter keeps a filter, in the place of the same one if it was shown before.
func (d *device) putFilter(f *filter) {
	key := ruleKey{f.Priority, f.Protocol, f.Chain, f.Handle, f.Kind}
	if i, ok := d.ruleAt[key]; ok && f.Handle != 0 {
		d.filters[i] = f
		return
	}
	d.ruleAt[key] = len(d.filters)
	d.filters = append(d.filters, f)
}

// isRule tells a filter from what tc lists along with it: a line for each
// priority, and u32's tables.
func (f *filter) isRule() bool { return f.Handle != 0 || f.Redirect != "" || f.Mirror != "" }

// readFilterLine reads a line that tells more of the last filter.
func (r *reader) readFilterLine(w []string) bool {
	f := r.filter
	if f == nil {
		return false
	}
	switch w[0] {
	case "match":
		f.readMatch(w)
		return true
	case "action":
		r.readAction(w)
		return true
	case "index":
		f.readCtinfo(w)
		return true
	case "Action", "used_hw_stats", "not_in_hw", "in_hw":
		return true
	}
	if at := indexOf(w, "mirred"); at >= 0 {
		f.readMirred(w[at:])
		return true
	}
	return strings.HasPrefix(r.line, " ") // what it matches, or how often
}

// readMatch reads what u32 compares: "match 00b80000/00fc0000 at 0", or in words.
func (f *filter) readMatch(w []string) {
	if len(w) < 2 {
		return
	}
	_, mask, ok := strings.Cut(w[1], "/")
	f.Selective = f.Selective || !ok || strings.Trim(mask, "0") != ""
}

// readAction reads "action order 1: mirred (Egress Redirect to device ifb0) stolen".
// The counters of a filter are those of the first.
func (r *reader) readAction(w []string) {
	if len(w) > 2 && w[1] == "order" && w[2] != "1:" {
		r.counted, r.sent = &plan.Stats{}, new(bool)
	}
	if at := indexOf(w, "mirred"); at >= 0 {
		r.filter.readMirred(w[at:])
	}
}

// readMirred reads "mirred (Egress Redirect to device ifb0) stolen". Of several
// the first counts: a redirect takes the packet away.
func (f *filter) readMirred(w []string) {
	at := indexOf(w, "device")
	if len(w) < 3 || w[1] != "(Egress" || at < 0 || at+1 >= len(w) {
		return
	}
	f.send(strings.ToLower(w[2]), strings.TrimSuffix(w[at+1], ")"))
}

func (f *filter) send(how, target string) {
	if target != plan.Gone && !isName(target) || f.Kind != "matchall" && f.Kind != "u32" {
		return // of other kinds the kernel's reader doesn't say where they lead either
	}
	switch {
	case how == "redirect" && f.Redirect == "":
		f.Redirect = target
	case how == "mirror" && f.Mirror == "" && f.Redirect == "":
		f.Mirror = target
	}
}

// readCtinfo notes a ctinfo that restores the DSCP from where plan has it:
// "index 1 ref 1 bind 1 dscp 0x0000003f 0x00000080".
func (f *filter) readCtinfo(w []string) {
	at := indexOf(w, "dscp")
	if at < 0 || at+2 >= len(w) || indexOf(w, "cpmark") >= 0 {
		return
	}
	mask, _ := parseHex(w[at+1])
	state, _ := parseHex(w[at+2])
	f.restore(mask, state)
}

func (f *filter) restore(mask, state uint32) {
	if mask == plan.MarkDSCP && state == plan.MarkState && f.Redirect == "" && f.Mirror == "" {
		f.RestoreDSCP = true
	}
}

// settleFilters gives the filters without a device to the only one that has a
// way in.
func (r *reader) settleFilters() {
	if len(r.loose) == 0 {
		return
	}
	var open []*device
	for _, d := range r.order {
		if d.parents[plan.HandleIngress] {
			open = append(open, d)
		}
	}
	if len(open) != 1 {
		r.cannotRead(r.loose[0].number, "filters, and nothing says of which device: paste the command line too")
		return
	}
	for _, f := range r.loose {
		f.Link = open[0].Name
		open[0].putFilter(f)
	}
}
