package config

import (
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

// Key describes a key of the profile.
type Key struct {
	Name         string    // with its tables: "link.invoice"
	Type         string    // what to write, for people
	Default      [2]string // by Direction, in TOML; "" when it follows from the type
	Required     bool      // there is no default
	Optional     bool      // there is no default and need be none
	PerDirection bool      // a value for both, or a table with upload and download
	Text         string    // what it is, one sentence
}

// Keys lists every key that a profile can have, in the order of the manual.
func Keys() []Key {
	return []Key{
		{Name: "schema", Type: "1", Required: true, Text: "The version of this list of keys."},
		{Name: "link", Type: "one or more tables", Required: true, Text: "A line, under [[link]]; one for each."},
		{Name: "link.interface", Type: "string", Required: true, Text: "The device that goes to the provider, as ip link names it."},
		{Name: "link.role", Type: choiceOf(roles), Default: both(`"line"`), Text: "What the device is for: a provider's line that is shaped, or a server, which has no other key than interface, role and qdisc."},
		{Name: "link.type", Type: "string", Required: true, Text: "The access technology, as sqmctl types lists them."},
		{Name: "link.invoice", Type: `table with download and upload, each a rate or "off"`, Required: true, Text: "The rates that the provider sells, download and upload; \"off\" leaves a direction alone."},
		{Name: "link.qdisc", Type: choiceOf(qdiscs) + "; for a server one of " + strings.Join(serverQdiscs, ", "), Default: both(`"cake"`), PerDirection: true, Text: "The queue discipline; cake_mq is a CAKE for each transmit queue, for several processors, fq_codel stands below an HTB class with the rate, none leaves the direction unshaped; a server has fq unless it says fq_codel."},
		{Name: "link.reason", Type: "string", Optional: true, Text: "Why a direction has the qdisc none, which it must have a reason for."},
		{Name: "link.headroom", Type: "percentage", PerDirection: true, Text: "How much of the invoice rate is left unused, 0 % to 90 %."},
		{Name: "link.overhead", Type: "whole number", PerDirection: true, Text: "Bytes that the line adds to each IP packet, −64 to 256."},
		{Name: "link.mpu", Type: "whole number", PerDirection: true, Text: "Bytes that the smallest packet takes up, overhead included, 0 to 256."},
		{Name: "link.framing", Type: choiceOf(framings()), PerDirection: true, Text: "Whether the line cuts packets into cells (atm) or codes them (ptm)."},
		{Name: "link.diffserv", Type: choiceOf(diffservs), Default: [2]string{linklayer.Egress: `"diffserv3"`, linklayer.Ingress: `"besteffort"`}, PerDirection: true, Text: "How DSCP marks divide packets into priorities."},
		{Name: "link.isolation", Type: choiceOf(isolations), Default: [2]string{linklayer.Egress: `"dual-srchost"`, linklayer.Ingress: `"dual-dsthost"`}, PerDirection: true, Text: "What the rate is shared between."},
		{Name: "link.nat", Type: "true or false", Default: both("true"), PerDirection: true, Text: "Whether addresses behind NAT are looked up."},
		{Name: "link.wash", Type: "true or false", Default: [2]string{linklayer.Egress: "false", linklayer.Ingress: "true"}, PerDirection: true, Text: "Whether DSCP marks are cleared after use."},
		{Name: "link.ack_filter", Type: choiceOf(ackFilters), Default: [2]string{linklayer.Egress: `"auto"`, linklayer.Ingress: `"off"`}, PerDirection: true, Text: "Whether waiting TCP acknowledgements are thinned out; a value for both is for the upload, the download is always off."},
		{Name: "link.rtt", Type: "time, or one of " + strings.Join(rttNames(), ", "), Default: both(`"100 ms"`), PerDirection: true, Text: "The round-trip time to expect, 100 µs to 1000 s."},
		{Name: "link.memory_limit", Type: `size, or "auto"`, Default: both(`"auto"`), PerDirection: true, Text: "The most memory that waiting packets may take, 64 KiB to 1 GiB."},
		{Name: "link.split_gso", Type: "true or false", Default: both("true"), PerDirection: true, Text: "Whether packets joined by offload are split again."},
		{Name: "link.fwmark", Type: `whole number, or a string as "0xff"`, Default: both("0"), PerDirection: true, Text: "The bits of a firewall mark that pick the priority, as a mask; 0 is none."},
		{Name: "link.restore_dscp", Type: "true or false", Default: both("false"), Text: "Whether packets of the download get back the DSCP that the firewall keeps in their connection's mark, 0x80 and the DSCP."},
		{Name: "link.preview", Type: "table with buffer, rtt, flows and wobble", Text: "What sqmctl preview would else assume; nothing of it is installed."},
		{Name: "link.preview.buffer", Type: `size, or "auto"`, PerDirection: true, Text: "How much the modem can queue, for the download the provider, 64 KiB to 1 GiB."},
		{Name: "link.preview.rtt", Type: "time, or one of " + strings.Join(rttNames(), ", "), Text: "The round-trip time to a server when nothing queues, 100 µs to 20 s."},
		{Name: "link.preview.flows", Type: "whole number", Text: "How many transfers to simulate, 1 to 1000."},
		{Name: "link.preview.wobble", Type: "percentage", Text: "By how much the line's rate varies up and down, 0 % to 90 %."},
	}
}

func both(s string) [2]string { return [2]string{s, s} }

func choiceOf(words []string) string { return "one of " + strings.Join(words, ", ") }

// keysBelow are the names of the keys right below a prefix ("" or "link.").
func keysBelow(prefix string) []string {
	var names []string
	for _, k := range Keys() {
		if name, ok := strings.CutPrefix(k.Name, prefix); ok && !strings.Contains(name, ".") {
			names = append(names, name)
		}
	}
	return names
}
