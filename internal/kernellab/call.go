package kernellab

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
)

// Call is a telephone call: a UDP packet of 200 bytes, IP header included,
// every 20 ms that carries the time at which it was sent. The kernel notes when
// it arrived, by the same clock, so its one-way delay is exact.
//
// The packets of a second are handed to the kernel together, and their
// sender's device holds each until its time has come; and the receiving
// socket keeps them until somebody asks. Programs that send and read each
// packet by itself would cost several times what the rest of a line costs.
type Call struct {
	t       T
	out, in int // sockets
	stop    chan struct{}
	once    sync.Once
	running sync.WaitGroup

	since    time.Time
	arrivals []arrival // since then, in order
}

type arrival struct {
	number uint64
	delay  time.Duration
}

const (
	callInterval = 20 * time.Millisecond
	callPayload  = 200 - 20 - 8 // less the headers of IPv4 and UDP
	callPriority = 6            // SO_PRIORITY, by which the sender's device knows it; fq is in a hurry with 7
	timespecSize = 16
)

// Call starts a call in one direction. It lasts until the end of the test, or
// about a second longer than until Stop.
func (l *Line) Call(d linklayer.Direction) *Call {
	l.t.Helper()
	from, to, address := l.ends(d)
	c := &Call{t: l.t, out: -1, in: -1, stop: make(chan struct{}), since: time.Now()}
	l.t.Cleanup(c.Stop)
	var where unix.Sockaddr
	to.In(func() {
		c.in = openSocket(l.t, unix.SOCK_DGRAM, map[int]int{
			unix.SO_RCVBUFFORCE: 64 << 20, unix.SO_TIMESTAMPNS: 1,
		})
		where = bind(l.t, c.in, address)
	})
	from.In(func() {
		c.out = openSocket(l.t, unix.SOCK_DGRAM, map[int]int{unix.SO_PRIORITY: callPriority})
		// A struct sock_txtime: a clock, and no flags.
		if err := unix.SetsockoptUint64(c.out, unix.SOL_SOCKET, unix.SO_TXTIME, unix.CLOCK_MONOTONIC); err != nil {
			l.t.Fatalf("setting SO_TXTIME: %v", err)
		}
		if err := unix.Connect(c.out, where); err != nil {
			l.t.Fatal(err)
		}
	})
	c.running.Go(c.send)
	return c
}

// send hands the packets of each second to the kernel, a moment before.
func (c *Call) send() {
	const batch = int(time.Second / callInterval)
	const ahead = 100 * time.Millisecond
	packets := newDatagrams(batch, callPayload, 8)
	start := time.Now().Add(ahead)
	monotonic := monotonicNow() + ahead
	for number := 0; ; number += batch {
		for i := range batch {
			after := time.Duration(number+i) * callInterval
			binary.BigEndian.PutUint64(packets.payloads[i], uint64(number+i))
			binary.BigEndian.PutUint64(packets.payloads[i][8:], uint64(start.Add(after).UnixNano()))
			packets.setControl(i, unix.SCM_TXTIME, uint64(monotonic+after))
		}
		packets.send(c.out)
		select {
		case <-c.stop:
			return
		case <-time.After(time.Until(start.Add(time.Duration(number+batch)*callInterval - ahead))):
		}
	}
}

func monotonicNow() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		panic(fmt.Sprintf("reading the clock: %v", err)) // the manual knows no reason
	}
	return time.Duration(now.Nano())
}

// collect takes the packets that have arrived out of the socket.
func (c *Call) collect() {
	c.t.Helper()
	const batch = 256
	packets := newDatagrams(batch, callPayload, timespecSize)
	for n := batch; n == batch; {
		var err error
		if n, err = packets.receive(c.in); err != nil {
			c.t.Fatalf("receiving a call: %v", err)
		}
		for i := range n {
			at := packets.timespec(i)
			arrived := time.Unix(at.Sec, at.Nsec)
			sent := time.Unix(0, int64(binary.BigEndian.Uint64(packets.payloads[i][8:])))
			if !arrived.Before(c.since) {
				number := binary.BigEndian.Uint64(packets.payloads[i])
				c.arrivals = append(c.arrivals, arrival{number, arrived.Sub(sent)})
			}
		}
	}
}

// Discard forgets the packets that have arrived so far, as a warm-up.
func (c *Call) Discard() {
	c.t.Helper()
	c.since = time.Now()
	c.collect()
	c.arrivals = nil
}

// Stop hangs up.
func (c *Call) Stop() {
	c.once.Do(func() {
		close(c.stop)
		c.running.Wait()
		unix.Close(c.out)
		unix.Close(c.in)
	})
}

// Delay is the one-way delay of a call's packets.
type Delay struct {
	Count int // packets that arrived
	Lost  int // packets missing between the first and the last of these

	Median, P95, Max, Mean time.Duration
}

// Delay tells how the packets fared that have arrived since the start or the
// last Discard. If there are none, all is zero. It needs the call to be going on.
func (c *Call) Delay() Delay {
	c.t.Helper()
	c.collect()
	if len(c.arrivals) == 0 {
		return Delay{}
	}
	var delays []time.Duration
	var sum time.Duration
	first, last := c.arrivals[0].number, c.arrivals[0].number
	for _, a := range c.arrivals {
		delays = append(delays, a.delay)
		sum += a.delay
		first, last = min(first, a.number), max(last, a.number)
	}
	slices.Sort(delays)
	n := len(delays)
	return Delay{
		Count: n, Lost: int(last-first) + 1 - n,
		Median: delays[n/2], P95: delays[n*95/100], Max: delays[n-1], Mean: sum / time.Duration(n),
	}
}

// holdCalls makes a device hold the packets of calls until their time, and no
// others: fq does that for every packet that carries a time, but would also
// pace TCP.
func holdCalls(n *Namespace, device string) {
	n.t.Helper()
	n.do("preparing "+device+" for calls", func() error {
		link, err := netlink.LinkByName(device)
		if err != nil {
			return err
		}
		index := link.Attrs().Index
		root := netlink.QdiscAttrs{LinkIndex: index, Handle: netlink.MakeHandle(1, 0), Parent: netlink.HANDLE_ROOT}
		prio := netlink.NewPrio(root)
		prio.Bands, prio.PriorityMap = 2, [16]uint8{}
		prio.PriorityMap[callPriority] = 1
		if err := netlink.QdiscAdd(prio); err != nil {
			return err
		}
		return netlink.QdiscAdd(netlink.NewFq(netlink.QdiscAttrs{LinkIndex: index, Parent: netlink.MakeHandle(1, 2)}))
	})
}
