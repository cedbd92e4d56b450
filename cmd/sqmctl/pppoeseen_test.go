package main

import (
	"net/netip"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// What a qdisc sees of packets on a PPP device, and what of the same packets in
// PPPoE on the device below: there it still tells hosts apart, but doesn't see
// through NAT, reads no DSCP, drops what it would mark (ECN), and finds no
// acknowledgements.
func TestSeenOfPPPoEKernel(t *testing.T) {
	const onPPP, below = 0, 1
	for _, tt := range []struct {
		name  string
		qdisc string
		look  func(*story, string) int
		want  [2]func(int) bool
	}{
		{"hosts", "cake bandwidth 1mbit besteffort srchost", (*story).hostsSeen, [2]func(int) bool{onPPP: is(4), below: is(4)}},
		{"hosts behind NAT", "cake bandwidth 1mbit besteffort srchost nat", (*story).hostsSeenThroughNAT, [2]func(int) bool{onPPP: is(4), below: is(1)}},
		{"DSCP", "cake bandwidth 1mbit diffserv3", (*story).voiceSeen, [2]func(int) bool{onPPP: is(40), below: is(0)}},
		{"ECN in CAKE", "cake bandwidth 5mbit besteffort", (*story).marksSeen, [2]func(int) bool{onPPP: some, below: is(0)}},
		{"ECN in fq_codel", "tbf rate 5mbit burst 1600 limit 10000000", (*story).marksSeenBelowTBF, [2]func(int) bool{onPPP: some, below: is(0)}},
		{"acknowledgements", "cake bandwidth 200kbit besteffort ack-filter", (*story).acksSeen, [2]func(int) bool{onPPP: some, below: is(0)}},
	} {
		for i, place := range pppoePlaces {
			t.Run(tt.name+"/"+place, func(t *testing.T) {
				kernellab.Run(t, func(t *testing.T) {
					s := newPPPoEStory(t, place, "vdsl2-pppoe", "cake", 10*linklayer.Mbit, 10*linklayer.Mbit)
					s.Router.Batch("tc", "qdisc add dev "+place+" root handle 1: "+tt.qdisc+"\n")
					got := tt.look(s, place)
					t.Logf("%s on %s: %d", tt.name, place, got)
					if !tt.want[i](got) {
						t.Errorf("%s: %d are seen", tt.name, got)
					}
				})
			})
		}
	}
}

func is(want int) func(int) bool { return func(got int) bool { return got == want } }

func some(got int) bool { return got > 0 }

// hostsSeen is how many hosts CAKE tells apart of four.
func (s *story) hostsSeen(place string) int {
	s.t.Helper()
	for _, host := range []string{"10.0.1.11", "10.0.1.12", "10.0.1.13", "10.0.1.14"} {
		s.Sender.Command("ip", "address", "add", host+"/24", "dev", "router")
		s.burst(host, 0)
	}
	time.Sleep(10 * time.Millisecond)
	tin := s.tins(place)[0]
	return tin.SparseFlows + tin.BulkFlows
}

func (s *story) hostsSeenThroughNAT(place string) int {
	s.t.Helper()
	cmd := exec.Command("nft", "-f", "-")
	cmd.Stdin = strings.NewReader("table ip nat { chain post { type nat hook postrouting priority srcnat; oifname \"pppoe-wan\" masquerade; }; }\n")
	s.Router.In(func() {
		if out, err := cmd.CombinedOutput(); err != nil {
			s.t.Fatalf("nft: %v\n%s", err, out)
		}
	})
	return s.hostsSeen(place)
}

// voiceSeen is how many packets of forty that are marked EF are in the tin for
// calls.
func (s *story) voiceSeen(place string) int {
	s.t.Helper()
	const ef, voice = 46, 2
	s.burst("10.0.1.1", ef)
	time.Sleep(10 * time.Second)
	return int(s.tins(place)[voice].SentPackets)
}

// burst sends forty UDP packets from an address of the sender to the receiver.
func (s *story) burst(from string, dscp int) {
	s.t.Helper()
	s.Sender.In(func() {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			s.t.Fatal(err)
		}
		defer unix.Close(fd)
		if err := unix.SetsockoptInt(fd, unix.IPPROTO_IP, unix.IP_TOS, dscp<<2); err != nil {
			s.t.Fatal(err)
		}
		if err := unix.Bind(fd, inet(from, 0)); err != nil {
			s.t.Fatal(err)
		}
		for range 40 {
			if err := unix.Sendto(fd, make([]byte, 1000), 0, inet("10.0.4.2", 7000)); err != nil {
				s.t.Fatal(err)
			}
		}
	})
}

// ecnUpload runs an upload that understands marks.
func (s *story) ecnUpload() {
	s.Sender.Sysctl("net/ipv4/tcp_ecn", "1")
	s.Receiver.Sysctl("net/ipv4/tcp_ecn", "1")
	s.Upload(4, "cubic")
	time.Sleep(20 * time.Second)
}

// marksSeen is how many packets CAKE marked.
func (s *story) marksSeen(place string) int {
	s.t.Helper()
	s.ecnUpload()
	tin := s.tins(place)[0]
	if tin.Drops+tin.Marks == 0 {
		s.t.Error("CAKE had no reason to mark or drop")
	}
	return int(tin.Marks)
}

func (s *story) marksSeenBelowTBF(place string) int {
	s.t.Helper()
	s.Router.Batch("tc", "qdisc add dev "+place+" parent 1:1 handle 2: fq_codel ecn\n")
	s.ecnUpload()
	found := readState(s.t, s.Router)
	for _, q := range found.Device(place).Qdiscs {
		if q.Kind == "fq_codel" {
			if q.Stats.Drops+q.Stats.Marks == 0 {
				s.t.Error("fq_codel had no reason to mark or drop")
			}
			return int(q.Stats.Marks)
		}
	}
	s.t.Fatal("no fq_codel")
	return 0
}

// acksSeen is how many acknowledgements of a download CAKE thinned out.
func (s *story) acksSeen(place string) int {
	s.t.Helper()
	s.Download(1, "cubic")
	time.Sleep(20 * time.Second)
	return int(s.tins(place)[0].AcksDropped)
}

func (s *story) tins(device string) []plan.Tin {
	s.t.Helper()
	found := readState(s.t, s.Router)
	return found.Device(device).At(plan.HandleRoot).CakeStats.Tins
}

func inet(address string, port int) *unix.SockaddrInet4 {
	return &unix.SockaddrInet4{Port: port, Addr: netip.MustParseAddr(address).As4()}
}
