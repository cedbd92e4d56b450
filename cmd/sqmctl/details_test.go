package main

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// detail is what a script of tc's makes on wan, what is sent there while doctor
// looks, and the finding that this is, or that it isn't.
type detail struct {
	name     string
	script   string
	send     func(*router)
	code     string
	severity string // "" if it must not be found
	says     string
}

// Settings of a shaper that are wrong, or that look so, as the kernel shows them.
func TestDetailsKernel(t *testing.T) {
	many := func(r *router) { r.SendIP("wan", 1400, 500) }
	one := func(r *router) { r.SendIP("wan", 1400, 1) }
	const (
		cake  = "qdisc add dev wan root cake "
		tree  = "qdisc add dev wan root handle 1: htb default %s\nclass add dev wan parent 1: classid 1:10 htb rate %s quantum 1514\n"
		queue = "qdisc add dev wan parent 1:10 "
	)
	tenMbit := fmt.Sprintf(tree, "10", "10mbit")
	for _, d := range []detail{
		{"overhead 0 beside a table", "qdisc add dev wan root stab overhead 26 linklayer atm cake bandwidth 10mbit overhead 0\n", one, "stab-overhead", "warning", "14 bytes"},
		{"raw beside a table", "qdisc add dev wan root stab overhead 26 linklayer atm cake bandwidth 10mbit raw\n", one, "stab-overhead", "", ""},
		{"IP's figure in a table", "qdisc add dev wan root handle 1: stab overhead 40 linklayer atm htb default 10\n", one, "stab-overhead", "notice", "40 − 14 = 26"},
		{"a frame's figure in a table", "qdisc add dev wan root handle 1: stab overhead 26 linklayer atm htb default 10\n", one, "stab-overhead", "", ""},
		{"cable without mpu", cake + "bandwidth 10mbit noatm overhead 18\n", one, "mpu", "notice", "58 instead of 64"},
		{"cable", cake + "bandwidth 10mbit docsis\n", one, "mpu", "", ""},
		{"autorate on the way out", cake + "bandwidth 10mbit autorate-ingress\n", one, "autorate-ingress", "warning", "out"},
		{"no room in CAKE", cake + "bandwidth 1mbit memlimit 8kb\n", many, "memory-limit", "warning", "raise its memlimit"},
		{"room in CAKE", cake + "bandwidth 1mbit\n", many, "memory-limit", "", ""},
		{"no room in fq_codel", tenMbit + queue + "fq_codel limit 20\n", many, "memory-limit", "warning", "raise its limit"},
		{"no memory in fq_codel", tenMbit + queue + "fq_codel memory_limit 30kb\n", many, "memory-limit", "warning", "raise its memory_limit"},
		{"room in fq_codel", tenMbit + queue + "fq_codel\n", many, "memory-limit", "", ""},
		{"a default that is no class", fmt.Sprintf(tree, "20", "10mbit") + queue + "fq_codel\n", many, "unclassified", "warning", "500 of 500 packets"},
		{"a default that is a class", tenMbit + queue + "fq_codel\n", many, "unclassified", "", ""},
		{"the FIFO of a class", tenMbit, many, "fifo", "warning", "a FIFO that the kernel doesn't show, of 1000 packets"},
		{"a pfifo", tenMbit + queue + "pfifo limit 500\n", many, "fifo", "warning", "pfifo of 500 packets"},
		{"a bfifo", tenMbit + queue + "bfifo limit 757000\n", many, "fifo", "warning", "bfifo of 500 packets"},
		{"a short pfifo", tenMbit + queue + "pfifo limit 10\n", one, "fifo", "", ""},
		{"fq_codel below a class", tenMbit + queue + "fq_codel\n", many, "fifo", "", ""},
		{"a quantum of the kernel's", "qdisc add dev wan root handle 1: htb default 10\nclass add dev wan parent 1: classid 1:10 htb rate 100mbit\n", one, "quantum", "ok", "200000 bytes"},
		{"a small quantum of the kernel's", "qdisc add dev wan root handle 1: htb default 10\nclass add dev wan parent 1: classid 1:10 htb rate 50kbit\n", one, "quantum", "ok", "1000 bytes"},
		{"a quantum of a packet", tenMbit, one, "quantum", "", ""},
		{"nothing sent", cake + "bandwidth 10mbit\n", nil, "never-used", "", ""},
		{"sent round the qdisc", cake + "bandwidth 10mbit\n", (*router).sendRound, "never-used", "warning", "wan sent 50 packets meanwhile"},
		{"sent through the qdisc", cake + "bandwidth 10mbit\n", many, "never-used", "", ""},
		{"a burst at fine timers", "qdisc add dev wan root handle 1: htb default 10\nclass add dev wan parent 1: classid 1:10 htb rate 1mbit burst 1600b cburst 1600b\n" + queue + "fq_codel\n", many, "burst", "", ""},
	} {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			kernellab.Run(t, func(t *testing.T) { newRouter(t, "").detailed(&d) })
		})
	}
}

// detailed makes the detail and asks doctor, who has no profile.
func (r *router) detailed(d *detail) {
	r.t.Helper()
	if err := os.Setenv("SQMCTL_PROFILE", ""); err != nil {
		r.t.Fatal(err)
	}
	r.Batch("tc", d.script)
	r.wantDetail(d)
}

func (r *router) wantDetail(d *detail) {
	r.t.Helper()
	var send func()
	if d.send != nil {
		send = func() {
			time.Sleep(time.Second) // doctor has looked once by then
			d.send(r)
		}
	}
	findings := r.doctor(send, "wan")
	i := slices.IndexFunc(findings, func(f findingJSON) bool { return string(f.Code) == d.code && f.Direction == "upload" })
	switch {
	case d.severity == "" && i >= 0:
		r.t.Errorf("found although all is well: %+v", findings[i])
	case d.severity == "":
	case i < 0:
		r.t.Errorf("no %s: %+v", d.code, findings)
	default:
		f := findings[i]
		if words := f.Text + f.Advice + strings.Join(f.Evidence, "\n"); f.Severity != d.severity || !strings.Contains(words, d.says) {
			r.t.Errorf("says %s: %s, should be %s and say %q", f.Severity, words, d.severity, d.says)
		}
	}
}

// sendRound sends packets past the qdisc, as hardware does that forwards by
// itself.
func (r *router) sendRound() {
	r.In(func() {
		const bypass = 20 // PACKET_QDISC_BYPASS
		wan, err := net.InterfaceByName("wan")
		if err != nil {
			r.t.Fatal(err)
		}
		socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			r.t.Fatal(err)
		}
		defer unix.Close(socket)
		if err := unix.SetsockoptInt(socket, unix.SOL_PACKET, bypass, 1); err != nil {
			r.t.Fatal(err)
		}
		to := &unix.SockaddrLinklayer{Protocol: 0x0008, Ifindex: wan.Index, Halen: 6, Addr: [8]byte{255, 255, 255, 255, 255, 255}}
		for range 50 {
			if err := unix.Sendto(socket, kernellab.UDPPacket(1000), 0, to); err != nil {
				r.t.Fatal(err)
			}
		}
	})
}

// CAKE starts its lengths anew with an overhead, and with nothing else: those
// of before stand among the new ones.
func TestLengthsOfBeforeKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		r := newRouter(t, "")
		look := detail{code: "overhead-lengths", send: func(r *router) { r.SendIP("wan", 40, 20); r.SendIP("wan", 1500, 20) }}
		r.detailed(&detail{code: look.code, send: look.send, script: "qdisc add dev wan root cake bandwidth 20mbit noatm overhead 18\n"})
		r.Batch("tc", "qdisc change dev wan root cake mpu 64\n")
		r.wantDetail(&detail{code: look.code, send: look.send, severity: "notice", says: "tc qdisc change dev wan root cake overhead 18"})
		r.Batch("tc", "qdisc change dev wan root cake overhead 18\n") // the advice
		r.wantDetail(&detail{code: look.code})
		r.wantDetail(&look)
		r.wantLengths("wan", lengths{40, 1500, 64, 1518})
	})
}

// With timers that come every 10 ms an HTB reaches no more than a burst in each,
// rounded up to whole packets.
func TestBurstKernel(t *testing.T) {
	kernellab.RunCoarse(t, func(t *testing.T) {
		r := newRouter(t, "")
		flood := func(r *router) { r.SendIP("wan", 1500, 2000) }
		const tree = "qdisc replace dev wan root handle %d: htb default 1\nclass add dev wan parent %[1]d: classid %[1]d:1 htb rate 10mbit burst %[2]db cburst %[2]db quantum 1514\nqdisc add dev wan parent %[1]d:1 fq_codel\n"
		r.detailed(&detail{code: "burst", script: fmt.Sprintf(tree, 1, 1600), send: flood, severity: "warning", says: "reached 24 % of its rate"})
		r.Batch("tc", "qdisc del dev wan root\n"+fmt.Sprintf(tree, 2, 12_500)) // the advice
		flood = func(r *router) { r.SendIP("wan", 1500, 8000) }
		r.wantDetail(&detail{code: "burst", send: flood})
		r.wantDetail(&detail{code: "engaged", send: flood, severity: "ok", says: "99"})
	})
}

// Where CAKE is the default qdisc, an mq has one below each queue that nobody
// gave a rate.
func TestDefaultCakeKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		if err := os.WriteFile("/proc/sys/net/core/default_qdisc", []byte("cake"), 0); err != nil {
			t.Fatal(err)
		}
		r := newRouter(t, "")
		r.Batch("ip", "link del wan\nlink add wan numtxqueues 4 type veth peer name far\nlink set wan up\nlink set far up\n")
		time.Sleep(3 * time.Second)
		r.detailed(&detail{code: "no-shaper", script: "qdisc add dev wan root handle 7: mq\n", severity: "error", says: "a CAKE for each of 4 queues"})
		r.Batch("tc", "qdisc replace dev wan parent 7:1 cake bandwidth 10mbit\n")
		r.wantDetail(&detail{code: "no-shaper"})
	})
}

// Packets that a sender cuts up late go through fq_codel in one piece, and CAKE
// cuts them.
func TestSuperPacketsKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		s := newStory(t, rightProfile)
		r := &router{s.Router, s.Modem, t}
		s.Router.Batch("ip", "link set wan gso_max_segs 65535\nlink set lan gso_max_segs 65535\n")
		s.Sender.Batch("ip", "link set router gso_max_segs 65535\n")
		s.Upload(4, "cubic")
		const tree = "qdisc add dev wan root handle 1: htb default 1\nclass add dev wan parent 1: classid 1:1 htb rate 1mbit quantum 1514\nqdisc add dev wan parent 1:1 fq_codel\n"
		r.detailed(&detail{code: "super-packets", script: tree, severity: "warning", says: "ethtool -K wan gro off"})
		s.Router.Batch("tc", "qdisc del dev wan root\nqdisc add dev wan root cake bandwidth 1mbit no-split-gso\n")
		r.wantDetail(&detail{code: "super-packets", severity: "notice", says: "set split-gso"})
		s.Router.Batch("tc", "qdisc del dev wan root\nqdisc add dev wan root cake bandwidth 1mbit\n")
		r.wantDetail(&detail{code: "super-packets"})
		if q := r.device("wan").At(plan.HandleRoot); q.Stats.Packets < 500 || q.CakeStats.MaxNetworkLength > 1514 {
			t.Errorf("CAKE saw %+v", q.CakeStats)
		}
		s.Router.Batch("tc", "qdisc del dev wan root\n"+strings.Replace(tree, "1mbit", "900mbit", 1))
		r.wantDetail(&detail{code: "super-packets", severity: "ok", says: "harmless"})
	})
}

// CAKE takes off just the link header that each device has: none on PPP and on the
// IFB of its download, and Ethernet's below that.
func TestHeadersOfPPPoEKernel(t *testing.T) {
	for i, place := range pppoePlaces {
		t.Run(place, func(t *testing.T) {
			kernellab.Run(t, func(t *testing.T) {
				s := newPPPoEStory(t, place, "vdsl2-pppoe", "cake", 5*linklayer.Mbit, 5*linklayer.Mbit)
				s.apply()
				s.Upload(2, "cubic")
				s.Download(2, "cubic")
				time.Sleep(10 * time.Second)
				if said := s.wantDoctor(statusFine, "upload: ok: engaged", "-p", s.profile); strings.Contains(said, "overhead") {
					t.Error("doctor finds an overhead wrong")
				}
				r := &router{s.Router, s.Modem, t}
				for _, device := range []string{place, plan.IFBName(place)} {
					q := r.device(device).At(plan.HandleRoot)
					if q.Stats.Packets < 2000 || q.CakeStats.AverageNetworkOffset != []int{0, 14}[i] {
						t.Errorf("%s: %d packets, a header of %d bytes", device, q.Stats.Packets, q.CakeStats.AverageNetworkOffset)
					}
				}
			})
		})
	}
}
