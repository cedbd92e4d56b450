package netlinkqdisc

import (
	"net"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// run runs a program of the host in the guest; spaces part its words.
func run(t *testing.T, line string) string {
	t.Helper()
	return feed(t, "", line)
}

func feed(t *testing.T, input, line string) string {
	t.Helper()
	words := strings.Fields(line)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", line, err, input, out)
	}
	return string(out)
}

// script runs lines of tc and ip, as few processes as it takes, and waits until
// the kernel has noticed what carries and what doesn't.
func script(t *testing.T, lines string) {
	t.Helper()
	program, batch := "", ""
	flush := func() {
		if batch != "" {
			feed(t, batch, program+" -batch -")
		}
		batch = ""
	}
	for line := range strings.Lines(lines) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word != program {
			flush()
			program = word
		}
		if rest != "" {
			batch += rest + "\n"
		}
	}
	flush()
	time.Sleep(3 * time.Second)
}

// wanAndLan are two ends of a veth, up.
const wanAndLan = `
	ip link add wan type veth peer name lan
	ip link set wan up
	ip link set lan up
`

func open(t *testing.T) *Kernel {
	t.Helper()
	k, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.Close() })
	return k
}

func read(t *testing.T, k *Kernel) plan.State {
	t.Helper()
	found, err := k.Read()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range found.Unreadable {
		t.Error(line)
	}
	return found
}

// device is a device that must be there.
func device(t *testing.T, found plan.State, name string) *plan.Device {
	t.Helper()
	d := found.Device(name)
	if d == nil {
		t.Fatalf("no device %s", name)
	}
	return d
}

// dump is all that a failed apply must leave as it was, as tc and ip print it.
// The classes that stand for the flows which a qdisc has just now are left out,
// and HTB's count of the packets that no class took.
func dump(t *testing.T) string {
	t.Helper()
	devices, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	shows := "qdisc show\n"
	for _, d := range devices {
		shows += "class show dev " + d.Name + "\n"
		for _, place := range []string{"", "ingress", "egress", "parent 1:1", "parent 2:"} {
			shows += "filter show dev " + d.Name + " " + place + "\n"
		}
	}
	all := run(t, "ip -d link")
	lines := slices.Collect(strings.Lines(feed(t, shows, "tc -d -batch -")))
	sortQdiscs(lines)
	for _, line := range lines {
		if !strings.HasPrefix(line, "class cake") && !strings.HasPrefix(line, "class fq_codel") {
			all += unclassed.ReplaceAllString(line, "")
		}
	}
	return all
}

// sortQdiscs sorts the qdiscs, which come first. The kernel keeps them in a
// table by handle, and in one place of it the newest first: that order means
// nothing, and can't be had again for one that is made again.
func sortQdiscs(lines []string) {
	n := 0
	for n < len(lines) && strings.HasPrefix(lines[n], "qdisc ") {
		n++
	}
	slices.Sort(lines[:n])
}

var unclassed = regexp.MustCompile(`direct_packets_stat \d+ `)

func cake(rate linklayer.Rate) *plan.Cake {
	return &plan.Cake{
		Rate:          rate,
		Diffserv:      plan.Diffserv4,
		Isolation:     plan.DualSrchost,
		NAT:           true,
		SplitGSO:      true,
		RTT:           100e6,
		Target:        5e6,
		Encapsulation: linklayer.Encapsulation{Overhead: 22, Framing: linklayer.PTM},
		MemoryLimit:   4 << 20,
	}
}

// wanLink is a link in both directions.
func wanLink(upload, download linklayer.Rate) plan.Link {
	down := cake(download)
	down.Isolation, down.Ingress = plan.DualDsthost, true
	name := plan.IFBName("wan")
	return plan.Link{
		Interface: "wan",
		Egress: &plan.Shaper{
			Direction: linklayer.Egress,
			Qdisc:     plan.Qdisc{Link: "wan", Kind: "cake", Handle: plan.HandleOwned, Parent: plan.HandleRoot, Cake: cake(upload)},
		},
		Ingress: &plan.Shaper{
			Direction: linklayer.Ingress,
			Qdisc:     plan.Qdisc{Link: name, Kind: "cake", Handle: plan.HandleOwned, Parent: plan.HandleRoot, Cake: down},
			IFB:       &plan.IFB{Link: name, Alias: plan.OwnerAlias("wan", true), Up: true},
			Redirect: &plan.Filter{Link: "wan", Parent: plan.HandleIngressQdisc, Kind: "matchall",
				Priority: 10, Protocol: 3, Redirect: name},
		},
	}
}

// wanQueues is wanLink with an IFB that has three transmit queues.
func wanQueues(upload, download linklayer.Rate) plan.Link {
	link := wanLink(upload, download)
	link.Ingress.IFB.Queues = 3
	return link
}

// wanTree is wanLink with an HTB class and fq_codel below it.
func wanTree(upload, download linklayer.Rate) plan.Link {
	link := wanLink(upload, download)
	for _, s := range link.Shapers() {
		rate := s.Qdisc.Cake.Rate
		s.Qdisc.Kind, s.Qdisc.Cake, s.Qdisc.HTB = "htb", nil, &plan.HTB{Default: 1, DirectLimit: 1000}
		s.Qdisc.Stab = &plan.Stab{Overhead: -4, MPU: 64, MTU: 2047, Size: 2048}
		s.Classes = []*plan.Class{{Link: s.Qdisc.Link, Handle: plan.HandleOwned | 1, Parent: plan.HandleOwned,
			HTB: &plan.HTBClass{Rate: rate, Ceil: rate, Burst: 2000, CBurst: 2000, Quantum: 1514}}}
		s.Leaves = []*plan.Qdisc{{Link: s.Qdisc.Link, Kind: "fq_codel", Parent: plan.HandleOwned | 1, FQCodel: &plan.FQCodel{
			Limit: 1000, Flows: 1024, Quantum: 300, Target: 5 * time.Millisecond, Interval: 100 * time.Millisecond,
			MemoryLimit: 4 << 20, ECN: true, DropBatch: 64,
		}}}
	}
	return link
}

// otherTree differs in the size table and in what fq_codel has.
func otherTree(upload, download linklayer.Rate) plan.Link {
	link := wanTree(upload, download)
	for _, s := range link.Shapers() {
		s.Qdisc.Stab.Overhead, s.Qdisc.Stab.ATM = 10, true
		s.Leaves[0].FQCodel.Quantum, s.Leaves[0].FQCodel.MemoryLimit = 400, 2<<20
	}
	return link
}

// tieredTree has filters by DSCP.
func tieredTree(upload, download linklayer.Rate) plan.Link {
	link := wanTree(upload, download)
	for _, s := range link.Shapers() {
		s.Marks = &plan.Marks{Link: s.Qdisc.Link, Parent: plan.HandleOwned, Priority: 1, Rules: []plan.MarkRule{
			{Value: 0x40b80000, Mask: 0xf0fc0000, Class: plan.HandleOwned | 1},
			{Value: 0x6b800000, Mask: 0xffc00000, Class: plan.HandleOwned | 1},
		}}
	}
	return link
}

// sendPackets puts UDP packets of 200 bytes into a device's egress.
func sendPackets(t *testing.T, device string, n int) {
	t.Helper()
	sendSized(t, device, slices.Repeat([]int{200}, n)...)
}

// sendSized puts a UDP packet of each size, IP header included, into a
// device's egress.
func sendSized(t *testing.T, device string, sizes ...int) {
	t.Helper()
	for _, size := range sizes {
		kernellab.SendPackets(t, device, kernellab.UDPPacket(size))
	}
	time.Sleep(time.Second)
}
