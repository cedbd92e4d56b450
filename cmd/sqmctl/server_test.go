package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
)

// serverProfile is a profile for wan as a server's device.
func serverProfile(more ...string) string {
	return "schema = 1\n[[link]]\ninterface = \"wan\"\nrole = \"server\"\n" + strings.Join(more, "\n") + "\n"
}

// newServer is a router whose wan has so many transmit queues.
func newServer(t *testing.T, queues int, profile string) *router {
	r := newRouter(t, profile)
	if queues > 1 {
		r.Command("ip", "link", "del", "wan")
		r.Batch("ip", fmt.Sprintf("link add wan numtxqueues %d type veth peer name far\nlink set wan up\nlink set far up\n", queues))
		time.Sleep(3 * time.Second)
	}
	return r
}

// As TestOracleKernel, for servers, and on devices with several transmit queues:
// what apply makes is what tc makes of plan's words, a second apply does nothing,
// and remove leaves the device as it was.
func TestServerOracleKernel(t *testing.T) {
	for _, p := range []struct {
		name    string
		queues  int
		profile string
	}{
		{"fq", 1, serverProfile()},
		{"fq_codel", 1, serverProfile(`qdisc = "fq_codel"`)},
		{"fq on four queues", 4, serverProfile()},
		{"fq_codel on four queues", 4, serverProfile(`qdisc = "fq_codel"`)},
		{"a line on four queues", 4, profileOf("docsis", "off", "50 Mbit/s")},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			kernellab.Run(t, func(t *testing.T) { newServer(t, p.queues, p.profile).checkOracle() })
		})
	}
}

// A device is a line's, then a server's, then a line's again: each time as if it
// had never been anything else, and it goes on sending.
func TestLineToServerAndBackKernel(t *testing.T) {
	line := profileOf("docsis", "100 Mbit/s", "50 Mbit/s")
	for _, queues := range []int{1, 4} {
		for _, server := range []string{serverProfile(), serverProfile(`qdisc = "fq_codel"`)} {
			kind := "fq"
			if strings.Contains(server, "fq_codel") {
				kind = "fq_codel"
			}
			t.Run(fmt.Sprintf("%s, %d queues", kind, queues), func(t *testing.T) {
				t.Parallel()
				kernellab.Run(t, func(t *testing.T) {
					r := newServer(t, queues, line)
					fresh := r.dump()
					r.apply()
					shaped := r.dump()
					r.mustSend()
					for range 2 {
						r.write(server)
						r.apply()
						if again := r.apply(); again != 0 {
							t.Errorf("a second apply sent %d requests", again)
						}
						r.mustSend()
						r.wantServer(kind, queues)
						r.write(line)
						r.apply()
						r.wantAlike("a line again", shaped)
						r.mustSend()
					}
					r.write(server)
					r.apply()
					r.remove()
					r.wantSame("after remove", fresh)
				})
			})
		}
	}
}

// mustSend sends through wan's root qdisc and expects that all of it leaves: it
// is so little that CAKE, too, keeps it below its target.
func (r *router) mustSend() {
	r.t.Helper()
	const packets = 40
	before := readState(r.t, r.Namespace)
	r.SendIP("wan", 500, packets)
	time.Sleep(5 * time.Second)
	after := readState(r.t, r.Namespace)
	if sent := after.Device("wan").Counters.TxPackets - before.Device("wan").Counters.TxPackets; sent < packets {
		r.t.Errorf("%d of %d packets left", sent, packets)
	}
}

// wantServer expects nothing on the way in, fq or fq_codel on the way out, and
// status and doctor to say so.
func (r *router) wantServer(kind string, queues int) {
	r.t.Helper()
	found := readState(r.t, r.Namespace)
	wan := found.Device("wan")
	if found.Device("ifb4wan") != nil || wan.At(plan.HandleIngress) != nil {
		r.t.Error("the download is still redirected")
	}
	n := 0
	for _, q := range wan.Qdiscs {
		if q.Kind == kind {
			n++
		}
	}
	if n != queues {
		r.t.Errorf("%d of %d queues have %s", n, queues, kind)
	}
	words := []string{"wan upload: server (wan, by sqmctl)"}
	if queues > 1 {
		words = append(words, "handle 7372: mq\n", fmt.Sprintf("queue %d: %s, ", queues, kind))
	}
	status := r.says(statusFine, words, "status", "wan")
	if strings.Contains(status, "download") || kind == "fq" && strings.Count(status, "waiting for their time") != queues {
		r.t.Errorf("status:\n%s", status)
	}
	r.says(statusFine, []string{"wan upload: ok: server\n", kind + ", "}, "doctor", "--for", "1s", "wan")
	r.profileGone(func() { r.says(statusFine, []string{"wan upload: ok: server\n"}, "doctor", "--for", "1s", "wan") })
}

// Doctor sees that nothing was applied, that a queue was changed, that BBR has
// no fq, and a FIFO that is too long.
func TestServerDoctorKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		r := newServer(t, 4, serverProfile())
		doctor := []string{"doctor", "--for", "1s"}
		r.says(statusFindings, []string{"wan upload: error: not applied", "wan should have mq at its root and has noqueue"}, doctor...)
		r.apply()
		r.Sysctl("net/ipv4/tcp_congestion_control", "bbr")
		r.says(statusFine, []string{"wan upload: ok: server\n", "one for each of 4 queues"}, doctor...)
		r.Command("tc", "qdisc", "change", "dev", "wan", "parent", "7371:3", "fq", "nopacing")
		r.says(statusFindings, []string{"wan upload: warning: not as planned", "pacing is nopacing, the profile says pacing"}, doctor...)
		r.write(serverProfile(`qdisc = "fq_codel"`))
		r.apply()
		r.Command("ip", "link", "add", "old", "txqueuelen", "10000", "type", "dummy")
		r.Command("ip", "link", "set", "old", "up")
		r.Command("tc", "qdisc", "add", "dev", "old", "root", "pfifo_fast")
		r.says(statusFine, []string{
			"wan upload: ok: server\n", "wan upload: notice: pacing\n", "TCP uses bbr",
			"wan upload: notice: queue length\n", "old: pfifo_fast of up to 10000 packets",
		}, doctor...)
	})
}

// BBR on a host with fq: fq keeps its pace, and doctor counts how often.
func TestServerPacesKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		s := newStory(t, strings.Replace(serverProfile(), `"wan"`, `"router"`, 1)) // as the sender calls its device
		s.Router = s.Sender                                                        // where sqmctl is run
		s.apply()
		s.Upload(1, "bbr")
		time.Sleep(5 * time.Second)
		const count = "a flow had to wait for its time "
		text := s.wantDoctor(statusFine, "router upload: ok: server", "-p", s.profile)
		_, times, _ := strings.Cut(text, count)
		if n, _ := strconv.Atoi(strings.Fields(times + " 0")[0]); n < 1000 {
			t.Errorf("fq paced %d times", n)
		}
	})
}
