package tcdump

import (
	"slices"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// ARPHRD_* of linux/if_arp.h, as ip names them behind "link/" (iproute2's
// lib/ll_types.c). A type that it doesn't know it prints as a number in brackets.
var linkTypes = map[string]uint16{
	"ether": arphrdEthernet, "loopback": 772, "ppp": arphrdPPP, "none": arphrdNone, "rawip": 519,
	"ipip": 768, "tunnel6": 769, "sit": 776, "gre": 778, "gre6": 823, "ieee802.11": 801, "infiniband": 32,
}

const arphrdEthernet, arphrdPPP, arphrdNone = 1, 512, 65534

// readLinkHead reads the first line of a device as ip link or ip addr has it:
//
//	3: wan@if2: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc cake master br-lan state UP qlen 1000
func (r *reader) readLinkHead(w []string) bool {
	if len(w) < 3 || !strings.HasSuffix(w[0], ":") || !strings.HasSuffix(w[1], ":") || w[2][0] != '<' {
		return false
	}
	index, ok := parseInt(strings.TrimSuffix(w[0], ":"))
	name, other, _ := strings.Cut(strings.TrimSuffix(w[1], ":"), "@")
	if !ok || !isName(name) {
		return false
	}
	r.leave()
	d := r.named(name)
	r.link = d
	d.linked, d.Index, d.at = true, index, other
	flags := strings.Split(strings.Trim(w[2], "<>"), ",")
	d.Up, d.Carrier = slices.Contains(flags, "UP"), slices.Contains(flags, "LOWER_UP")
	for i := 3; i+1 < len(w); i++ {
		switch w[i] {
		case "mtu":
			readNumber(&d.MTU, w[i+1])
		case "qlen":
			readNumber(&d.TxQueueLen, w[i+1])
		case "master":
			d.Master = w[i+1]
		default:
			continue
		}
		i++
	}
	return true
}

// readLinkLine reads a line that tells more of the last device.
func (r *reader) readLinkLine(w []string) bool {
	d := r.link
	if d == nil {
		return false
	}
	switch {
	case strings.HasPrefix(w[0], "link/"):
		d.readLinkType(w)
		return true
	case w[0] == "alias":
		d.Alias = strings.Join(w[1:], " ")
		return true
	case w[0] == "RX:" || w[0] == "TX:":
		d.columns, d.sending = w[1:], w[0] == "TX:"
		return true
	case w[0] == "RX" || w[0] == "TX": // "RX errors: length crc …": not of concern
		d.columns = []string{""}
		return true
	case d.columns != nil:
		if _, ok := parseCount(w[0]); ok {
			d.readCounters(w)
			return true
		}
	}
	return d.readKind(w) || aboutAddress[w[0]]
}

// aboutAddress are the words that begin other lines about a device.
var aboutAddress = map[string]bool{
	"inet": true, "inet6": true, "valid_lft": true, "altname": true, "vf": true, "prop": true, "prog/xdp": true, "parentbus": true,
}

func (d *device) readLinkType(w []string) {
	word, _, _ := strings.Cut(strings.TrimPrefix(w[0], "link/"), "/")
	d.Type = linkTypes[word]
	if n, ok := parseInt(strings.Trim(word, "[]")); ok {
		d.Type = uint16(n)
	}
	d.detail = d.detail || indexOf(w, "promiscuity") >= 0
	d.readQueues(w)
}

func (d *device) readQueues(w []string) {
	if at := indexOf(w, "numtxqueues"); at >= 0 && at+1 < len(w) {
		readNumber(&d.TxQueues, w[at+1])
	}
}

// readKind reads the line with the kind of a device, which ip prints with -d
// only: "vlan protocol 802.1Q id 7 <REORDER_HDR> addrgenmode eui64 numtxqueues 1 …".
// What a device is to its bridge or bond has a line of the same form.
func (d *device) readKind(w []string) bool {
	if !d.detail || aboutAddress[w[0]] {
		return false
	}
	d.readQueues(w)
	switch {
	case strings.HasSuffix(w[0], "_slave"):
		return true
	case d.Kind != "" || !kinds[w[0]] && indexOf(w, "numtxqueues") < 0:
		return false
	}
	d.Kind = w[0]
	if d.Kind == "vlan" {
		if at := indexOf(w, "id"); at >= 0 && at+1 < len(w) {
			readNumber(&d.VLAN, w[at+1])
		}
		d.TagInside = !slices.ContainsFunc(w, func(s string) bool { return strings.Contains(s, "REORDER_HDR") })
	}
	return true
}

// kinds are those whose line says nothing else where the device is a port of a
// bridge or bond: what all devices have stands in the port's line then.
var kinds = map[string]bool{
	"veth": true, "vlan": true, "ifb": true, "dummy": true, "ppp": true, "tun": true, "bond": true, "bridge": true, "team": true,
	"macvlan": true, "macvtap": true, "dsa": true, "gretap": true, "ip6gretap": true, "vxlan": true, "geneve": true,
}

// readCounters reads the numbers below "RX: bytes packets errors dropped …".
func (d *device) readCounters(w []string) {
	fields := map[string]*uint64{"bytes": &d.Counters.RxBytes, "packets": &d.Counters.RxPackets, "dropped": &d.Counters.RxDropped}
	if d.sending {
		fields = map[string]*uint64{"bytes": &d.Counters.TxBytes, "packets": &d.Counters.TxPackets, "dropped": &d.Counters.TxDropped}
	}
	for i, column := range d.columns {
		field := fields[column]
		if field == nil || i >= len(w) {
			continue
		}
		n, ok := parseCount(w[i])
		if !ok {
			return // ip -h rounds them: not what a difference can be made of
		}
		*field, d.counted = n, true
	}
	d.columns = nil
}

// settleParents finds out what the names behind @ are. A veth's is its other end,
// which names it in turn, and carries nothing.
func (r *reader) settleParents() {
	for _, d := range r.order {
		below := r.devices[d.at]
		if below == nil || d.Kind == "veth" || below.at == d.Name {
			continue
		}
		d.Parent = d.at
	}
}

// guess fills in what ip link would have told, from a device's name alone.
func (d *device) guess() {
	if d.Kind == "" && !d.detail {
		switch {
		case strings.Contains(d.Name, "ifb"):
			d.Kind = "ifb"
		case strings.HasPrefix(d.Name, "wg"):
			d.Kind = "wireguard"
		case strings.HasPrefix(d.Name, "tun"):
			d.Kind = "tun"
		}
	}
	if tunnels[d.Kind] {
		d.Tunnel = &plan.Tunnel{}
	}
	if !d.linked {
		d.Up, d.Carrier = true, true
	}
	if d.Type != 0 {
		return
	}
	switch {
	case strings.HasPrefix(d.Name, "ppp"): // and "pppoe-wan"
		d.Type = arphrdPPP
	case d.Kind == "wireguard" || d.Kind == "tun":
		d.Type = arphrdNone
	default:
		d.Type = arphrdEthernet
	}
}

// tunnels are the kinds that put a packet into another. What that adds isn't read.
var tunnels = map[string]bool{
	"tun": true, "vti": true, "vti6": true, "xfrm": true, "wireguard": true, "ipip": true, "sit": true, "ip6tnl": true,
	"gre": true, "gretap": true, "ip6gre": true, "ip6gretap": true, "vxlan": true, "geneve": true,
}
