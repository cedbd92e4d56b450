package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/config"
)

func withCakeMQ(l *config.Link) {
	l.Upload.Qdisc.Value, l.Download.Qdisc.Value = config.QdiscCakeMQ, config.QdiscCakeMQ
}

// withQueues is the state of a machine whose devices have so many queues.
func withQueues(queues, processors int, devices ...Device) State {
	for i := range devices {
		devices[i].TxQueues, devices[i].RxQueues = queues, queues
	}
	return State{Devices: devices, OnlineProcessors: processors}
}

func TestIFBQueues(t *testing.T) {
	tests := []struct {
		receive, processors int // receive -1: the device isn't there
		want                int
	}{
		{4, 4, 4}, {4, 8, 4}, {8, 4, 4}, {16, 16, 16}, {4, 0, 4},
		{1, 4, 4}, {0, 4, 4}, {1, 1, 2}, {0, 0, 2}, {4, 1, 2}, {-1, 4, 4}, {-1, 0, 2},
	}
	for _, tt := range tests {
		found := State{OnlineProcessors: tt.processors}
		if tt.receive >= 0 {
			found = withQueues(tt.receive, tt.processors, ethernetDevice("wan"))
			found.Devices[0].TxQueues = 16
		}
		link := wanLink(t, found, withCakeMQ)
		if link.Ingress.Cakes != tt.want || link.Ingress.IFB.Queues != tt.want {
			t.Errorf("%d receive queues, %d processors: %d and %d, should be %d", tt.receive, tt.processors, link.Ingress.Cakes, link.Ingress.IFB.Queues, tt.want)
		}
	}
}

// Each of the CAKEs may hold what the limit says.
func TestCakeMQMemory(t *testing.T) {
	found := withQueues(4, 4, ethernetDevice("wan"))
	link := wanLink(t, found, withCakeMQ)
	if m := link.Egress.memory(); m != 4*4<<20 {
		t.Errorf("the upload holds %d bytes", m)
	}
	found.Memory = 64 << 20
	p := Compile(profileOf(t, "wan", "docsis", 1000*mbit, 1000*mbit, withCakeMQ), found)
	if got := p.QueueMemory(); got > 4<<20 || got < 4<<20-64 {
		t.Errorf("all hold %d bytes, should be 4 MiB", got)
	}
	for _, s := range p.Links[0].Shapers() {
		if r := s.reason("memlimit"); s.Qdisc.Cake.MemoryLimit != 2<<20/4 || r.Value != "512Kb" || !strings.Contains(r.Why, "of each queue; cut, for") {
			t.Errorf("%d bytes, %+v", s.Qdisc.Cake.MemoryLimit, r)
		}
	}
}

// The steps from what was applied before to what is planned now.
func TestDiffCakeMQ(t *testing.T) {
	with := withQueues(4, 4, ethernetDevice("wan"))
	const (
		makeIFB   = "create ifb ifq4wan"
		makeRoot  = "create qdisc cake_mq 7371: on ifq4wan"
		redirect  = "create filter matchall prio 10 on wan, redirects to ifq4wan"
		redirect9 = "create filter matchall prio 9 on wan, redirects to ifq4wan"
		oldFilter = "delete filter matchall prio 10 on wan, redirects to ifb4wan (it is replaced by the one above)"
		oldIFB    = "delete ifb ifb4wan"
		offFilter = "delete filter matchall prio 10 on wan, redirects to ifq4wan (it is made again for the new IFB)"
		offIFB    = "delete ifb ifq4wan (it has 2 transmit queues instead of 4, which can't be changed; the download is unshaped until it is made again)"
		toMQ      = "replace qdisc cake_mq 7372: on wan (replaces cake 7371:, which can't be changed in place)"
	)
	mirrored := func(s State) State {
		s = clone(s)
		s.Device("wan").Filters = append(s.Device("wan").Filters, mirror(5))
		return s
	}
	fewer := after(t, with, withCakeMQ)
	fewer.Device("ifq4wan").TxQueues = 2
	tests := []struct {
		name     string
		found    State
		edits    []func(*config.Link)
		takeOver bool
		want     []string
	}{
		{"fresh", with, only(withCakeMQ), false, []string{makeIFB, makeRoot, createIngress, redirect, "create qdisc cake_mq 7371: on wan"}},
		{"from CAKE", after(t, with), only(withCakeMQ), false, []string{makeIFB, makeRoot, redirect9, oldFilter, oldIFB, toMQ}},
		{"to CAKE", after(t, with, withCakeMQ), nil, false, []string{
			createIFB, createIFBRoot, "create filter matchall prio 9 on wan, redirects to ifb4wan",
			"delete filter matchall prio 10 on wan, redirects to ifq4wan (it is replaced by the one above)", "delete ifb ifq4wan",
			"replace qdisc cake 7372: on wan (replaces cake_mq 7371:, which can't be changed in place)"}},
		{"a new rate", after(t, with, withCakeMQ), only(withCakeMQ, func(l *config.Link) { l.Upload.Invoice = 10 * mbit }), false,
			[]string{"change qdisc cake_mq 7371: on wan: bandwidth 19mbit → 9500kbit"}},
		{"more queues than before", fewer, only(withCakeMQ), false, []string{offFilter, offIFB, makeIFB, makeRoot, redirect}},
		{"likewise, and taking over", mirrored(fewer), only(withCakeMQ), true, []string{offFilter, offIFB, makeIFB, makeRoot, redirect,
			"delete filter matchall prio 5 on wan, mirrors to eth5 (sqmctl did not install it)"}},
		{"an apply was killed before it marked its IFB", withDevice(with, ifbDevice("ifq4wan", "", func(ifb *Device) { ifb.TxQueues = 2 })), only(withCakeMQ), false, []string{
			offIFB, makeIFB, makeRoot, createIngress, redirect, "create qdisc cake_mq 7371: on wan"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			link := wanLink(t, tt.found, tt.edits...)
			steps, err := Diff(link, tt.found, tt.takeOver)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, stepLines(steps)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if err := checkDiff(link, tt.found, tt.takeOver); err != nil {
				t.Error(err)
			}
		})
	}
	if _, err := Diff(wanLink(t, mirrored(fewer), withCakeMQ), mirrored(fewer), false); err == nil {
		t.Error("no conflict with another program's filter")
	}
}

// after is a state after an apply.
func after(t testing.TB, found State, edits ...func(*config.Link)) State {
	t.Helper()
	steps, err := Diff(wanLink(t, found, edits...), found, false)
	if err != nil {
		t.Fatal(err)
	}
	s, err := simulate(found, steps)
	if err != nil {
		t.Fatal(err)
	}
	s.OnlineProcessors = found.OnlineProcessors
	return s
}

func TestGatherQueues(t *testing.T) {
	d := Device{Name: "wan", Qdiscs: []QdiscState{
		{Qdisc: Qdisc{Kind: "cake_mq", Handle: HandleOwned, Parent: HandleRoot}, Stats: Stats{Packets: 40}},
		cakeQueue(HandleOwned|2, 30, 8, 14),
		cakeQueue(HandleOwned|1, 10, 4, 10),
		cakeQueue(0x10001, 99, 99, 99),
	}}
	d.GatherQueues()
	d.GatherQueues()
	root := d.At(HandleRoot)
	c := root.CakeStats
	if len(root.Queues) != 2 || root.Queues[0].Packets != 10 || root.Queues[1].Packets != 30 || root.Stats != (Stats{Packets: 40, Marks: 12}) {
		t.Errorf("%+v, %+v", root.Queues, root.Stats)
	}
	if c.AverageNetworkOffset != 13 || c.MinNetworkLength != 10 || c.MaxNetworkLength != 14 || c.MemoryLimit != 24 || c.ActiveQueues != 14 {
		t.Errorf("%+v", c)
	}
	want := Tin{SentPackets: 40, Marks: 12, Threshold: 14, AverageDelay: 13, BaseDelay: 13, PeakDelay: 14, BulkFlows: 24}
	if diff := cmp.Diff([]Tin{want}, c.Tins); diff != "" {
		t.Error(diff)
	}
	if alone := d.Qdiscs[1].CakeStats; alone.MemoryLimit != 14 || alone.Tins[0].SentPackets != 30 {
		t.Errorf("a queue's own was changed: %+v", alone)
	}
}

func cakeQueue(parent Handle, packets, marks uint64, n int) QdiscState {
	return QdiscState{
		Qdisc: Qdisc{Kind: "cake", Parent: parent}, Stats: Stats{Packets: packets, Marks: marks},
		CakeStats: &CakeStats{
			AverageNetworkOffset: n, MinNetworkLength: n, MaxNetworkLength: n, MemoryLimit: uint64(n), ActiveQueues: n,
			Tins: []Tin{{SentPackets: packets, Marks: marks, Threshold: 14, AverageDelay: 13, BaseDelay: 13, PeakDelay: 14, BulkFlows: n}},
		},
	}
}
