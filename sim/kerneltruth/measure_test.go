package kerneltruth

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// measure runs a scenario in the guest.
func measure(t *testing.T, s Scenario) Measured {
	t.Helper()
	l := kernellab.NewLine(t, kernellab.LineFacts{
		Up: s.Up, UpBuffer: s.UpBuffer, Down: s.Down, DownBuffer: s.DownBuffer,
		Delay: s.Delay, Encapsulation: s.Encapsulation,
	})
	if s.ECN {
		l.Sender.Sysctl("net/ipv4/tcp_ecn", "1")
		l.Receiver.Sysctl("net/ipv4/tcp_ecn", "1")
	}
	router, modem := place(l, s)
	start := l.Upload
	if s.Direction == linklayer.Ingress {
		start = l.Download
	}
	bulk, call := start(s.Flows, s.Congestion), l.Call(s.Direction)
	time.Sleep(s.Warmup)
	bulk.Discard()
	call.Discard()
	routerBefore, modemBefore := router.counters(t), modem.counters(t)
	routerQueue, modemQueue := watch(t, router.watcher(t), modem.watcher(t), s.Duration-s.Warmup)
	delay, goodput := call.Delay(), bulk.Goodput()
	routerAfter, modemAfter := router.counters(t), modem.counters(t)
	return Measured{
		Calls: delay.Count, Median: delay.Median, P95: delay.P95, Max: delay.Max, Mean: delay.Mean,
		Goodput:     goodput,
		RouterDrops: routerAfter.Drops - routerBefore.Drops, RouterMarks: routerAfter.marks() - routerBefore.marks(),
		ModemDrops: modemAfter.Drops - modemBefore.Drops, RouterQueue: routerQueue, ModemQueue: modemQueue,
	}
}

// place puts the qdisc on the router. It returns the two places where packets
// of the scenario's direction queue.
func place(l *kernellab.Line, s Scenario) (router, modem queue) {
	l.Router.Batch("tc", s.Egress.Script("wan"))
	if s.Ingress.Kind != "" {
		l.Router.Batch("ip", "link add ifb0 type ifb\nlink set ifb0 up\n")
		l.Router.Batch("tc", s.Ingress.Script("ifb0")+
			"qdisc add dev wan ingress\nfilter add dev wan ingress matchall action mirred egress redirect dev ifb0\n")
	}
	switch {
	case s.Direction == linklayer.Egress:
		return queue{l.Router, "wan"}, queue{l.Modem, "net"}
	case s.Ingress.Kind != "":
		return queue{l.Router, "ifb0"}, queue{l.Modem, "router"}
	}
	return queue{l.Router, "lan"}, queue{l.Modem, "router"}
}

// queue is a device's root qdisc.
type queue struct {
	*kernellab.Namespace
	device string
}

// counters are what tc tells of a qdisc; CAKE's marks are those of its tins.
type counters struct {
	Root  bool
	Kind  string
	Drops int
	Mark  int `json:"ecn_mark"`
	Tins  []struct {
		Mark int `json:"ecn_mark"`
	}
}

func (c counters) marks() int {
	sum := c.Mark
	for _, tin := range c.Tins {
		sum += tin.Mark
	}
	return sum
}

// counters are those of the root, which HTB leaves to the qdisc below it.
func (q queue) counters(t *testing.T) counters {
	t.Helper()
	var all []counters
	if err := json.Unmarshal([]byte(q.Command("tc", "-s", "-j", "qdisc", "show", "dev", q.device)), &all); err != nil {
		t.Fatal(err)
	}
	var sum counters
	for _, c := range all {
		if c.Root && c.Kind != "htb" || c.Kind == "codel" || c.Kind == "fq_codel" || c.Kind == "pfifo" {
			sum = c
		}
	}
	return sum
}

// watcher reads the backlog of a queue. It stays in the queue's namespace:
// going there costs more than reading.
type watcher struct {
	socket *netlink.Handle
	link   netlink.Link
}

func (q queue) watcher(t *testing.T) (w watcher) {
	t.Helper()
	q.In(func() {
		var err error
		if w.socket, err = netlink.NewHandle(unix.NETLINK_ROUTE); err != nil {
			t.Fatal(err)
		}
		if w.link, err = w.socket.LinkByName(q.device); err != nil {
			t.Fatal(err)
		}
	})
	t.Cleanup(w.socket.Close)
	return w
}

// backlog is that of the root, in bytes.
func (w watcher) backlog(t *testing.T) int {
	t.Helper()
	all, err := w.socket.QdiscList(w.link)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		a := one.Attrs()
		if a.Parent == netlink.HANDLE_ROOT && a.Statistics != nil && a.Statistics.Queue != nil {
			return int(a.Statistics.Queue.Backlog)
		}
	}
	return 0
}

// watch waits, and returns the mean backlogs.
func watch(t *testing.T, router, modem watcher, d time.Duration) (routerMean, modemMean int) {
	t.Helper()
	const interval = 47 * time.Millisecond // in step with nothing
	var routerSum, modemSum, n int
	end := time.Now().Add(d)
	for ; time.Until(end) > interval; n++ {
		time.Sleep(interval)
		routerSum += router.backlog(t)
		modemSum += modem.backlog(t)
	}
	time.Sleep(time.Until(end))
	return routerSum / n, modemSum / n
}
