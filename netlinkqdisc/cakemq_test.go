package netlinkqdisc

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
)

// wanWithQueues is a wan with four queues each way.
const wanWithQueues = `
	ip link add wan numtxqueues 4 numrxqueues 4 type veth peer name lan numtxqueues 4 numrxqueues 4
	ip link set wan up
	ip link set lan up
`

// wanCakeMQ is wanLink with a CAKE for each queue.
func wanCakeMQ() plan.Link {
	link := wanLink(up, down)
	for _, s := range link.Shapers() {
		s.Qdisc.Kind, s.Cakes = "cake_mq", 4
	}
	in := link.Ingress
	in.IFB.Queues = 4
	in.IFB.Link = plan.SpreadIFBName("wan")
	in.Qdisc.Link, in.Redirect.Redirect = in.IFB.Link, in.IFB.Link
	return link
}

// A kernel that doesn't know the kind says so, and is as it was.
func TestCakeMQUnknownKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanWithQueues)
		k := open(t)
		const want = "create qdisc cake_mq 7371: on ifq4wan: no such file or directory (ENOENT: Specified qdisc kind is unknown): " +
			`this kernel has no cake_mq, which came with Linux 7.0 and OpenWrt 25.12: write qdisc = "cake"; or, if it is as new as that, ` +
			"install kmod-sched-cake (OpenWrt), or boot a kernel that has the module sch_cake, as linux-image-amd64 does (Debian)"
		for _, was := range []func(){func() {}, func() { mustApplyLink(t, k, wanLink(up, down)) }} {
			was()
			before := dump(t)
			_, err := k.ApplyLink(wanCakeMQ(), false)
			if err == nil || err.Error() != want {
				t.Errorf("error %v\nwant  %s", err, want)
			}
			checkDump(t, "after the error", before)
		}
	})
}

// An IFB has the queues that are wanted, and is left alone by who wants none in
// particular.
func TestIFBQueuesKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		k := open(t)
		queues := func() int { return device(t, read(t, k), "ifb4wan").TxQueues }
		mustApplyLink(t, k, wanLink(up, down))
		if n := queues(); n != 1 {
			t.Errorf("%d queues for CAKE", n)
		}
		mustApplyLink(t, k, wanQueues(up, down))
		if n := queues(); n != 3 {
			t.Errorf("%d queues, should be 3", n)
		}
		for _, link := range []plan.Link{wanQueues(up, down), wanLink(up, down)} {
			if out := mustApplyLink(t, k, link); out.Requests != 0 || queues() != 3 {
				t.Errorf("%v, %d queues", out.Steps, queues())
			}
		}
		sendPackets(t, "lan", 20)
		if got := device(t, read(t, k), "ifb4wan").At(plan.HandleRoot).Stats.Packets; got < 20 {
			t.Errorf("CAKE passed %d packets, should be 20", got)
		}
	})
}

func TestCakeMQAdvice(t *testing.T) {
	q := &plan.Qdisc{Link: "wan", Kind: "cake_mq", Cake: cake(up)}
	one := `cake_mq goes only at the root of a device with several transmit queues, and wan may have one: write qdisc = "cake"`
	if got := qdiscAdvice(q, unix.EOPNOTSUPP, ""); got != one {
		t.Errorf("%q", got)
	}
	nat := qdiscAdvice(&plan.Qdisc{Kind: "cake", Cake: cake(up)}, unix.EOPNOTSUPP, "No conntrack support in kernel")
	if got := qdiscAdvice(q, unix.EOPNOTSUPP, "No conntrack support in kernel"); got != nat || got == "" {
		t.Errorf("%q", got)
	}
	if got := qdiscAdvice(q, unix.ENOMEM, ""); got != "" {
		t.Errorf("%q", got)
	}
}

// On a device with one queue the kernel gives no reason.
func TestCakeMQOneQueueKernel(t *testing.T) {
	kernellab.RunOn(t, kernellab.CakeMQ, func(t *testing.T) {
		script(t, wanAndLan)
		before := dump(t)
		_, err := open(t).ApplyLink(wanCakeMQ(), false)
		var e *Error
		if !errors.As(err, &e) || e.Errno != unix.EOPNOTSUPP || e.Text != "" || e.Object != "qdisc cake_mq 7371: on wan" || e.Advice == "" {
			t.Errorf("%v", err)
		}
		checkDump(t, "after the error", before)
	})
}

// With one that has several, every request may fail.
func TestCakeMQKernel(t *testing.T) {
	for name, before := range map[string]func(*testing.T, *Kernel){
		"fresh": func(*testing.T, *Kernel) {}, "from CAKE": func(t *testing.T, k *Kernel) { mustApplyLink(t, k, wanLink(up, down)) },
		"fewer queues": func(t *testing.T, k *Kernel) {
			link := wanCakeMQ()
			link.Ingress.IFB.Queues = 2
			mustApplyLink(t, k, link)
		},
		"other options": func(t *testing.T, k *Kernel) {
			link := wanCakeMQ()
			for _, s := range link.Shapers() {
				c := *s.Qdisc.Cake
				c.Rate, c.Raw, c.Encapsulation.Overhead, c.Diffserv, c.NAT = up/2, true, 0, plan.Besteffort, false
				s.Qdisc.Cake = &c
			}
			mustApplyLink(t, k, link)
		},
	} {
		t.Run(name, func(t *testing.T) {
			kernellab.RunOn(t, kernellab.CakeMQ, func(t *testing.T) {
				script(t, wanWithQueues)
				k := open(t)
				before(t, k)
				failEach(t, k, func() (Outcome, error) { return k.ApplyLink(wanCakeMQ(), false) })
				if out := mustApplyLink(t, k, wanCakeMQ()); out.Requests != 0 {
					t.Errorf("a second apply did %v", out.Steps)
				}
				failEach(t, k, func() (Outcome, error) { return k.ApplyLink(wanLink(up, down), false) })
				failEach(t, k, func() (Outcome, error) { return k.RemoveLink("wan") })
			})
		})
	}
}
