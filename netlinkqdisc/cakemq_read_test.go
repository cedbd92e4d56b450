package netlinkqdisc

import (
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
)

// cakeMQFile holds messages as Linux 7.2 sent them on a little-endian machine
// about a link with cake_mq each way, a line each, as messagesFile does.
const cakeMQFile = "testdata/cake_mq.txt"

func TestCaptureCakeMQKernel(t *testing.T) {
	kernellab.RunOn(t, kernellab.CakeMQ, func(t *testing.T) {
		script(t, wanWithQueues)
		k := open(t)
		mustApplyLink(t, k, wanCakeMQ())
		sendSpread(t, "wan", 200)
		s, err := k.snapshot()
		if err != nil {
			t.Fatal(err)
		}
		keepCaptures(t, cakeMQFile, captureLines(t, k, s))
		checkCakeMQ(t, s.state())
	})
}

// What a kernel with cake_mq says is read on any kernel.
func TestReadCakeMQ(t *testing.T) {
	s := &snapshot{}
	all := capturesIn(t, cakeMQFile)
	var labels []string
	for label := range all {
		labels = append(labels, label)
	}
	slices.Sort(labels) // as a map has no order, and neither has a dump
	for _, label := range labels {
		switch {
		case strings.HasPrefix(label, "link "):
			s.addLinks([][]byte{all[label]})
		case strings.HasPrefix(label, "qdisc "):
			m, err := parseMessage(all[label])
			if err != nil {
				t.Fatal(err)
			}
			s.qdiscs = append(s.qdiscs, m)
		}
	}
	s.names = nameLinks(s.links)
	found := s.state()
	checkCakeMQ(t, found)

	// Nothing differs from the plan, and nothing of it looks like another
	// program's.
	for i := range found.Devices {
		found.Devices[i].Up = true
	}
	link := wanCakeMQ()
	for _, shaper := range link.Shapers() {
		if d := plan.Differences(shaper, found.Device(shaper.Qdisc.Link)); len(d) > 0 {
			t.Errorf("%s: %+v", shaper.Direction, d)
		}
	}
	if owned := plan.Owned(found); !slices.Equal(owned, []string{"wan"}) {
		t.Errorf("sqmctl's are %q", owned)
	}
}

// checkCakeMQ expects wanCakeMQ, with packets in its upload.
func checkCakeMQ(t *testing.T, found plan.State) {
	t.Helper()
	if len(found.Unreadable) > 0 {
		t.Errorf("unreadable: %q", found.Unreadable)
	}
	wan, ifb := device(t, found, "wan"), device(t, found, "ifq4wan")
	if wan.TxQueues != 4 || ifb.TxQueues != 4 {
		t.Errorf("wan has %d queues, ifq4wan %d", wan.TxQueues, ifb.TxQueues)
	}
	root := wan.At(plan.HandleRoot)
	want := wanCakeMQ().Egress.Qdisc
	want.Link = "wan"
	if diff := cmp.Diff(want, root.Qdisc); diff != "" {
		t.Error(diff)
	}
	if got := wan.ShapedRate(); got != up {
		t.Errorf("shaped at %s", got)
	}
	checkSum(t, root)
	// Of an IFB the kernel itself sends a solicitation or two.
	if idle := ifb.At(plan.HandleRoot); len(idle.Queues) != 4 || idle.CakeStats == nil || idle.Stats.Packets > 5 {
		t.Errorf("ifq4wan: %+v", idle)
	}
}

// checkSum compares the kernel's own sums with those made here.
func checkSum(t *testing.T, root *plan.QdiscState) {
	t.Helper()
	if len(root.Queues) != 4 || root.CakeStats == nil {
		t.Fatalf("%d queues, statistics %+v", len(root.Queues), root.CakeStats)
	}
	var packets, bytes, tins uint64
	busy := 0
	for _, q := range root.Queues {
		packets, bytes = packets+q.Packets, bytes+q.Bytes
		if q.Packets > 0 {
			busy++
		}
	}
	for _, tin := range root.CakeStats.Tins {
		tins += tin.SentPackets
	}
	if packets < 200 || packets != root.Stats.Packets || bytes != root.Stats.Bytes || tins != packets || busy < 2 {
		t.Errorf("the root has %d packets, %d bytes; its queues %d and %d, %d of them busy; their tins %d packets",
			root.Stats.Packets, root.Stats.Bytes, packets, bytes, busy, tins)
	}
	c := root.CakeStats
	if len(c.Tins) != 4 || c.AverageNetworkOffset < 1 || c.AverageNetworkOffset > 14 || c.MaxNetworkLength != 200 || c.MinAdjustedLength < 22+22 || c.MemoryLimit != 4*4<<20 {
		t.Errorf("%+v", c)
	}
}

// sendSpread puts UDP packets of 200 bytes from many hosts into a device's
// egress, so that the kernel spreads them over its queues.
func sendSpread(t *testing.T, device string, n int) {
	t.Helper()
	dev, err := net.InterfaceByName(device)
	if err != nil {
		t.Fatal(err)
	}
	socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(socket)
	to := &unix.SockaddrLinklayer{Ifindex: dev.Index, Protocol: 0x0008, Halen: 6, Addr: [8]byte{2, 2, 2, 2, 2, 2}}
	for i := range n {
		packet := make([]byte, 200)
		copy(packet, []byte{0x45, 0, 0, 200, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, byte(i), 192, 0, 2, 2})
		if err := unix.Sendto(socket, packet, 0, to); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(time.Second)
}
