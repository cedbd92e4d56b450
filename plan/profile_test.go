package plan

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

const mbit = linklayer.Mbit

// profileOf is a profile of one line with every default as config fills it in.
func profileOf(t testing.TB, device, access string, down, up linklayer.Rate, edits ...func(*config.Link)) *config.Profile {
	t.Helper()
	a, ok := linklayer.AccessByName(access)
	if !ok {
		t.Fatalf("there is no access technology %q", access)
	}
	l := config.Link{
		Interface: device, Type: a, Line: 2,
		Upload:   settingsOf(a, linklayer.Egress, up, "dual-srchost"),
		Download: settingsOf(a, linklayer.Ingress, down, "dual-dsthost"),
	}
	for _, edit := range edits {
		edit(&l)
	}
	return &config.Profile{File: "wan.toml", Links: []config.Link{l}}
}

func settingsOf(a linklayer.Access, d linklayer.Direction, invoice linklayer.Rate, isolation string) config.Settings {
	e := a.Encapsulation
	return config.Settings{
		Invoice:     invoice,
		Qdisc:       byDefault("cake", "all in one"),
		Headroom:    byDefault(a.Headroom[d].Percent, "so that the queue forms here"),
		Overhead:    byDefault(e.Overhead, a.Arithmetic),
		MPU:         byDefault(e.MPU, "the type's"),
		Framing:     byDefault(e.Framing, "the type's"),
		Diffserv:    byDefault("besteffort", "marks are not trusted"),
		Isolation:   byDefault(isolation, "a fair share for each host"),
		NAT:         byDefault(true, "hosts behind NAT share one address outside"),
		Wash:        byDefault(false, "marks are left as they are"),
		AckFilter:   byDefault("auto", ""),
		RTT:         byDefault(100*time.Millisecond, "what most of the Internet is away"),
		MemoryLimit: byDefault(0, ""),
		SplitGSO:    byDefault(true, "a superpacket would hold up the line"),
		FwMark:      byDefault(uint32(0), "marks are not looked at"),
	}
}

func byDefault[T any](value T, reason string) config.Choice[T] {
	return config.Choice[T]{Value: value, Reason: reason}
}

func byLine[T any](value T, line int) config.Choice[T] {
	return config.Choice[T]{Value: value, Line: line}
}

// compiled is the one link of a profile's plan.
func compiled(t testing.TB, p *config.Profile, found State) Link {
	t.Helper()
	all := Compile(p, found)
	if err := all.FirstProblem(); err != nil {
		t.Fatal(err)
	}
	return all.Links[0]
}

// ethernetDevice is a device as the kernel has it before anything is installed.
func ethernetDevice(name string) Device {
	return Device{
		Name: name, Type: 1, Up: true, Carrier: true, MTU: 1500, TxQueues: 1,
		Qdiscs: []QdiscState{defaultQdisc(name)},
	}
}

func defaultQdisc(device string) QdiscState {
	return QdiscState{Qdisc: Qdisc{Link: device, Kind: "fq_codel", Parent: HandleRoot}}
}

func stateOf(devices ...Device) State { return State{Devices: devices} }
