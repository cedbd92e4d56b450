package netlinkqdisc

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

var update = flag.Bool("update", false, "write the files of messages in testdata anew, from real kernels")

// messagesFile holds messages as Linux 6.12 sent them on a little-endian
// machine, a line each: what it is, and its bytes in hexadecimal.
const messagesFile = "testdata/messages.txt"

// busyBox is a router with other people's objects of many kinds.
const busyBox = wanAndLan + `
	ip link add many numtxqueues 3 type dummy
	ip link set many up
	ip link add bridge type bridge
	ip link add link wan name wan.7 type vlan id 7
	ip link set lan master bridge
	ip link add ifb4wan type ifb
	ip link set ifb4wan alias mine
	tc qdisc add dev wan root handle 7371: cake bandwidth 19mbit diffserv4 dual-srchost nat wash ack-filter rtt 30ms overhead -4 mpu 64 ptm memlimit 5mb fwmark 0xf0
	tc qdisc add dev wan ingress
	tc filter add dev wan parent ffff: protocol all prio 10 matchall action mirred egress redirect dev ifb4wan
	tc filter add dev wan parent ffff: protocol ipv6 prio 20 u32 match ip6 dst fd00::/8 action mirred egress mirror dev lan
	tc filter add dev wan parent ffff: protocol all prio 30 u32 match u32 0 0 action pass action mirred egress redirect dev ifb4wan
	tc filter add dev wan parent ffff: protocol ip prio 40 flower ip_proto udp action drop
	tc filter add dev wan parent ffff: protocol all prio 50 chain 7 matchall action drop
	tc qdisc add dev lan root handle 1: stab linklayer atm overhead -4 mtu 2047 htb default 0x10
	tc class add dev lan parent 1: classid 1:1 htb rate 40gbit
	tc class add dev lan parent 1:1 classid 1:10 htb rate 5mbit ceil 10mbit prio 1
	tc qdisc add dev lan parent 1:10 handle 110: fq_codel limit 1000
	tc class add dev lan parent 1:1 classid 1:20 htb rate 2mbit
	tc qdisc add dev lan parent 1:20 handle 120: netem delay 10ms
	tc qdisc add dev lan clsact
	tc filter add dev lan ingress protocol all prio 1 matchall action police rate 1mbit burst 10k drop
	tc qdisc add dev many root handle 2: mq
	tc qdisc add dev many parent 2:1 handle 21: fq
	tc qdisc replace dev ifb4wan root handle 3: cake besteffort raw
`

func TestCaptureKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, busyBox)
		sendPackets(t, "wan", 50)
		sendPackets(t, "lan", 50)
		k := open(t)
		if found := read(t, k); len(found.Devices) < 6 {
			t.Errorf("only %d devices", len(found.Devices))
		}
		s, err := k.snapshot()
		if err != nil {
			t.Fatal(err)
		}
		keepCaptures(t, messagesFile, captureLines(t, k, s))
	})
}

// keepCaptures writes messages anew, or checks that the file has some of the
// same objects.
func keepCaptures(t *testing.T, file, lines string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(lines), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(lines) {
		label := line[:strings.LastIndex(line, " ")]
		if _, ok := capturesIn(t, file)[label]; !ok {
			t.Errorf("%s has no %q; run the test with -update", file, label)
		}
	}
}

// captureLines are the messages about the devices that the script made.
func captureLines(t *testing.T, k *Kernel, s *snapshot) string {
	t.Helper()
	var all strings.Builder
	ours := func(index uint32) bool {
		return slices.Contains([]string{"wan", "lan", "many", "bridge", "wan.7", "ifb4wan", "ifq4wan"}, s.names.of(index))
	}
	line := func(object string, m message, more string) {
		if ours(m.index) {
			fmt.Fprintf(&all, "%s %s %s%s %x\n", object, s.names.of(m.index), m.kind, more, m.raw)
		}
	}
	links, err := k.dump(unix.RTM_GETLINK, make([]byte, linkHeader))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range links {
		if l, _ := readLink(b); ours(l.index) {
			fmt.Fprintf(&all, "link %s %x\n", l.device.Name, b)
		}
	}
	for _, m := range s.qdiscs {
		line("qdisc", m, fmt.Sprintf(" %v parent %v", m.handle, m.parent))
	}
	for _, m := range s.classes {
		line("class", m, " "+m.handle.String())
	}
	for _, l := range s.filters {
		for _, m := range l.messages {
			line("filter", m, fmt.Sprintf(" prio %d handle %x", m.info>>16, uint32(m.handle)))
		}
	}
	return all.String()
}

// captures are the captured messages by what they are.
func captures(t testing.TB) map[string][]byte {
	t.Helper()
	return capturesIn(t, messagesFile)
}

func capturesIn(t testing.TB, file string) map[string][]byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for line := range strings.Lines(string(text)) {
		at := strings.LastIndex(line, " ")
		b, err := hex.DecodeString(strings.TrimSpace(line[at:]))
		if err != nil {
			t.Fatal(err)
		}
		all[line[:at]] = b
	}
	return all
}

// captured is one captured message, which must be there.
func captured(t *testing.T, label string) []byte {
	t.Helper()
	b, ok := captures(t)[label]
	if !ok {
		t.Fatalf("%s has no %q", messagesFile, label)
	}
	return b
}

// capturedMessage is one about a qdisc, class or filter.
func capturedMessage(t *testing.T, label string) *message {
	t.Helper()
	m, err := parseMessage(captured(t, label))
	if err != nil {
		t.Fatal(err)
	}
	return &m
}

// capturedNames are the devices that captured messages are about.
func capturedNames(t *testing.T) names {
	t.Helper()
	var links []link
	for label, b := range captures(t) {
		if strings.HasPrefix(label, "link ") {
			l, err := readLink(b)
			if err != nil {
				t.Fatal(err)
			}
			links = append(links, l)
		}
	}
	return nameLinks(links)
}
