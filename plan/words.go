package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// protocolAll is ETH_P_ALL, in host order.
const protocolAll = 0x0003

// protocolWords are those of iproute2's lib/ll_proto.c that show up in
// filters.
var protocolWords = map[uint16]string{
	protocolAll: "all", 0x0800: "ip", 0x0806: "arp", 0x86DD: "ipv6",
	0x8100: "802.1Q", 0x88A8: "802.1ad", 0x8863: "ppp_disc", 0x8864: "ppp_ses",
}

func protocolWord(protocol uint16) string {
	if word, ok := protocolWords[protocol]; ok {
		return word
	}
	return fmt.Sprintf("%#x", protocol)
}

// ParseProtocol reads the protocol of a filter as tc prints it: a word, or a
// number, in decimal within brackets.
func ParseProtocol(word string) (uint16, bool) {
	for protocol, w := range protocolWords {
		if w == word {
			return protocol, true
		}
	}
	n, err := strconv.ParseUint(strings.Trim(word, "[]"), 0, 16)
	return uint16(n), err == nil
}

// Words is the IFB in two lines of ip's words.
func (i *IFB) Words() string {
	set := fmt.Sprintf("ip link set dev %s alias %s", quote(i.Link), quote(i.Alias))
	if i.Up {
		set += " up"
	}
	queues := ""
	if i.Queues != 0 {
		queues = fmt.Sprintf(" numtxqueues %d", i.Queues)
	}
	return fmt.Sprintf("ip link add name %s%s type ifb\n%s", quote(i.Link), queues, set)
}

// Words is the qdisc in tc's words. The options of kinds that sqmctl doesn't
// install are not known and left out.
func (q *Qdisc) Words() string {
	switch q.Kind {
	case "ingress":
		return fmt.Sprintf("tc qdisc add dev %s handle ffff: ingress", quote(q.Link))
	case "clsact":
		return fmt.Sprintf("tc qdisc add dev %s clsact", quote(q.Link))
	}
	words := []string{"tc qdisc replace dev", quote(q.Link), parentWords(q.Parent)}
	if q.Handle != 0 {
		words = append(words, "handle", q.Handle.String())
	}
	if q.Stab != nil {
		words = append(words, "stab", q.Stab.words())
	}
	words = append(words, q.Kind)
	if options := q.options(); len(options) > 0 {
		words = append(words, spelt(options))
	}
	return strings.Join(words, " ")
}

// options are those of the qdisc's kind; none where they aren't known.
func (q *Qdisc) options() []option {
	switch {
	case q.Cake != nil:
		return q.Cake.options()
	case q.HTB != nil:
		return q.HTB.options()
	case q.FQCodel != nil:
		return q.FQCodel.options()
	case q.FQ != nil:
		return q.FQ.options()
	}
	return nil
}

func parentWords(parent Handle) string {
	if parent == HandleRoot {
		return "root"
	}
	return "parent " + parent.String()
}

// words is the size table as typed after "stab" (tc-stab(8)).
func (s *Stab) words() string {
	layer := "ethernet"
	if s.ATM {
		layer = "atm"
	}
	return fmt.Sprintf("mtu %d tsize %d mpu %d overhead %d linklayer %s", s.MTU, s.Size, s.MPU, s.Overhead, layer)
}

// Words is the filter in tc's words. What a foreign filter matches is not
// known and left out.
func (f *Filter) Words() string {
	words := fmt.Sprintf("tc filter add dev %s parent %s protocol %s prio %d %s",
		quote(f.Link), f.Parent, protocolWord(f.Protocol), f.Priority, f.Kind)
	if f.Kind == "u32" {
		words += " match u32 0 0"
	}
	if f.RestoreDSCP {
		words += fmt.Sprintf(" action ctinfo dscp %#x %#x", MarkDSCP, MarkState)
	}
	switch {
	case f.Redirect != "":
		words += " action mirred egress redirect dev " + quote(f.Redirect)
	case f.Mirror != "":
		words += " action mirred egress mirror dev " + quote(f.Mirror)
	}
	return words
}

// quote makes one shell word of a name: the kernel forbids only space, colon
// and slash in the names of devices.
func quote(name string) string {
	plain := strings.IndexFunc(name, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.@+", r)
	}) < 0
	if plain && name != "" {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
