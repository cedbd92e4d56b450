package netlinkqdisc

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

const (
	up   = 10 * linklayer.Mbit
	down = 50 * linklayer.Mbit
)

func TestApplyAndRemoveKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		before := dump(t)
		k := open(t)
		mustApplyLink(t, k, wanLink(up, down))
		shaped := dump(t)
		for _, line := range []string{
			"qdisc cake 7371: dev wan root refcnt 2 bandwidth 10Mbit diffserv4 dual-srchost nat nowash no-ack-filter split-gso rtt 100ms ptm overhead 22 memlimit 4Mb",
			"qdisc ingress ffff: dev wan parent ffff:fff1",
			"qdisc cake 7371: dev ifb4wan root refcnt 2 bandwidth 50Mbit diffserv4 dual-dsthost nat nowash ingress no-ack-filter split-gso rtt 100ms ptm overhead 22 memlimit 4Mb",
			"mirred (Egress Redirect to device ifb4wan) stolen",
			"alias sqmctl: download of wan (and its ingress qdisc)",
		} {
			if !strings.Contains(shaped, line) {
				t.Errorf("tc and ip don't show %q:\n%s", line, shaped)
			}
		}
		out, err := k.RemoveLink("wan")
		if err != nil {
			t.Fatal(err)
		}
		checkDump(t, "after remove", before)
		if err := out.Undo.Run(); err != nil {
			t.Fatal(err)
		}
		checkDump(t, "after the undo of remove", shaped)
	})
}

func mustApplyLink(t *testing.T, k *Kernel, link plan.Link) Outcome {
	t.Helper()
	out, err := k.ApplyLink(link, false)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func checkDump(t *testing.T, when, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(dump(t), "\n")); diff != "" {
		t.Errorf("%s: %s", when, diff)
	}
}

// A second apply sends nothing that could change something, and nobody who
// listens hears anything.
func TestSecondApplyIsSilentKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		k := open(t)
		first := mustApplyLink(t, k, wanLink(up, down))
		if first.Requests == 0 || len(first.Steps) == 0 {
			t.Errorf("the first apply: %+v", first)
		}
		events := listen(t)
		out := mustApplyLink(t, k, wanLink(up, down))
		if out.Requests != 0 || len(out.Steps) != 0 {
			t.Errorf("the second apply sent %d requests for %v", out.Requests, out.Steps)
		}
		if n := events(); n != 0 {
			t.Errorf("the second apply caused %d events", n)
		}
		mustApplyLink(t, k, wanLink(2*up, down))
		if events() == 0 {
			t.Error("a change of rate caused no event: the listener is deaf")
		}
	})
}

// listen counts the events of links and traffic control since it was last
// asked.
func listen(t *testing.T) func() int {
	t.Helper()
	socket, err := nl.Subscribe(unix.NETLINK_ROUTE, unix.RTNLGRP_LINK, unix.RTNLGRP_TC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(socket.Close)
	if err := socket.SetReceiveTimeout(&unix.Timeval{Sec: 1}); err != nil {
		t.Fatal(err)
	}
	return func() (n int) {
		for {
			messages, _, err := socket.Receive()
			if errors.Is(err, unix.EAGAIN) {
				return n
			}
			if err != nil {
				t.Fatal(err)
			}
			n += len(messages)
		}
	}
}

func TestChangeKeepsCountersKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		k := open(t)
		mustApplyLink(t, k, wanLink(up, down))
		sendPackets(t, "wan", 100)
		_, _, before := rootOfWanOnly(t, k)
		out := mustApplyLink(t, k, wanLink(up/2, down))
		if len(out.Steps) != 1 || out.Steps[0].Action != plan.Change || out.Requests != 1 {
			t.Errorf("%d requests for %v", out.Requests, out.Steps)
		}
		_, _, after := rootOfWanOnly(t, k)
		if after.Handle != before.Handle || after.Stats.Packets < before.Stats.Packets || before.Stats.Packets < 90 {
			t.Errorf("before %+v, after %+v", before.Stats, after.Stats)
		}
		if after.Cake.Rate != up/2 {
			t.Errorf("rate %v", after.Cake.Rate)
		}
	})
}

// Dumps on a box full of other people's objects, and an apply beside them.
func TestBusyBoxKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, busyBox)
		before := dump(t)
		k := open(t)
		found := read(t, k)
		lan := device(t, found, "lan")
		if len(lan.Classes) != 3 || len(lan.Filters) != 1 || lan.Master != "bridge" {
			t.Errorf("lan: %d classes, %d filters, master %q", len(lan.Classes), len(lan.Filters), lan.Master)
		}
		if n := len(device(t, found, "wan").Filters); n != 5 {
			t.Errorf("wan has %d filters", n)
		}
		if q := device(t, found, "lo").At(plan.HandleRoot); q == nil || q.Kind != "noqueue" {
			t.Errorf("lo has %+v", q)
		}
		if n := len(device(t, found, "many").Qdiscs); n != 4 {
			t.Errorf("many has %d qdiscs", n)
		}
		if _, err := k.ApplyLink(wanLink(up, down), false); err == nil {
			t.Error("other people's filters were no conflict")
		}
		checkDump(t, "after the conflict", before)
	})
}

// sysfs says what a device's speed is, where the guest has one.
func TestSpeedKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		found := read(t, open(t))
		if got := device(t, found, "wan").Speed; got != 10*linklayer.Gbit {
			b, err := os.ReadFile("/sys/class/net/wan/speed")
			t.Errorf("speed %v; sysfs says %q, %v", got, b, err)
		}
		if got := device(t, found, "lo").Speed; got != 0 {
			t.Errorf("lo has a speed of %v", got)
		}
	})
}
