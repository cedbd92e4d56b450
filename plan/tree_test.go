package plan

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

func withFQCodel(l *config.Link) {
	l.Upload.Qdisc.Value, l.Download.Qdisc.Value = "fq_codel", "fq_codel"
}

// treeLink is a link's plan with fq_codel.
func treeLink(t *testing.T, device Device, access string, down, up linklayer.Rate, edits ...func(*config.Link)) Link {
	t.Helper()
	return compiled(t, profileOf(t, device.Name, access, down, up, append(edits, withFQCodel)...), State{Devices: []Device{device}})
}

func TestCompileTree(t *testing.T) {
	ethernet, ppp := ethernetDevice("wan"), ethernetDevice("ppp0")
	ppp.Type = arphrdPPP
	tests := []struct {
		name   string
		device Device
		access string
		up     linklayer.Rate
		class  HTBClass
		stab   *Stab
		queue  FQCodel
	}{
		{
			"Ethernet", ethernet, "ethernet", 20 * mbit,
			HTBClass{Rate: 19 * mbit, Ceil: 19 * mbit, Burst: 2375, CBurst: 2375, Quantum: 2375},
			&Stab{Overhead: 24, MPU: 84, MTU: 2047, Size: 2048},
			FQCodel{Quantum: 324, Target: 5 * time.Millisecond, Interval: 100 * time.Millisecond},
		},
		{
			"fast", ethernet, "gpon", 2000 * mbit,
			HTBClass{Rate: 1900 * mbit, Ceil: 1900 * mbit, Burst: 237_500, CBurst: 237_500, Quantum: 200_000},
			&Stab{Overhead: 30, MPU: 84, MTU: 2047, Size: 2048},
			FQCodel{Quantum: 1514, Target: 5 * time.Millisecond, Interval: 100 * time.Millisecond},
		},
		{
			"cells on a PPP device", ppp, "adsl-pppoe-llcsnap", 1 * mbit,
			HTBClass{Rate: 950 * linklayer.Kbit, Ceil: 950 * linklayer.Kbit, Burst: 1749, CBurst: 1749, Quantum: 1514},
			&Stab{Overhead: 40, ATM: true, MTU: 2047, Size: 2048},
			FQCodel{Quantum: 371, Target: 19_124 * time.Microsecond, Interval: 114_124 * time.Microsecond},
		},
		{
			"a code of 65 for 64", ppp, "vdsl2-pppoe", 65 * mbit,
			HTBClass{Rate: 60_800 * linklayer.Kbit, Ceil: 60_800 * linklayer.Kbit, Burst: 7600, CBurst: 7600, Quantum: 7600},
			&Stab{Overhead: 30},
			FQCodel{Quantum: 321, Target: 5 * time.Millisecond, Interval: 100 * time.Millisecond},
		},
		{
			"as the device counts", ethernet, "raw", 20 * mbit,
			HTBClass{Rate: 19 * mbit, Ceil: 19 * mbit, Burst: 2375, CBurst: 2375, Quantum: 2375},
			nil,
			FQCodel{Quantum: 286, Target: 5 * time.Millisecond, Interval: 100 * time.Millisecond},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := treeLink(t, test.device, test.access, 4*test.up, test.up).Egress
			test.queue.Limit, test.queue.Flows, test.queue.MemoryLimit = 10240, 1024, s.Leaves[0].FQCodel.MemoryLimit
			test.queue.ECN, test.queue.DropBatch = true, 64
			for what, diff := range map[string]string{
				"class": cmp.Diff(test.class, *s.Classes[0].HTB),
				"stab":  cmp.Diff(test.stab, s.Qdisc.Stab),
				"leaf":  cmp.Diff(test.queue, *s.Leaves[0].FQCodel),
			} {
				if diff != "" {
					t.Errorf("%s (-want +got):\n%s", what, diff)
				}
			}
			if s.Rate() != test.class.Rate || s.Leaves[0].Parent != s.Classes[0].Handle || s.Classes[0].Parent != s.Qdisc.Handle {
				t.Errorf("%s; leaf at %s, class %s at %s, root %s", s.Rate(), s.Leaves[0].Parent, s.Classes[0].Handle, s.Classes[0].Parent, s.Qdisc.Handle)
			}
		})
	}
}

// found is a device after an apply.
func found(s *Shaper, device Device) Device {
	device.Qdiscs = []QdiscState{{Qdisc: s.Qdisc}, {Qdisc: *s.Leaves[0]}}
	device.Classes = []ClassState{{Kind: "htb", Handle: s.Classes[0].Handle, Parent: HandleRoot, Leaf: s.Leaves[0].Handle, HTB: s.Classes[0].HTB, Rate: s.Classes[0].HTB.Rate}}
	return device
}

// steps are what Diff wants, a line each.
func steps(t *testing.T, link Link, device Device) (all []string) {
	t.Helper()
	link.Ingress = nil
	list, err := Diff(link, State{Devices: []Device{device}}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		all = append(all, s.String())
	}
	return all
}

func TestDiffTree(t *testing.T) {
	device := ethernetDevice("wan")
	link := treeLink(t, device, "ethernet", 50*mbit, 20*mbit)
	applied := found(link.Egress, device)
	cake := compiled(t, profileOf(t, "wan", "ethernet", 50*mbit, 20*mbit), State{Devices: []Device{applied}})
	without := func(change func(*Device)) Device {
		d := found(link.Egress, device)
		change(&d)
		return d
	}
	tests := []struct {
		name   string
		link   Link
		device Device
		want   []string
	}{
		{"fresh", link, device, []string{"create qdisc htb 7371: on wan", "create class htb 7371:1 on wan", "create qdisc fq_codel 7372: on wan"}},
		{"applied", link, applied, nil},
		{"another rate", treeLink(t, device, "ethernet", 50*mbit, 10*mbit), applied, []string{
			"change class htb 7371:1 on wan: rate 19mbit → 9500kbit, ceil 19mbit → 9500kbit, burst 2375 → 1538, cburst 2375 → 1538, quantum 2375 → 1514"}},
		{"another overhead", treeLink(t, device, "docsis", 50*mbit, 20*mbit), applied, []string{
			"change qdisc htb 7371: on wan: stab mtu 2047 tsize 2048 mpu 84 overhead 24 linklayer ethernet → mtu 2047 tsize 2048 mpu 64 overhead 4 linklayer ethernet",
			"change qdisc fq_codel 7372: on wan: quantum 324 → 304"}},
		{"no class", link, without(func(d *Device) { d.Classes, d.Qdiscs = nil, d.Qdiscs[:1] }), []string{
			"create class htb 7371:1 on wan", "create qdisc fq_codel 7372: on wan"}},
		{"another leaf", link, without(func(d *Device) {
			d.Qdiscs[1] = QdiscState{Qdisc: Qdisc{Link: "wan", Kind: "sfq", Handle: 0x20000, Parent: d.Classes[0].Handle}}
		}), []string{
			"replace qdisc fq_codel 7372: on wan (replaces sfq 2:, which sqmctl did not install)"}},
		{"other queues", link, without(func(d *Device) {
			few := *link.Egress.Leaves[0].FQCodel
			few.Flows = 16
			d.Qdiscs[1].FQCodel = &few
		}), []string{"replace qdisc fq_codel 7373: on wan (replaces fq_codel 7372:, which can't be changed in place)"}},
		{"other default", link, without(func(d *Device) { d.Qdiscs[0].HTB = &HTB{Default: 7} }), []string{
			"replace qdisc htb 7373: on wan (replaces htb 7371: with 1 class, which can't be changed in place)",
			"create class htb 7373:1 on wan", "create qdisc fq_codel 7374: on wan"}},
		{"to CAKE", cake, applied, []string{"replace qdisc cake 7373: on wan (replaces htb 7371: with 1 class, which can't be changed in place)"}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, steps(t, test.link, test.device)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestShapedRate(t *testing.T) {
	device := ethernetDevice("wan")
	link := treeLink(t, device, "ethernet", 50*mbit, 20*mbit)
	applied := found(link.Egress, device)
	if got := applied.ShapedRate(); got != 19*mbit {
		t.Errorf("one class of 19 Mbit/s shapes to %s", got)
	}
	if got := Differences(link.Egress, &applied); len(got) > 0 {
		t.Errorf("as planned, but %v", got)
	}
	second := applied.Classes[0]
	second.Handle++
	applied.Classes = append(applied.Classes, second)
	if got := applied.ShapedRate(); got != 0 {
		t.Errorf("two classes share it, but it shapes to %s", got)
	}
	if got := device.ShapedRate(); got != 0 {
		t.Errorf("the kernel's default shapes to %s", got)
	}
	applied.Classes, applied.Qdiscs = nil, applied.Qdiscs[:1]
	if got := Differences(link.Egress, &applied); len(got) != 1 || got[0].Name != "class" {
		t.Errorf("without a class: %v", got)
	}
}
