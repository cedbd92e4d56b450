package main

import (
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/netlinkqdisc"
	"github.com/sqmctl/sqmctl/plan"
)

// wiredDevices are a device dut of every kind, its other end in the namespace
// of the line, and what the kernel puts around an IP packet behind its queue.
var wiredDevices = []struct {
	name, here, there string // lines for ip, in either namespace
	tunnel            int
}{
	{"Ethernet", "link add dut type veth peer name far\nlink set far netns line", "", 0},
	{"VLAN", "link add link wan name dut type vlan id 7", "link add link peer name far type vlan id 7", 0},
	{"VLAN, tag in the packet", "link add link wan name dut type vlan id 7 reorder_hdr off", "link add link peer name far type vlan id 7", 0},
	{"VLAN in a VLAN", "link add link wan name s type vlan proto 802.1ad id 9\nlink set s up\nlink add link s name dut type vlan id 7",
		"link add link peer name s type vlan proto 802.1ad id 9\nlink set s up\nlink add link s name far type vlan id 7", 0},
	{"bridge", "link add dut type bridge\nlink set wan master dut", "link add link peer name far type macvlan mode private", 0},
	{"macvlan", "link add link wan name dut type macvlan mode private", "link add link peer name far type macvlan mode private", 0},
	{"IPIP", "link add dut type ipip local 192.0.2.1 remote 192.0.2.2", "link add far type ipip local 192.0.2.2 remote 192.0.2.1", 20},
	{"GRE", "link add dut type gre local 192.0.2.1 remote 192.0.2.2 key 5", "link add far type gre local 192.0.2.2 remote 192.0.2.1 key 5", 20 + 4 + 4},
	{"GRE with Ethernet", "link add dut type gretap local 192.0.2.1 remote 192.0.2.2", "link add far type gretap local 192.0.2.2 remote 192.0.2.1", 20 + 4 + 14},
	{"VXLAN", "link add dut type vxlan id 5 local 192.0.2.1 remote 192.0.2.2 dstport 4789", "link add far type vxlan id 5 local 192.0.2.2 remote 192.0.2.1 dstport 4789", 20 + 8 + 8 + 14},
	{"WireGuard", "link add dut type wireguard", "", 40 + 8 + 32},
}

// For packets of all sizes, what HTB and CAKE count on every kind of device is
// what the line takes, on the way out and, through the IFB, on the way in.
func TestEveryDeviceChargesWireSize(t *testing.T) {
	for _, d := range wiredDevices {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			kernellab.Run(t, func(t *testing.T) {
				r := newCabled(t, d.here, d.there)
				line := linklayer.Encapsulation{Overhead: 30 + d.tunnel, MPU: 100, Framing: linklayer.ATM}
				r.write(strings.Replace(profileOf("conservative", "50 Mbit/s", "20 Mbit/s", `overhead = 30`, `mpu = 100`), `"wan"`, `"dut"`, 1))
				if d.tunnel == 0 { // a profile's own figure is the whole truth
					r.wantCharged(line, d.there != "" || d.name == "Ethernet")
				}
				access, _ := linklayer.AccessByName("vdsl2-pppoe")
				line = access.Encapsulation
				line.Overhead += d.tunnel
				r.write(strings.Replace(profileOf("vdsl2-pppoe", "50 Mbit/s", "20 Mbit/s"), `"wan"`, `"dut"`, 1))
				r.wantCharged(line, d.there != "" || d.name == "Ethernet")
			})
		})
	}
}

type cabled struct{ *router }

func newCabled(t *testing.T, here, there string) *cabled {
	t.Helper()
	w := &cabled{newRouter(t, "")}
	w.Batch("ip", here+"\nlink set dut up\n")
	if there != "" {
		w.line.Batch("ip", there+"\n")
	}
	if there != "" || strings.Contains(here, "far") {
		w.line.Batch("ip", "link set far up\n")
	}
	time.Sleep(3 * time.Second)
	return w
}

// wantCharged applies the profile with either qdisc and sends packets both ways.
func (w *cabled) wantCharged(line linklayer.Encapsulation, both bool) {
	w.t.Helper()
	profile := w.read()
	for _, qdisc := range []string{"cake", "fq_codel"} {
		w.write(profile + "qdisc = \"" + qdisc + "\"\n")
		w.apply()
		for size := 28; size <= 1391; size += 47 {
			want := line
			if qdisc == "fq_codel" && line.Framing == linklayer.PTM { // which is in the rate
				want.Framing = linklayer.Plain
			}
			w.wantOne(w.router.Namespace, "dut", "dut", size, want.WireSize(size))
			if both {
				w.wantOne(w.line, "far", "ifb4dut", size, want.WireSize(size))
			}
		}
		w.remove()
	}
}

// wantOne sends a packet and looks at what the qdisc of a device counted.
func (w *cabled) wantOne(from *kernellab.Namespace, through, counted string, size, want int) {
	w.t.Helper()
	before := w.charged(counted)
	from.In(func() { kernellab.SendPackets(w.t, through, kernellab.UDPPacket(size)) })
	time.Sleep(100 * time.Millisecond)
	after := w.charged(counted)
	if after.cake > 0 {
		if after.cake != want {
			w.t.Errorf("a packet of %d bytes through %s costs %d in CAKE on %s, want %d", size, through, after.cake, counted, want)
		}
		return
	}
	if got := after.class - before.class; got != want {
		w.t.Errorf("a packet of %d bytes through %s costs %d in HTB on %s, want %d", size, through, got, counted, want)
	}
}

// charge is what a qdisc has counted: CAKE the longest packet, which is the
// last one here, HTB the sum.
type charge struct{ cake, class int }

func (w *cabled) charged(name string) (c charge) {
	w.t.Helper()
	found := w.state()
	d := found.Device(name)
	if d == nil {
		w.t.Fatalf("no device %s", name)
	}
	if root := d.At(plan.HandleRoot); root.CakeStats != nil {
		c.cake = root.CakeStats.MaxAdjustedLength
	}
	if len(d.Classes) > 0 {
		c.class = int(d.Classes[0].Stats.Bytes)
	}
	return c
}

// state is all that the kernel shows of the router.
func (r *router) state() (found plan.State) {
	r.t.Helper()
	r.In(func() {
		kernel, err := netlinkqdisc.Open()
		if err != nil {
			r.t.Fatal(err)
		}
		defer kernel.Close()
		if found, err = kernel.Read(); err != nil {
			r.t.Fatal(err)
		}
	})
	return found
}
