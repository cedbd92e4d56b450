package netlinkqdisc

import (
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// probeSize is the IP size of the packets with which look looks.
const probeSize = 300

// mostProbed is the rate above which what may leave at once is too much to send.
const mostProbed = 220 * linklayer.Mbit

// look sends a packet alone, which must come through, and then more at one instant
// than any shaper lets go at once: with no shaper in their way all would go. It
// does so in each direction that is shaped before and after.
func (w *walk) look(when string, was, wanted *plan.Link) {
	w.t.Helper()
	w.probes++
	if !w.sends { // there is nobody to count what comes out
		return
	}
	if burst, ok := w.worst(was.Egress, wanted.Egress); ok {
		w.burst(when+": upload", "wan", "wan", burst, func() int { return int(w.counters("lan").RxPackets) })
	}
	if burst, ok := w.worst(was.Ingress, wanted.Ingress); ok {
		ifb := w.redirected()
		w.burst(when+": download", w.far, ifb, burst, func() int { return int(w.counters(ifb).TxPackets) })
	}
}

// worst is how many packets either of two shapers lets go at once; a server's
// isn't one.
func (w *walk) worst(a, b *plan.Shaper) (burst int, ok bool) {
	for _, s := range []*plan.Shaper{a, b} {
		if s == nil || s.Rate() == 0 || s.Rate() > mostProbed {
			return 0, false
		}
		burst = max(burst, 2*max(1, s.Cakes)) // of CAKE, which has no burst
		for _, c := range s.Classes {
			burst = max(burst, max(c.HTB.Burst, c.HTB.CBurst)/probeSize+2)
		}
	}
	return burst, true
}

// burst sends into a device what is queued at another one, or the same.
func (w *walk) burst(when, device, queued string, burst int, count func() int) {
	w.t.Helper()
	before := count()
	w.send(device, 1)
	time.Sleep(100 * time.Millisecond)
	if n := count() - before; n != 1 {
		w.t.Errorf("%s: a packet alone came through %d times", when, n)
	}
	before, n := count(), 2*burst+10
	dropped := w.root(queued).Stats.Drops
	w.send(device, n)
	if at := count() - before; at > burst {
		w.t.Errorf("%s: %d of %d packets left at once, %d may", when, at, n, burst)
	}
	w.drain(when, queued)
	came, lost := count()-before, int(w.root(queued).Stats.Drops-dropped)
	if came+lost != n { // CoDel may drop some of so many
		w.t.Errorf("%s: of %d packets %d came through and %d were dropped", when, n, came, lost)
	}
}

// redirected is the IFB that the download goes to: while one takes the place of
// another there are two filters, and the first takes the packets.
func (w *walk) redirected() string {
	w.t.Helper()
	found := read(w.t, w.k)
	first := plan.FilterState{Filter: plan.Filter{Priority: 1 << 15}}
	for _, f := range found.Device("wan").Filters {
		if f.Redirect != "" && f.Priority < first.Priority {
			first = f
		}
	}
	if first.Redirect == "" {
		w.t.Fatal("the download goes to no IFB")
	}
	return first.Redirect
}

func (w *walk) root(device string) *plan.QdiscState {
	w.t.Helper()
	found := read(w.t, w.k)
	return found.Device(device).At(plan.HandleRoot)
}

// drain waits until nothing is queued at a device.
func (w *walk) drain(when, device string) {
	w.t.Helper()
	for range 100 {
		time.Sleep(200 * time.Millisecond)
		if w.root(device).Stats.Queued == 0 {
			return
		}
	}
	w.t.Fatalf("%s: packets stay queued at %s", when, device)
}

func (w *walk) counters(device string) plan.Counters {
	w.t.Helper()
	answers, err := w.k.dump(unix.RTM_GETLINK, make([]byte, linkHeader))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, b := range answers {
		if l, err := readLink(b); err == nil && l.device.Name == device {
			return l.device.Counters
		}
	}
	w.t.Fatalf("no device %s", device)
	return plan.Counters{}
}

// send sends n UDP packets through a device, each a flow of its own, so that no
// queue is long enough for a drop.
func (w *walk) send(device string, n int) {
	w.t.Helper()
	var all [][]byte
	for i := range n {
		packet := kernellab.UDPPacket(probeSize)
		packet[20], packet[21] = byte(i>>8), byte(i)
		all = append(all, packet)
	}
	kernellab.SendPackets(w.t, device, all...)
}
