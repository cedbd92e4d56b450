package netlinkqdisc

import (
	"os"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// fourQueues is wan with four transmit queues.
const fourQueues = `
	ip link del wan
	ip link add wan numtxqueues 4 type dummy
	ip link set wan up
`

// wanServer is a server's link; with more than one queue its root is an mq.
func wanServer(queues int, fill func(*plan.Qdisc)) plan.Link {
	root := plan.Qdisc{Link: "wan", Handle: plan.HandleOwned, Parent: plan.HandleRoot}
	shaper := &plan.Shaper{Direction: linklayer.Egress}
	if queues == 1 {
		fill(&root)
	} else {
		root.Kind = "mq"
		for i := range queues {
			leaf := plan.Qdisc{Link: "wan", Handle: plan.HandleQueues, Parent: plan.HandleOwned | plan.Handle(i+1)}
			fill(&leaf)
			shaper.Leaves = append(shaper.Leaves, &leaf)
		}
	}
	shaper.Qdisc = root
	return plan.Link{Interface: "wan", Server: true, Egress: shaper}
}

func withFQ(change func(*plan.FQ)) func(*plan.Qdisc) {
	return func(q *plan.Qdisc) {
		fq := plan.FQDefaults(1514)
		change(&fq)
		q.Kind, q.FQ = "fq", &fq
	}
}

func asIs(*plan.FQ) {}

func withFQCodel(q *plan.Qdisc) {
	q.Kind = "fq_codel"
	q.FQCodel = &plan.FQCodel{Limit: 10240, Flows: 1024, Quantum: 1514, Target: 5 * time.Millisecond,
		Interval: 100 * time.Millisecond, MemoryLimit: 32 << 20, ECN: true, DropBatch: 64}
}

func oneFQ(_, _ linklayer.Rate) plan.Link { return wanServer(1, withFQ(asIs)) }
func fourFQ(up, _ linklayer.Rate) plan.Link {
	return wanServer(4, withFQ(func(f *plan.FQ) { f.Limit = int(up / linklayer.Mbit) }))
}
func fourFQCodel(_, _ linklayer.Rate) plan.Link { return wanServer(4, withFQCodel) }

// What an apply for a server can find; see situations.
func init() {
	const mqByHand = fourQueues + `
		tc qdisc add dev wan root handle 7371: mq
		tc qdisc add dev wan parent 7371:1 handle 7380: fq
	`
	situations = append(situations, []situation{
		{name: "a server, fresh", link: oneFQ},
		{name: "from a line to a server", link: oneFQ, applied: true, before: wanLink},
		{name: "from a tree to a server", link: oneFQ, applied: true, before: wanTree},
		{name: "from a server to a line", link: wanLink, applied: true, before: oneFQ},
		{name: "a server, altered", link: oneFQ, applied: true, later: `
			tc qdisc change dev wan root fq limit 7 maxrate 5mbit nopacing ce_threshold 3ms horizon 2s horizon_cap
		`},
		{name: "four queues, fresh", setup: fourQueues, link: fourFQ},
		{name: "four queues, changed", setup: fourQueues, link: fourFQ, applied: true, more: linklayer.Mbit},
		{name: "four queues, fq to fq_codel", setup: fourQueues, link: fourFQCodel, applied: true, before: fourFQ},
		{name: "four queues, from a line", setup: fourQueues, link: fourFQ, applied: true, before: uploadOnly},
		{name: "four queues, to a line", setup: fourQueues, link: uploadOnly, applied: true, before: fourFQ},
		{name: "four queues, interrupted", setup: mqByHand, link: fourFQ},
		{name: "four queues, altered", setup: fourQueues, link: fourFQ, applied: true, later: `
			tc qdisc replace dev wan parent 7371:2 handle 9: sfq
			tc qdisc replace dev wan parent 7371:3 handle 8: fq limit 5
			tc qdisc change dev wan parent 7371:4 fq quantum 5000
		`},
		{name: "four queues of another program", link: fourFQ, setup: fourQueues + `
			tc qdisc add dev wan root handle 5: mq
			tc qdisc add dev wan parent 5:1 handle 7380: fq
			tc qdisc add dev wan parent 5:2 handle 52: cake bandwidth 1mbit
		`},
	}...)
}

func uploadOnly(up, down linklayer.Rate) plan.Link {
	link := wanLink(up, down)
	link.Ingress = nil
	return link
}

// The queues' qdiscs are read with their mq, whatever else there is, and a
// device tells how many there are.
func TestServerQueuesKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan+fourQueues+"ip link set wan txqueuelen 4321\n")
		k := open(t)
		d := device(t, read(t, k), "wan")
		if d.TxQueues != 4 || d.TxQueuesInUse != 4 || d.TxQueueLen != 4321 {
			t.Errorf("%d queues, %d in use, length %d", d.TxQueues, d.TxQueuesInUse, d.TxQueueLen)
		}
		mustApplyLink(t, k, fourFQ(up, down))
		d = device(t, read(t, k), "wan")
		for i := plan.Handle(1); i <= 4; i++ {
			q := d.At(plan.HandleOwned | i)
			if q == nil || q.Kind != "fq" || q.Handle != plan.HandleQueues+(i-1)<<16 || q.FQStats == nil {
				t.Errorf("queue %d has %+v", i, q)
			}
		}
		sendPackets(t, "wan", 50)
		if sent := device(t, read(t, k), "wan").At(plan.HandleRoot).Stats.Packets; sent < 50 {
			t.Errorf("mq counts %d packets", sent)
		}
	})
}

// Many queues: far more than there are handles for roots.
func TestServerOf64QueuesKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan+strings.Replace(fourQueues, "numtxqueues 4", "numtxqueues 64", 1))
		before := dump(t)
		k := open(t)
		link := wanServer(64, withFQ(asIs))
		out := mustApplyLink(t, k, link)
		if len(out.Steps) != 65 || out.Requests != 65 {
			t.Errorf("%d steps, %d requests", len(out.Steps), out.Requests)
		}
		if again := mustApplyLink(t, k, link); again.Requests != 0 {
			t.Errorf("a second apply did %v", again.Steps)
		}
		if err := out.Undo.Run(); err != nil {
			t.Error(err)
		}
		checkDump(t, "after the undo", before)
	})
}

// Whatever qdisc the kernel gives new queues, even one of the kind wanted, the
// queues become as planned, and remove puts the kernel's back.
func TestServerWithDefaultQdiscKernel(t *testing.T) {
	for _, kind := range []string{"fq", "fq_codel"} {
		for _, link := range []plan.Link{fourFQ(up, down), fourFQCodel(up, down)} {
			t.Run(kind+" to "+link.Egress.Leaves[0].Kind, func(t *testing.T) {
				kernellab.Run(t, func(t *testing.T) {
					if err := os.WriteFile("/proc/sys/net/core/default_qdisc", []byte(kind), 0o644); err != nil {
						t.Fatal(err)
					}
					script(t, wanAndLan+fourQueues)
					before := dump(t)
					k := open(t)
					if got := read(t, k).DefaultQdisc; got != kind {
						t.Errorf("new devices get %q", got)
					}
					failEach(t, k, func() (Outcome, error) { return k.ApplyLink(link, false) })
					mustApplyLink(t, k, link)
					if _, err := k.RemoveLink("wan"); err != nil {
						t.Fatal(err)
					}
					checkDump(t, "after remove", before)
				})
			})
		}
	}
}

// The number of queues in use changes: what isn't in use is left alone, and what
// comes into use gets its qdisc with the next apply.
func TestServerQueuesChangeKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, `
			ip link add wan numtxqueues 4 type veth peer name lan numrxqueues 4
			ip link set wan up
			ip link set lan up
		`)
		k := open(t)
		for _, n := range []int{2, 4, 3, 4} {
			setTxQueues(t, "wan", n)
			if d := device(t, read(t, k), "wan"); d.TxQueues != 4 || d.TxQueuesInUse != n {
				t.Errorf("%d queues, %d in use, want 4 and %d", d.TxQueues, d.TxQueuesInUse, n)
			}
			link := wanServer(n, withFQ(asIs))
			mustApplyLink(t, k, link)
			if again := mustApplyLink(t, k, link); again.Requests != 0 {
				t.Errorf("%d queues: a second apply did %v", n, again.Steps)
			}
			d := device(t, read(t, k), "wan")
			for i := plan.Handle(1); i <= plan.Handle(n); i++ {
				if q := d.At(plan.HandleOwned | i); q == nil || q.Kind != "fq" {
					t.Errorf("queue %d of %d has %+v", i, n, q)
				}
			}
		}
		failEach(t, k, func() (Outcome, error) { return k.RemoveLink("wan") })
	})
}

// setTxQueues is ethtool -L (ETHTOOL_SCHANNELS in linux/ethtool.h).
func setTxQueues(t *testing.T, device string, n int) {
	t.Helper()
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(socket)
	channels := [9]uint32{0: 0x3d, 5: 1, 6: uint32(n)} // command, …, rx, tx
	var request struct {
		name [unix.IFNAMSIZ]byte
		data unsafe.Pointer
		_    [16]byte
	}
	copy(request.name[:], device)
	request.data = unsafe.Pointer(&channels)
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(socket), unix.SIOCETHTOOL, uintptr(unsafe.Pointer(&request))); errno != 0 {
		t.Fatal(errno)
	}
}
