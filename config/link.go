package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

// readLink reads one [[link]].
func readLink(t table) Link {
	t.refuseOthers(keysBelow("link."), otherKeyAdvice)
	l := Link{Line: t.index.find(t.path).line}
	l.Interface = readInterface(t)
	l.Type = readType(t)
	l.Upload = defaults(l.Type, linklayer.Egress)
	l.Download = defaults(l.Type, linklayer.Ingress)
	readInvoice(t, &l)
	readSettings(t, &l)
	readPreview(t, &l)
	return l
}

// otherKeys are what other tools call a key, and what to write instead.
var otherKeys = map[string]string{
	"device": "interface", "dev": "interface", "iface": "interface", "ifname": "interface",
	"bandwidth": rateAdvice, "rate": rateAdvice, "rates": rateAdvice, "speed": rateAdvice,
	"download": rateAdvice, "upload": rateAdvice, "ingress": rateAdvice, "egress": rateAdvice,
	"linklayer": "type", "link_layer": "type", "linktype": "type", "access": "type",
	"atm": `framing = "atm"`, "ptm": `framing = "ptm"`,
	"memlimit": "memory_limit", "script": `qdisc = "cake"`, "comment": "reason", "why": "reason",
}

const rateAdvice = "invoice = { download = …, upload = … }"

// otherKeyAdvice takes an unknown key of a link for one that another tool has,
// unless it is nearer to one of ours.
func otherKeyAdvice(key string) string {
	plain := strings.ToLower(strings.ReplaceAll(key, "-", "_"))
	if ours, ok := otherKeys[plain]; ok {
		return "write " + ours
	}
	if linklayer.Nearest(key, keysBelow("link.")) != "" {
		return ""
	}
	if near := linklayer.Nearest(plain, slices.Sorted(maps.Keys(otherKeys))); near != "" {
		return "write " + otherKeys[near]
	}
	return ""
}

// text reads a key that must be there and be a string.
func (t table) text(key, example string) (string, bool) {
	v, ok := t.values[key]
	if !ok {
		t.missing(key, fmt.Sprintf("write %s = %q", key, example))
		return "", false
	}
	s, ok := v.(string)
	if !ok {
		t.report(t.at(key), wrongType(v, "a string", fmt.Sprintf("write it in quotes, as in %s = %q", key, example)))
	}
	return s, ok
}

func readType(t table) linklayer.Access {
	name, ok := t.text("type", "docsis")
	if !ok {
		return linklayer.Access{}
	}
	a, ok := linklayer.AccessByName(name)
	if !ok {
		advice := "write one of " + strings.Join(linklayer.AccessNames(), ", ")
		if near := linklayer.NearestAccess(name); near != "" {
			advice = fmt.Sprintf("write %q, or another one of %s", near, strings.Join(linklayer.AccessNames(), ", "))
		}
		t.report(t.at("type"), &fault{describe(name) + " is an unknown type", advice})
	}
	return a
}

// readInvoice reads what the provider sells.
func readInvoice(t table, l *Link) {
	const example = `invoice = { download = "100 Mbit/s", upload = "40 Mbit/s" }`
	v, ok := t.values["invoice"]
	if !ok {
		t.missing("invoice", "write "+example)
		return
	}
	values, ok := v.(map[string]any)
	if !ok {
		t.report(t.at("invoice"), wrongType(v, "a table with both directions", "write "+example))
		return
	}
	it := t.sub("invoice", values)
	it.refuseOthers(directionKeys, directionAdvice)
	offs := 0
	for _, d := range directions {
		if readInvoiceRate(it, d, l.Direction(d)) {
			offs++
		}
	}
	if offs == len(directions) {
		it.report(it.path, &fault{"both directions are off", "write the rate of one, or remove the link"})
	}
}

// readInvoiceRate reads one direction and tells whether it is off.
func readInvoiceRate(t table, d linklayer.Direction, s *Settings) (off bool) {
	key := d.String()
	v, ok := t.values[key]
	if !ok {
		t.missing(key, fmt.Sprintf(`write the rate, or %s = "off" to leave that direction alone`, key))
		return false
	}
	if v == "off" {
		s.Off = true
		return true
	}
	rate, f := readRate(v)
	if f != nil {
		t.report(t.at(key), f)
	}
	s.Invoice = rate
	return false
}

// In the order in which people name them.
var (
	directions    = []linklayer.Direction{linklayer.Ingress, linklayer.Egress}
	directionKeys = []string{linklayer.Ingress.String(), linklayer.Egress.String()}
)

func directionAdvice(key string) string {
	switch strings.ToLower(key) {
	case "down", "ingress", "in", "rx":
		return "write download"
	case "up", "egress", "out", "tx":
		return "write upload"
	}
	return ""
}
