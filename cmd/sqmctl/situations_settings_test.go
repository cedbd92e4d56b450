package main

import (
	"net"
	"os/exec"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// anew are tc's words for a qdisc at the root of a device that has counted
// nothing yet.
func anew(device, qdisc string) string {
	return "qdisc replace dev " + device + " root pfifo\nqdisc replace dev " + device + " root handle 8001: " + qdisc + "\n"
}

// byHand makes an IFB for the download and redirects to it.
func byHand(s *story) {
	s.Router.Batch("ip", "link add ifb4wan up type ifb\n")
	s.Router.Batch("tc", anew("wan", "cake bandwidth 9500kbit overhead 38")+anew("ifb4wan", "cake bandwidth 18mbit overhead 38 besteffort ingress")+
		"qdisc add dev wan ingress\nfilter add dev wan ingress protocol all matchall action mirred egress redirect dev ifb4wan\n")
}

// byHandIs is the judgement of what byHand made, which looks like sqm-scripts.
func byHandIs(up, down string) judgement {
	return judgement{"wan upload": "ok other-owner, " + up, "wan download": down}
}

var settingScenes = []scene{
	{name: "settings of CAKE", load: up(4, "cubic"), then: []situation{
		{name: "right ones", tc: anew("wan", "cake bandwidth 9500kbit overhead 38"), want: uploadAlone("ok engaged")},
		{name: "overhead in a table too", tc: anew("wan", "stab overhead 24 linklayer ethernet cake bandwidth 9500kbit overhead 38"), want: uploadAlone("error overhead-twice, ok engaged")},
		{name: "overhead in a table alone", tc: anew("wan", "stab overhead 24 linklayer ethernet cake bandwidth 9500kbit raw"), want: uploadAlone("ok engaged")},
		{name: "a table and overhead 0", tc: anew("wan", "stab overhead 24 linklayer ethernet cake bandwidth 9500kbit overhead 0"), want: uploadAlone("warning stab-overhead, ok engaged")},
		{name: "a table's overhead", tc: anew("wan", "cake bandwidth 9200kbit overhead -4"), want: uploadAlone("warning overhead-negative, ok engaged")},
		{name: "cable's overhead without its minimum", tc: anew("wan", "cake bandwidth 9200kbit overhead 18"), want: uploadAlone("notice mpu, ok engaged")},
		{name: "cable's overhead with its minimum", tc: anew("wan", "cake bandwidth 9200kbit overhead 18 mpu 64"), want: uploadAlone("ok engaged")},
		{name: "more than VDSL2 adds", tc: anew("wan", "cake bandwidth 9500kbit overhead 44 ptm"), want: uploadAlone("notice ptm-overhead, ok engaged")},
		{name: "what VDSL2 adds", tc: anew("wan", "cake bandwidth 9500kbit overhead 34 ptm"), want: uploadAlone("ok engaged")},
		{name: "the far end's hosts", tc: anew("wan", "cake bandwidth 9500kbit overhead 38 dual-dsthost"), want: uploadAlone("notice isolation, ok engaged")},
		{name: "the near end's hosts", tc: anew("wan", "cake bandwidth 9500kbit overhead 38 dual-srchost"), want: uploadAlone("ok engaged")},
		{name: "acknowledgements thinned on the way out", tc: anew("wan", "cake bandwidth 9500kbit overhead 38 ack-filter"), want: uploadAlone("ok engaged")},
		{name: "little memory", tc: anew("wan", "cake bandwidth 9500kbit overhead 38 memlimit 24k"), want: uploadAlone("warning memory-limit, ok engaged")},
		{name: "enough memory", tc: anew("wan", "cake bandwidth 9500kbit overhead 38 memlimit 1m"), want: uploadAlone("ok engaged")},
		{name: "a rate that moves", tc: anew("wan", "cake bandwidth 9500kbit overhead 38"), do: moveRate, want: uploadAlone("notice rate-moves, ok engaged")},
	}},
	{name: "settings of HTB", load: up(4, "cubic"), then: []situation{
		{name: "right ones", tc: anew("wan", "stab overhead 24 linklayer ethernet htb default 1") + htbClass("") + htbLeaf("fq_codel"), want: uploadAlone("ok engaged")},
		{name: "a frame's overhead for ATM", tc: anew("wan", "stab overhead 26 linklayer atm htb default 1") + htbClass("") + htbLeaf("fq_codel"), want: uploadAlone("ok engaged")},
		{name: "an IP packet's overhead for ATM", tc: anew("wan", "stab overhead 40 linklayer atm htb default 1") + htbClass("") + htbLeaf("fq_codel"), want: uploadAlone("notice stab-overhead, ok engaged")},
		{name: "a FIFO below", tc: anew("wan", "stab overhead 24 linklayer ethernet htb default 1") + htbClass(""), want: uploadAlone("warning fifo, ok engaged")},
		{name: "a short FIFO below", tc: anew("wan", "stab overhead 24 linklayer ethernet htb default 1") + htbClass("") + htbLeaf("pfifo limit 20"), want: uploadAlone("ok engaged")},
		{name: "a default that isn't there", tc: anew("wan", "stab overhead 24 linklayer ethernet htb default 99") + htbClass("") + htbLeaf("fq_codel"), want: uploadAlone("warning unclassified, error not-the-bottleneck")},
		{name: "a quantum at the kernel's bound", tc: anew("wan", "stab overhead 24 linklayer ethernet htb default 1") + htbClass(" quantum 200000") + htbLeaf("fq_codel"), want: uploadAlone("ok quantum, ok engaged")},
		{name: "little room in the queue", tc: anew("wan", "stab overhead 24 linklayer ethernet htb default 1") + htbClass("") + htbLeaf("fq_codel limit 4"), want: uploadAlone("warning memory-limit, ok engaged")},
	}},
	{name: "merged packets", begin: func(s *story) { s.Sender.Command("ip", "link", "set", "router", "gso_max_segs", "65535") }, load: up(4, "cubic"), then: []situation{
		{name: "in HTB", tc: anew("wan", "htb default 1") + "class add dev wan parent 8001: classid 8001:1 htb rate 2mbit burst 1600 cburst 1600\n" + htbLeaf("fq_codel"), want: uploadAlone("warning super-packets, ok engaged")},
		{name: "in a CAKE that leaves them", tc: anew("wan", "cake bandwidth 2mbit overhead 38 no-split-gso"), want: uploadAlone("notice super-packets, ok engaged")},
		{name: "in a CAKE that cuts them up", tc: anew("wan", "cake bandwidth 2mbit overhead 38 split-gso"), want: uploadAlone("ok engaged")},
	}},
	{name: "settings of the download", begin: byHand, load: down(4, "cubic"), then: []situation{
		{name: "right ones", want: byHandIs("ok idle", "ok engaged")},
		{name: "acknowledgements thinned on the way in", tc: anew("ifb4wan", "cake bandwidth 18mbit overhead 38 besteffort ingress ack-filter"), want: byHandIs("ok idle", "notice ack-filter, ok engaged")},
		{name: "the far end's hosts", tc: anew("ifb4wan", "cake bandwidth 18mbit overhead 38 besteffort ingress dual-srchost"), want: byHandIs("ok idle", "notice isolation, ok engaged")},
		{name: "the near end's hosts", tc: anew("ifb4wan", "cake bandwidth 18mbit overhead 38 besteffort ingress dual-dsthost"), want: byHandIs("ok idle", "ok engaged")},
		{name: "a guess at the rate", tc: anew("ifb4wan", "cake bandwidth 18mbit overhead 38 besteffort ingress autorate-ingress"), want: byHandIs("ok idle", "notice autorate-ingress, ok engaged")},
		{name: "an Mbit of 1024 kbit", tc: anew("ifb4wan", "cake bandwidth 18432kbit overhead 38 besteffort ingress") + anew("wan", "cake bandwidth 9216kbit overhead 38"), want: byHandIs("notice rate-units, ok idle", "ok engaged")},
		{name: "one rate that looks like it", tc: anew("ifb4wan", "cake bandwidth 18mbit overhead 38 besteffort ingress"), want: byHandIs("ok idle", "ok engaged")},
		{name: "more upload than download", tc: anew("ifb4wan", "cake bandwidth 5mbit overhead 38 besteffort ingress") + anew("wan", "cake bandwidth 18mbit overhead 38"), want: byHandIs("notice swapped, ok idle", "ok engaged")},
	}},
	{name: "each other's rate", profile: situationProfile(), then: []situation{
		{name: "in the place of the profile's", tc: "qdisc change dev wan root cake bandwidth 18mbit\nqdisc change dev ifb4wan root cake bandwidth 9500kbit\n", profile: true, want: judgement{"wan upload": "error swapped, ok idle", "wan download": "ok idle"}},
		{name: "the profile's", do: (*story).apply, profile: true, want: uploadIs("ok idle")},
	}},
	{name: "a device that the line isn't at", begin: func(s *story) { s.Router.Batch("ip", "link add spare up type dummy\n") }, then: []situation{
		{name: "shaped", tc: "qdisc add dev spare root cake bandwidth 5mbit\n", want: judgement{"spare upload": "notice never-used, ok idle"}},
		{name: "shaped as well", tc: "qdisc add dev wan root cake bandwidth 9mbit\n", want: judgement{"spare upload": "ok idle", "wan upload": "ok idle"}},
		{name: "packets that go round the qdisc", do: func(s *story) { sendAround(s, "spare") }, want: judgement{"spare upload": "warning never-used, ok idle", "wan upload": "ok idle"}},
		{name: "packets that go through it", do: func(s *story) { sendAlways(s, "spare") }, want: judgement{"spare upload": "ok idle", "wan upload": "ok idle"}},
	}},
}

func htbClass(more string) string {
	return "class add dev wan parent 8001: classid 8001:1 htb rate 9500kbit burst 1600 cburst 1600" + more + "\n"
}

func htbLeaf(qdisc string) string { return "qdisc add dev wan parent 8001:1 " + qdisc + "\n" }

// moveRate lets another program set the rate anew, twice a second.
func moveRate(s *story) {
	s.always(500*time.Millisecond, func(n int) {
		rate := []string{"9500kbit", "9200kbit"}[n%2]
		s.Router.In(func() {
			_ = exec.Command("tc", strings.Fields("qdisc change dev wan root cake bandwidth "+rate)...).Run()
		})
	})
}

// always does something again and again until the test ends.
func (s *story) always(every time.Duration, do func(n int)) {
	stop := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(every):
				do(n)
			}
		}
	})
	s.t.Cleanup(func() { close(stop); running.Wait() })
}

func sendAlways(s *story, device string) {
	s.always(100*time.Millisecond, func(int) { s.Router.SendIP(device, 500, 5) })
}

// sendAround sends past the qdisc of a device, as programs may.
func sendAround(s *story, device string) {
	s.Router.In(func() {
		fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
		if err == nil {
			err = unix.SetsockoptInt(fd, unix.SOL_PACKET, unix.PACKET_QDISC_BYPASS, 1)
		}
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { unix.Close(fd) })
		link, err := net.InterfaceByName(device)
		if err != nil {
			s.t.Fatal(err)
		}
		to := &unix.SockaddrLinklayer{Ifindex: link.Index}
		frame := append(make([]byte, 14), kernellab.UDPPacket(500)...)
		s.always(100*time.Millisecond, func(int) {
			for range 5 {
				_ = unix.Sendto(fd, frame, 0, to)
			}
		})
	})
}
