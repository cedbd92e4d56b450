package main

import (
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
)

const restoringProfile = `restore_dscp = true`

// saveMarks is the rule of docs/profile.md: what goes out tells its connection's
// mark its DSCP.
const saveMarks = `table inet marks {
	chain out {
		type filter hook postrouting priority mangle
		oifname "wan" ct mark set ip dscp map { cs1 : 0x88, 44 : 0xac, ef : 0xae, cs6 : 0xb0, cs7 : 0xb8 }
		oifname "wan" ct mark set ip6 dscp map { cs1 : 0x88, 44 : 0xac, ef : 0xae, cs6 : 0xb0, cs7 : 0xb8 }
	}
}
`

// An answer that comes without a mark has, behind the redirect, the one of what
// it answers, and goes into that tin or class. One that nobody asked for stays as
// it is.
func TestRestoreDSCP(t *testing.T) {
	for _, qdisc := range []string{"cake", "fq_codel"} {
		t.Run(qdisc, func(t *testing.T) {
			kernellab.Run(t, func(t *testing.T) {
				r := newRouter(t, profileOf("ethernet", "50 Mbit/s", "20 Mbit/s", restoringProfile, `qdisc = "`+qdisc+`"`))
				r.feed(saveMarks, "nft", "-f", "-")
				r.apply()
				const ef, cs1, none = 46, 8, 0
				r.answered(none) // so that ARP is done
				for _, dscp := range []int{ef, cs1, none} {
					before := r.inTiers("ifb4wan")
					if got := r.answered(dscp); got != dscp {
						t.Errorf("the answer to DSCP %d arrives with %d", dscp, got)
					}
					after := r.inTiers("ifb4wan")
					want := map[int]int{ef: 1, none: 0, cs1: 2}[dscp]
					for tier := range after {
						if raised := after[tier] > before[tier]; raised != (tier == want) {
							t.Errorf("DSCP %d: tier %d went from %d to %d packets", dscp, tier, before[tier], after[tier])
						}
					}
				}
			})
		})
	}
}

// feed runs a command with an input.
func (r *router) feed(input, name string, args ...string) {
	r.t.Helper()
	r.In(func() { command(r.t, input, name, args...) })
}

// inTiers is how many packets have gone to best effort, voice and bulk.
func (r *router) inTiers(device string) (all [3]uint64) {
	r.t.Helper()
	found := r.state()
	d := found.Device(device)
	if stats := d.At(plan.HandleRoot).CakeStats; stats != nil {
		return [3]uint64{stats.Tins[1].SentPackets, stats.Tins[2].SentPackets, stats.Tins[0].SentPackets}
	}
	for _, c := range d.Classes {
		if minor := c.Handle.Minor(); minor > 1 {
			all[minor-2] = c.Stats.Packets
		}
	}
	return all
}

// answered sends a datagram with a DSCP, has it answered without, and returns
// the DSCP with which the answer arrives.
func (r *router) answered(dscp int) int {
	r.t.Helper()
	var server, client *net.UDPConn
	var err error
	r.line.In(func() { server, err = net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(192, 0, 2, 2), Port: 5001}) })
	if err != nil {
		r.t.Fatal(err)
	}
	defer server.Close()
	r.In(func() { client, err = net.DialUDP("udp4", nil, &net.UDPAddr{IP: net.IPv4(192, 0, 2, 2), Port: 5001}) })
	if err != nil {
		r.t.Fatal(err)
	}
	defer client.Close()
	raw, err := client.SyscallConn()
	if err != nil {
		r.t.Fatal(err)
	}
	raw.Control(func(fd uintptr) {
		unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_TOS, dscp<<2)
		unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_RECVTOS, 1)
	})
	client.Write([]byte("call"))
	buffer, control := make([]byte, 100), make([]byte, 100)
	server.SetDeadline(time.Now().Add(10 * time.Second))
	client.SetDeadline(time.Now().Add(10 * time.Second))
	_, from, err := server.ReadFromUDP(buffer)
	if err != nil {
		r.t.Fatal(err)
	}
	server.WriteToUDP([]byte("answer"), from)
	_, n, _, _, err := client.ReadMsgUDP(buffer, control)
	if err != nil {
		r.t.Fatal(err)
	}
	messages, err := syscall.ParseSocketControlMessage(control[:n])
	if err != nil || len(messages) != 1 || len(messages[0].Data) == 0 {
		r.t.Fatalf("no TOS with the answer: %v", err)
	}
	return int(messages[0].Data[0]) >> 2
}

// Marks are restored, no more, or again, by changing the profile: what else is
// installed stays as it is, and no packet finds no way in.
func TestRestoreDSCPComesAndGoes(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		plain := profileOf("ethernet", "50 Mbit/s", "20 Mbit/s", `diffserv = "diffserv3"`, `wash = false`)
		r := newRouter(t, plain)
		r.apply()
		without := r.dump()
		r.write(plain + restoringProfile + "\n")
		for range 2 {
			if o := r.must("apply"); !strings.Contains(o, "create filter matchall prio 9 on wan, restores DSCP, redirects to ifb4wan\n  delete filter matchall prio 10") {
				t.Errorf("apply says\n%s", o)
			}
			if n := r.apply(); n != 0 {
				t.Errorf("a second apply sent %d requests", n)
			}
			r.write(plain)
			r.apply()
			r.wantAlike("without again", without)
			r.write(plain + restoringProfile + "\n")
		}
	})
}
