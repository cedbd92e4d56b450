package kernellab

import (
	"fmt"
	"net"
	"os"
	"time"

	"github.com/vishvananda/netlink"

	"github.com/sqmctl/sqmctl/linklayer"
)

// LineFacts describes a subscriber's line.
type LineFacts struct {
	// Up and Down are what the modem sends and receives, in bits on the wire.
	Up, Down linklayer.Rate
	// UpBuffer and DownBuffer are the sizes in bytes of the queues in front of
	// the line, charged alike.
	UpBuffer, DownBuffer int
	// Delay is the one-way delay without any queue, the same both ways.
	Delay time.Duration
	// Queues are the transmit queues of the router's wan; 0 is one.
	Queues int
	// Encapsulation is what the modem charges an IP packet with. The zero value
	// is an Ethernet frame with its preamble, FCS and gap, that is 38 bytes more
	// than the IP packet.
	Encapsulation linklayer.Encapsulation
}

// stab is tc's size table for a device whose packets have so many bytes of
// headers before IP.
func (f LineFacts) stab(headers int) (words string, burst int) {
	e := f.Encapsulation
	if e == (linklayer.Encapsulation{}) {
		e.Overhead = 38
	}
	if e.Framing == linklayer.ATM {
		// A full packet is up to 34 cells of 53 bytes; a bucket that holds less
		// than that never lets it pass.
		return fmt.Sprintf("stab overhead %d linklayer atm", e.Overhead-headers), 34 * 53
	}
	return fmt.Sprintf("stab overhead %d linklayer ethernet", e.Overhead-headers), 1600
}

// bits is a rate in what the size table counts. PTM sends a byte more with
// each 64, which tables don't know.
func (f LineFacts) bits(r linklayer.Rate) uint64 {
	if f.Encapsulation.Framing == linklayer.PTM {
		return uint64(r) / 65 * 64
	}
	return uint64(r)
}

// Line is a subscriber's line from end to end, five namespaces in a row:
//
//	sender      router        modem        net               receiver
//	    router––lan  wan––router  net––modem  receiver––net
//
// The router's device wan is where a shaper goes. The modem holds the line's
// rate and its queues, net the delay.
type Line struct {
	Sender, Router, Modem, Net, Receiver *Namespace
	t                                    T
}

// Addresses of the two ends.
const (
	senderAddress   = "10.0.1.1"
	receiverAddress = "10.0.4.2"
)

// NewLine builds a line that lasts as long as the test. It is for bodies that
// run in the guest, and one at a time.
func NewLine(t T, facts LineFacts) *Line {
	t.Helper()
	const frame = 14
	l := newLine(t)
	l.cable(facts.Queues)
	l.route()
	l.tune()
	l.limit(facts, frame)
	return l
}

// newLine is the namespaces alone.
func newLine(t T) *Line {
	t.Helper()
	return &Line{
		t:      t,
		Sender: NewNamespace(t, "sender"), Router: NewNamespace(t, "router"),
		Modem: NewNamespace(t, "modem"), Net: NewNamespace(t, "net"),
		Receiver: NewNamespace(t, "receiver"),
	}
}

func (l *Line) cable(queues int) {
	l.t.Helper()
	connect(
		cable{{l.Sender, "router", "10.0.1.1/24", 0}, {l.Router, "lan", "10.0.1.2/24", 0}},
		cable{{l.Router, "wan", "10.0.2.1/24", queues}, {l.Modem, "router", "10.0.2.2/24", 0}},
		cable{{l.Modem, "net", "10.0.3.1/24", 0}, {l.Net, "modem", "10.0.3.2/24", 0}},
		cable{{l.Net, "receiver", "10.0.4.1/24", 0}, {l.Receiver, "net", "10.0.4.2/24", 0}},
	)
}

func (l *Line) route() {
	l.t.Helper()
	for _, r := range []struct {
		from    *Namespace
		to, via string
	}{
		{l.Sender, "0.0.0.0/0", "10.0.1.2"},
		{l.Router, "0.0.0.0/0", "10.0.2.2"},
		{l.Modem, "0.0.0.0/0", "10.0.3.2"}, {l.Modem, "10.0.1.0/24", "10.0.2.1"},
		{l.Net, "0.0.0.0/0", "10.0.3.1"},
		{l.Receiver, "0.0.0.0/0", "10.0.4.1"},
	} {
		r.from.route(r.to, r.via)
	}
	for _, n := range []*Namespace{l.Router, l.Modem, l.Net} {
		n.Sysctl("net/ipv4/ip_forward", "1")
	}
}

func (n *Namespace) route(to, via string) {
	n.t.Helper()
	n.do("routing to "+to, func() error {
		_, to, err := net.ParseCIDR(to)
		if err != nil {
			return err
		}
		return netlink.RouteAdd(&netlink.Route{Dst: to, Gw: net.ParseIP(via)})
	})
}

// tune lets TCP fill the queue of any line, lets no connection learn from an
// earlier one, and readies both ends for calls.
func (l *Line) tune() {
	l.t.Helper()
	// How much TCP may hold, in pages, is one number for all namespaces.
	const key, pages = "/proc/sys/net/ipv4/tcp_mem", "32768 32768 32768"
	if err := os.WriteFile(key, []byte(pages), 0); err != nil {
		l.t.Fatal(err)
	}
	for _, n := range []*Namespace{l.Sender, l.Receiver} {
		n.Sysctl("net/ipv4/tcp_rmem", "4096 131072 67108864")
		n.Sysctl("net/ipv4/tcp_wmem", "4096 65536 67108864")
		n.Sysctl("net/ipv4/tcp_no_metrics_save", "1")
	}
	holdCalls(l.Sender, "router")
	holdCalls(l.Receiver, "net")
}

// limit makes the line slow and long. The modem sends packets that have so many
// bytes of headers before IP.
func (l *Line) limit(f LineFacts, headers int) {
	l.t.Helper()
	stab, burst := f.stab(headers)
	const tbf = "qdisc add dev %s root %s tbf rate %dbit burst %d limit %d\n"
	l.Modem.Batch("tc", fmt.Sprintf(tbf, "net", stab, f.bits(f.Up), burst, f.UpBuffer)+
		fmt.Sprintf(tbf, "router", stab, f.bits(f.Down), burst, f.DownBuffer))
	const delay = "qdisc add dev %s root netem limit 100000 delay %dus\n"
	l.Net.Batch("tc", fmt.Sprintf(delay, "receiver", f.Delay.Microseconds())+
		fmt.Sprintf(delay, "modem", f.Delay.Microseconds()))
}

// ends are the namespaces between which data goes in a direction, and the
// address of the second.
func (l *Line) ends(d linklayer.Direction) (from, to *Namespace, address string) {
	if d == linklayer.Egress {
		return l.Sender, l.Receiver, receiverAddress
	}
	return l.Receiver, l.Sender, senderAddress
}
