package netlinkqdisc

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// situations are what an apply can find. Each is applied to as often as it
// takes requests, with another one failing each time.
type situation struct {
	name     string
	setup    string
	applied  bool   // we were here before
	later    string // and somebody else after us
	more     linklayer.Rate
	takeOver bool
	link     func(upload, download linklayer.Rate) plan.Link // nil: wanLink
	before   func(upload, download linklayer.Rate) plan.Link // that we had applied; nil: link
}

var situations = []situation{
	{name: "fresh device"},
	{name: "change of rate", applied: true, more: linklayer.Mbit},
	{name: "a tree, fresh", link: wanTree},
	{name: "a tree, change of rate", link: wanTree, applied: true, more: linklayer.Mbit},
	{name: "a tree, altered", link: wanTree, applied: true, later: `
		tc qdisc replace dev wan parent 7371:1 handle 9: sfq
		tc qdisc del dev ifb4wan parent 7371:1
		tc class del dev ifb4wan classid 7371:1
	`},
	{name: "a tree, of another line", link: otherTree, applied: true, before: wanTree},
	{name: "a tree whose filters somebody altered", link: tieredTree, applied: true, later: `
		tc filter add dev wan parent 7371: protocol ip prio 7 u32 match ip dport 22 0xffff classid 7371:1
		tc filter del dev ifb4wan parent 7371: prio 1
	`},
	{name: "from CAKE to a tree", link: wanTree, applied: true, before: wanLink},
	{name: "from a tree to CAKE", link: wanLink, applied: true, before: wanTree},
	{name: "an IFB with more queues", link: wanQueues, applied: true, before: wanLink},
	{name: "interrupted apply", setup: "ip link add ifb4wan type ifb"},
	{name: "our own, altered", applied: true, later: `
		ip link set ifb4wan down
		ip link set ifb4wan alias "sqmctl: download of wan"
		tc qdisc replace dev wan root handle 7371: stab linklayer atm overhead 10 mtu 1500 cake bandwidth 5mbit raw wash
		tc filter del dev wan parent ffff:
	`},
	{name: "foreign qdisc with our handle", setup: `
		tc qdisc add dev wan root handle 7371: prio
		tc qdisc add dev wan parent 7371:1 handle 2: pfifo limit 7
		tc qdisc add dev wan parent 7371:2 handle 3: netem delay 10ms 5ms loss 1%
	`},
	{name: "foreign cake and size table", setup: `
		tc qdisc add dev wan root handle 8001: stab linklayer atm mtu 1500 mpu 64 overhead -4 cake bandwidth 3mbit overhead 18 wash fwmark 7
	`},
	{name: "foreign htb tree", setup: `
		tc qdisc add dev wan root handle 1: htb default 30 r2q 7
		tc class add dev wan parent 1: classid 1:1 htb rate 9mbit burst 15k
		tc class add dev wan parent 1:1 classid 1:10 htb rate 5mbit ceil 9mbit prio 1 quantum 3000
		tc class add dev wan parent 1:1 classid 1:20 htb rate 3mbit ceil 9mbit prio 2
		tc class add dev wan parent 1:1 classid 1:30 htb rate 40gbit prio 3
		tc qdisc add dev wan parent 1:10 handle 100: sfq perturb 10
		tc qdisc add dev wan parent 1:20 handle 200: fq_codel limit 1000 noecn
		tc qdisc add dev wan parent 1:30 handle 300: prio bands 4
		tc qdisc add dev wan parent 300:1 handle 310: red limit 60kb min 15kb max 45kb avpkt 1000 bandwidth 10mbit ecn
		tc qdisc add dev wan parent 300:2 handle 320: htb default 1
		tc class add dev wan parent 320: classid 320:1 htb rate 1mbit
		tc qdisc add dev wan parent 320:1 handle 321: tbf rate 1mbit burst 10k latency 50ms
		tc filter add dev wan parent 1: protocol ip prio 1 u32 match ip dport 22 0xffff flowid 1:10
		tc filter add dev wan parent 1: protocol ip prio 1 u32 match ip protocol 1 0xff flowid 1:10
		tc filter add dev wan parent 1: protocol ipv6 prio 2 u32 match ip6 dport 22 0xffff flowid 1:10
		tc filter add dev wan parent 1: protocol all prio 3 handle 5 fw classid 1:20
		tc filter add dev wan parent 1:1 protocol ip prio 4 flower dst_ip 192.0.2.7 action skbedit priority 1:20
	`},
	{name: "foreign hfsc and drr", setup: `
		tc qdisc add dev wan root handle 1: hfsc default 2
		tc class add dev wan parent 1: classid 1:1 hfsc sc rate 1mbit ul rate 8mbit
		tc class add dev wan parent 1:1 classid 1:2 hfsc rt m1 2mbit d 10ms m2 1mbit ls rate 1mbit
		tc qdisc add dev wan parent 1:2 handle 2: drr
		tc class add dev wan parent 2: classid 2:1 drr quantum 1500
		tc filter add dev wan parent 2: protocol all prio 1 matchall classid 2:1
	`},
	{name: "foreign mq", setup: `
		ip link del wan
		ip link add wan numtxqueues 3 type dummy
		ip link set wan up
		tc qdisc add dev wan root handle 5: mq
		tc qdisc add dev wan parent 5:2 handle 52: fq_codel
		tc qdisc add dev wan parent 5:3 handle 53: cake bandwidth 1mbit
	`},
	{name: "foreign filters", takeOver: true, setup: `
		ip link add ifb9 type ifb
		ip link set ifb9 up
		tc qdisc add dev wan handle ffff: ingress
		tc filter add dev wan parent ffff: protocol ip prio 49152 u32 match u32 0 0 action mirred egress redirect dev ifb9
		tc filter add dev wan parent ffff: protocol ipv6 prio 49151 u32 match u32 0 0 action mirred egress redirect dev ifb9
		tc filter add dev wan parent ffff: protocol ip prio 7 u32 match ip src 0.0.0.0/0 police rate 8mbit burst 10k mtu 2000 drop flowid :1
		tc filter add dev wan parent ffff: protocol all prio 3 matchall action police rate 40gbit burst 100k peakrate 41gbit mtu 9000 conform-exceed drop/pipe action mirred egress mirror dev ifb9
		tc filter add dev wan parent ffff: protocol all prio 4 matchall action ctinfo dscp 0x3f 0x40 cpmark 0xff zone 7 action mirred egress redirect dev ifb9
		tc filter add dev wan parent ffff: protocol ip prio 5 handle 2: u32 divisor 16
		tc filter add dev wan parent ffff: protocol ip prio 5 u32 ht 2:3: match ip dst 192.0.2.3 action drop
		tc filter add dev wan parent ffff: protocol ip prio 5 u32 ht 800: match ip dst 192.0.2.0/24 link 2: hashkey mask 0xf at 16
		tc filter add dev wan parent ffff: protocol ip prio 9 flower skip_hw ip_proto udp dst_port 53 action pass
		tc filter add dev wan parent ffff: protocol ip prio 11 basic match 'u32(u8 0x11 0xff at 9)' action goto chain 4
	`},
	{name: "foreign u32 with a history", takeOver: true, setup: `
		tc qdisc add dev wan ingress
		tc filter add dev wan parent ffff: protocol ip prio 1 u32 match ip dst 192.0.2.1 action drop
		tc filter add dev wan parent ffff: protocol ip prio 2 u32 match ip dst 192.0.2.2 action drop
		tc filter add dev wan parent ffff: protocol ip prio 3 u32 match ip dst 192.0.2.3 action drop
		tc filter add dev wan parent ffff: protocol ip prio 4 u32 match ip dst 192.0.2.4 action drop
		tc filter add dev wan parent ffff: protocol ip prio 4 u32 match ip dst 192.0.2.5 action drop
		tc filter del dev wan parent ffff: protocol ip prio 1
		tc filter del dev wan parent ffff: protocol ip prio 3
		tc filter del dev wan parent ffff: protocol ip prio 4 handle 803::800 u32
	`},
	{name: "foreign clsact", takeOver: true, setup: `
		ip link add copy up type dummy
		tc qdisc add dev wan clsact
		tc filter add dev wan ingress protocol all prio 10 matchall action mirred egress mirror dev copy
		tc filter add dev wan egress protocol all prio 10 matchall action pass
	`},
	{name: "filters that name the ingress otherwise", takeOver: true, setup: `
		ip link add copy up type dummy
		tc qdisc add dev wan ingress
		tc filter add dev wan ingress protocol all prio 10 matchall action mirred egress mirror dev copy
	`},
}

// Whatever request fails, all is as it was before, and the error says which.
func TestEveryRequestFailsKernel(t *testing.T) {
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			kernellab.Run(t, func(t *testing.T) {
				script(t, wanAndLan+s.setup)
				k := open(t)
				if s.link == nil {
					s.link = wanLink
				}
				if s.before == nil {
					s.before = s.link
				}
				if s.applied {
					mustApplyLink(t, k, s.before(up, down))
					script(t, s.later)
				}
				link := s.link(up+s.more, down+s.more)
				failEach(t, k, func() (Outcome, error) { return k.ApplyLink(link, s.takeOver) })
				failEach(t, k, func() (Outcome, error) { return k.RemoveLink("wan") })
			})
		})
	}
}

// failEach lets do happen with one request failing, the first, the second and
// so on, until none was left that could. Then it takes back what was done, and
// does it again.
func failEach(t *testing.T, k *Kernel, do func() (Outcome, error)) {
	t.Helper()
	before := dump(t)
	for n := 1; ; n++ {
		start := k.requests
		k.fail = func(request int) error {
			if request-start == n {
				return fmt.Errorf("%w: made to fail", unix.EIO)
			}
			return nil
		}
		out, err := do()
		k.fail = nil
		if err == nil {
			checkCounts(t, out, n)
			checkUndo(t, out, before)
			break
		}
		checkFailure(t, err)
		checkDump(t, fmt.Sprintf("request %d failed: %v", n, err), before)
	}
	if _, err := do(); err != nil {
		t.Error(err)
	}
}

func checkCounts(t *testing.T, out Outcome, n int) {
	t.Helper()
	t.Logf("%d steps, %d requests, %d round trips", len(out.Steps), out.Requests, out.RoundTrips)
	if out.Requests != n-1 || out.Requests == 0 {
		t.Errorf("%d requests, but %d could fail", out.Requests, n-1)
	}
}

func checkUndo(t *testing.T, out Outcome, before string) {
	t.Helper()
	if err := out.Undo.Run(); err != nil {
		t.Error(err)
	}
	checkDump(t, "after the undo", before)
	if err := out.Undo.Run(); err != nil {
		t.Error("a second undo:", err)
	}
}

func checkFailure(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if e.Object == "" || e.Device == "" || e.Errno != unix.EIO || e.Text != "made to fail" ||
		!strings.Contains(err.Error(), e.Object) || !strings.Contains(err.Error(), "(EIO: made to fail)") {
		t.Errorf("%q: %+v", err, e)
	}
	if left := (*UndoError)(nil); errors.As(err, &left) {
		t.Error(err)
	}
}

// An undo that fails says what is left.
func TestUndoFailsKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		k := open(t)
		k.fail = func(request int) error {
			if request == 3 || request == 4 {
				return unix.EIO
			}
			return nil
		}
		_, err := k.ApplyLink(wanLink(up, down), false)
		var left *UndoError
		if !errors.As(err, &left) {
			t.Fatal(err)
		}
		for _, words := range []string{"create qdisc cake 7371: on ifb4wan: input/output error (EIO)", "not as it was before", "ifb ifb4wan"} {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("%q lacks %q", err, words)
			}
		}
		if strings.Contains(err.Error(), "\n") || len(left.Left) != 1 {
			t.Errorf("%q", err)
		}
	})
}

// What the kernel doesn't take as planned is undone, and named.
func TestReadBackDiffersKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		before := dump(t)
		k := open(t)
		link := wanLink(up, down)
		link.Egress.Qdisc.Cake.Target = 0 // the kernel makes it 1 µs
		_, err := k.ApplyLink(link, false)
		if err == nil || !strings.Contains(err.Error(), "qdisc cake 7371: on wan") || !strings.Contains(err.Error(), "target") {
			t.Errorf("error %v", err)
		}
		checkDump(t, "after the failure", before)
	})
}
