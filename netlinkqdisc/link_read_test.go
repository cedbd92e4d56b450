package netlinkqdisc

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestReadLinkOfAKernel(t *testing.T) {
	tests := []plan.Device{
		{Name: "wan", Index: 7, Kind: "veth", Type: 1, Up: true, Carrier: true, MTU: 1500, TxQueues: 1},
		{Name: "lan", Index: 6, Kind: "veth", Type: 1, Up: true, Carrier: true, MTU: 1500, TxQueues: 1, Master: "bridge"},
		{Name: "wan.7", Index: 10, Kind: "vlan", Type: 1, MTU: 1500, TxQueues: 1, Parent: "wan", VLAN: 7},
		{Name: "many", Index: 8, Kind: "dummy", Type: 1, Up: true, Carrier: true, MTU: 1500, TxQueues: 3},
		{Name: "ifb4wan", Index: 11, Kind: "ifb", Type: 1, MTU: 1500, TxQueues: 1, Alias: "mine"},
	}
	var links []link
	for label, b := range captures(t) {
		if l, err := readLink(b); label == "link "+l.device.Name && err == nil {
			links = append(links, l)
		}
	}
	nameLinks(links)
	for _, want := range tests {
		for _, l := range links {
			if l.device.Name != want.Name {
				continue
			}
			l.device.Counters = plan.Counters{}
			if diff := cmp.Diff(want, l.device); diff != "" {
				t.Error(diff)
			}
		}
	}
	if len(links) != 6 {
		t.Errorf("%d links", len(links))
	}
}

func TestReadCounters(t *testing.T) {
	var b []byte
	for n := range uint64(24) {
		b = append(b, b64(n+1)...)
	}
	want := plan.Counters{RxPackets: 1, TxPackets: 2, RxBytes: 3, TxBytes: 4, RxDropped: 7, TxDropped: 8}
	if diff := cmp.Diff(want, readCounters(b)); diff != "" {
		t.Error(diff)
	}
}

func TestReadLinkOf(t *testing.T) {
	linkOf := func(attributes ...any) []byte { return append(linkMessage(5, unix.IFF_UP, 0), nest(attributes...)...) }
	ppp := nest(infoKind, []byte("ppp\x00"))
	tests := []struct {
		name           string
		bytes          []byte
		kind           string
		master, parent uint32
	}{
		{"bare", linkOf(), "", 0, 0},
		{"ppp", linkOf(unix.IFLA_LINKINFO, ppp), "ppp", 0, 0},
		{"below", linkOf(unix.IFLA_LINK, b32(3), unix.IFLA_MASTER, b32(4)), "", 4, 3},
		{"below, in another namespace", linkOf(unix.IFLA_LINK, b32(3), unix.IFLA_LINK_NETNSID, b32(0)), "", 0, 0},
		{"attributes of the future", linkOf(999, b64(1), unix.IFLA_LINK, b32(3)), "", 0, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l, err := readLink(test.bytes)
			if err != nil {
				t.Fatal(err)
			}
			if l.index != 5 || !l.device.Up || l.device.Kind != test.kind || l.master != test.master || l.parent != test.parent {
				t.Errorf("%+v, master %d, parent %d", l.device, l.master, l.parent)
			}
		})
	}
}

func TestReadLinkCutOff(t *testing.T) {
	whole := captured(t, "link wan")
	if _, err := readLink(whole[:linkHeader-1]); !errors.Is(err, errShort) {
		t.Errorf("error %v for half a header", err)
	}
	l, err := readLink(whole[:len(whole)-1])
	if !errors.Is(err, errAttributes) || l.device.Name != "wan" || l.device.Index != 7 {
		t.Errorf("error %v, %+v", err, l.device)
	}
}

func TestNameLinks(t *testing.T) {
	links := []link{
		{index: 1, parent: 1, device: plan.Device{Name: "self"}},
		{index: 2, parent: 9, master: 8, device: plan.Device{Name: "lost"}},
	}
	nameLinks(links)
	if got := links[0].device.Parent; got != "" {
		t.Errorf("a device is below itself: %q", got)
	}
	if d := links[1].device; d.Parent != "if9" || d.Master != "if8" {
		t.Errorf("%+v", d)
	}
}

func TestParseSpeed(t *testing.T) {
	for in, want := range map[string]linklayer.Rate{
		"1000\n": linklayer.Gbit, "-1\n": 0, "4294967295\n": 0, "": 0, "fast": 0, "10": 10 * linklayer.Mbit,
	} {
		if got := parseSpeed(in); got != want {
			t.Errorf("parseSpeed(%q) = %v, want %v", in, got, want)
		}
	}
	if got := readSpeed("no such device"); got != 0 {
		t.Errorf("speed %v of no device", got)
	}
}
