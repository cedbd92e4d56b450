package plan

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// TestWordsInTheKernel types the words of every plan into a shell, as a person
// would, and asks tc what it made of them.
func TestWordsInTheKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		for _, l := range lines {
			t.Run(l.name, func(t *testing.T) {
				newNetwork(t)
				link := compiled(t, l.profile(t), l.found)
				device := link.Interface
				if link.Egress.Cakes != 0 {
					checkQueues(t, link.Ingress)
					return
				}
				script := "ip link add name " + device + " up type dummy\n"
				if d := l.found.Device(device); d != nil && d.At(HandleIngress) != nil {
					script += "tc qdisc add dev " + device + " " + d.At(HandleIngress).Kind + "\n"
				}
				shell(t, script+Format(link))
				all := ask[qdiscOfTc](t, "tc -s -d -j qdisc show")
				for _, s := range link.Shapers() {
					checkCake(t, &s.Qdisc, all)
				}
				if in := link.Ingress; in != nil {
					checkIFB(t, in.IFB)
					checkRedirect(t, in.Redirect)
				}
			})
		}
	})
}

// TestOurHandleIsTakenInTheKernel shows why there is more than one: the kernel
// refuses to turn one kind into another in place, and takes a handle that is
// in use for an order to move that qdisc, whose options it leaves as they are.
func TestOurHandleIsTakenInTheKernel(t *testing.T) {
	const device = "ip link add name wan up type dummy\n"
	scripts := map[string]string{
		"root": device + "tc qdisc add dev wan root handle 7371: htb",
		"child": device + "tc qdisc add dev wan root handle 1: htb\ntc class add dev wan parent 1: classid 1:1 htb rate 1mbit\n" +
			"tc qdisc add dev wan parent 1:1 handle 7371: cake",
	}
	found := map[string]State{
		"root": wan(root("htb", HandleOwned, 0)),
		"child": wan(root("htb", 0x10000, 1), func(d *Device) {
			d.Qdiscs = append(d.Qdiscs, QdiscState{Qdisc: Qdisc{Link: "wan", Kind: "cake", Handle: HandleOwned, Parent: 0x10001}})
		}),
	}
	kernellab.Run(t, func(t *testing.T) {
		for name, script := range scripts {
			t.Run(name, func(t *testing.T) {
				newNetwork(t)
				shell(t, script)
				q := wanLink(t, found[name], uploadOnly).Egress.Qdisc
				taken := q
				taken.Handle = HandleOwned
				err := exec.Command("sh", "-c", taken.Words()).Run()
				for _, got := range ask[qdiscOfTc](t, "tc -d -j qdisc show dev wan") {
					if err == nil && got.Root && got.Options.Bandwidth != "unlimited" {
						t.Errorf("the kernel does as told with %s", taken.Words())
					}
				}
				shell(t, q.Words())
				checkCake(t, &q, ask[qdiscOfTc](t, "tc -s -d -j qdisc show"))
			})
		}
	})
}

// newNetwork gives the test an empty network of its own, which goes with the
// thread that the test runs on.
func newNetwork(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		t.Fatal(err)
	}
}

// TestU32InTheKernel does the same for the redirect of kernels that have no
// matchall.
func TestU32InTheKernel(t *testing.T) {
	kernellab.RunOn(t, "no-matchall", func(t *testing.T) {
		found := wan(ingress("clsact"))
		link := wanLink(t, found)
		link.Ingress.Redirect.Kind = "u32"
		shell(t, "ip link add name wan up type dummy\ntc qdisc add dev wan clsact\n"+Format(link))
		checkRedirect(t, link.Ingress.Redirect)
	})
}

func shell(t *testing.T, script string) {
	t.Helper()
	if out, err := exec.Command("sh", "-e", "-c", script).CombinedOutput(); err != nil {
		t.Fatalf("%s\n%s%v", script, out, err)
	}
}

// ask runs a command that prints a JSON list.
func ask[T any](t *testing.T, command string, args ...any) []T {
	t.Helper()
	words := strings.Fields(fmt.Sprintf(command, args...))
	out, err := exec.Command(words[0], words[1:]...).Output()
	if err != nil {
		t.Fatalf("%s: %v", words, err)
	}
	var all []T
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("%s: %v in %s", words, err, out)
	}
	return all
}

// qdiscOfTc is what tc -s -d -j says about a qdisc. It never prints target.
type qdiscOfTc struct {
	Kind, Handle, Dev string
	Root              bool
	Options           struct {
		Bandwidth          any // a number of bytes per second, or "unlimited"
		Autorate           string
		Diffserv, Flowmode string
		NAT, Wash, Ingress bool
		AckFilter          string `json:"ack-filter"`
		SplitGSO           bool   `json:"split_gso"`
		RTT                int
		Raw                bool
		ATM                string
		Overhead, MPU      int
		FwMark             string
	}
	MemoryLimit uint32 `json:"memory_limit"`
}

func checkCake(t *testing.T, q *Qdisc, all []qdiscOfTc) {
	t.Helper()
	for _, got := range all {
		if !got.Root || got.Dev != q.Link {
			continue
		}
		if diff := cmp.Diff(wantOfTc(q), got); diff != "" {
			t.Errorf("%s: tc shows something else (-plan +tc):\n%s", q.Words(), diff)
		}
		return
	}
	t.Errorf("%s has no root qdisc", q.Link)
}

func wantOfTc(q *Qdisc) qdiscOfTc {
	c, w := q.Cake, qdiscOfTc{Kind: q.Kind, Handle: q.Handle.String(), Dev: q.Link, Root: true}
	o := &w.Options
	o.Bandwidth = float64(c.Rate.BytesPerSecond())
	o.Diffserv, o.Flowmode = c.Diffserv.String(), c.Isolation.String()
	o.NAT, o.Wash, o.Ingress, o.SplitGSO, o.Raw = c.NAT, c.Wash, c.Ingress, c.SplitGSO, c.Raw
	o.AckFilter = []string{"disabled", "enabled", "aggressive"}[c.AckFilter]
	o.RTT = int(c.RTT.Microseconds())
	o.Overhead, o.MPU = c.Encapsulation.Overhead, c.Encapsulation.MPU
	if o.ATM = wordOf(framingWords, uint32(c.Encapsulation.Framing)); c.Raw && c.Encapsulation.Framing == linklayer.Plain {
		o.ATM = "" // tc leaves noatm out after raw
	}
	if o.FwMark = "0"; c.FwMark != 0 {
		o.FwMark = fmt.Sprintf("%#x", c.FwMark)
	}
	w.MemoryLimit = c.MemoryLimit
	return w
}

func checkIFB(t *testing.T, ifb *IFB) {
	t.Helper()
	type linkOfIP struct {
		Ifname, Ifalias string
		Flags           []string
		TxQueues        int `json:"num_tx_queues"`
		Linkinfo        struct {
			Kind string `json:"info_kind"`
		}
	}
	got := ask[linkOfIP](t, "ip -d -j link show dev %s", ifb.Link)[0]
	if got.Ifalias != ifb.Alias || got.Linkinfo.Kind != "ifb" || !strings.Contains(fmt.Sprint(got.Flags), "UP") {
		t.Errorf("%s: ip shows %+v", ifb.Name(), got)
	}
	if ifb.Queues != 0 && got.TxQueues != ifb.Queues {
		t.Errorf("%s has %d transmit queues, should have %d", ifb.Name(), got.TxQueues, ifb.Queues)
	}
}

// checkQueues types the part of cake_mq's words that this kernel and its tc know.
func checkQueues(t *testing.T, in *Shaper) {
	t.Helper()
	shell(t, in.IFB.Words())
	checkIFB(t, in.IFB)
}

func checkRedirect(t *testing.T, f *Filter) {
	t.Helper()
	type filterOfTc struct {
		Kind, Protocol string
		Pref           uint16
		Options        struct {
			Actions []struct {
				Action    string `json:"mirred_action"`
				Direction string
				ToDev     string `json:"to_dev"`
			}
		}
	}
	n := 0
	for _, got := range ask[filterOfTc](t, "tc -j filter show dev %s parent %s", f.Link, f.Parent) {
		if got.Kind != f.Kind || got.Protocol != "all" || got.Pref != f.Priority {
			t.Errorf("%s: tc shows %+v", f.Name(), got)
		}
		for _, a := range got.Options.Actions {
			n++
			if a.Action != "redirect" || a.Direction != "egress" || a.ToDev != f.Redirect {
				t.Errorf("%s: tc shows the action %+v", f.Name(), a)
			}
		}
	}
	if n != 1 {
		t.Errorf("%s: tc shows %d actions", f.Name(), n)
	}
}
