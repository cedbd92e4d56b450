package tcdump

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// read reads a paste in which everything must be readable but the lines named.
func read(t *testing.T, text string, unread ...string) plan.State {
	t.Helper()
	dump, err := Read(strings.NewReader(text), "paste")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, line := range dump.Unread {
		lines = append(lines, line.Text)
	}
	if diff := cmp.Diff(unread, lines); diff != "" {
		t.Errorf("what can't be read (-want +got):\n%s", diff)
	}
	return dump.State
}

func fixture(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func same[T any](t *testing.T, what string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

const prose = "Hi all, my upload is terrible although the shaper runs. This is what I have:"

// Everything that a careful person pastes, read field by field.
func TestForumPost(t *testing.T) {
	s := read(t, fixture(t, "forum-post.txt"), prose)
	var names []string
	for _, d := range s.Devices {
		names = append(names, d.Name)
	}
	same(t, "devices", []string{"lo", "eth1", "ifb4eth1"}, names)
	wan := s.Device("eth1")
	same(t, "qdiscs", []plan.QdiscState{wanRoot, {
		Qdisc: plan.Qdisc{Link: "eth1", Kind: "ingress", Handle: plan.HandleIngressQdisc, Parent: plan.HandleIngress},
		Stats: plan.Stats{Bytes: 2200134001, Packets: 1801221},
	}}, wan.Qdiscs)
	same(t, "filters", []plan.FilterState{{
		Filter: plan.Filter{Link: "eth1", Parent: plan.HandleIngressQdisc, Kind: "u32", Priority: 10, Protocol: 3, Redirect: "ifb4eth1"},
		Handle: 0x80000800,
		Stats:  plan.Stats{Bytes: 2199001112, Packets: 1800311},
	}}, wan.Filters)
	wan.Qdiscs, wan.Filters = nil, nil
	same(t, "device", plan.Device{
		Name: "eth1", Index: 4, Type: 1, Up: true, Carrier: true, MTU: 1500, TxQueues: 8, TxQueueLen: 1000,
		Counters: plan.Counters{RxBytes: 2225351029, RxPackets: 1801221, RxDropped: 12, TxBytes: 735001332, TxPackets: 1202499, TxDropped: 3},
		Unknown:  plan.DeviceUnknown{Rounded: true},
	}, *wan)
	ifb := s.Device("ifb4eth1")
	same(t, "what was not shown", plan.DeviceUnknown{Link: true, Counters: true, Filters: true, Rounded: true}, ifb.Unknown)
	if root := ifb.At(plan.HandleRoot); root.Stats.Marks != 4 || len(root.CakeStats.Tins) != 1 || root.Cake.MemoryLimit != 32<<20 {
		t.Errorf("the IFB has %+v, %+v", root, root.CakeStats)
	}
	s.Devices = nil
	same(t, "host", plan.State{
		DefaultQdisc: "fq_codel", CongestionControl: "cubic", DefaultRoutes: []string{"eth1"},
		FlowTables: []plan.FlowTable{{Name: "ft", Family: "inet", Devices: []string{"br-lan", "eth1"}, Hardware: true}},
		Configured: []plan.Configured{{
			Program: "sqm-scripts", File: "/etc/config/sqm", Device: "eth1", Enabled: true,
			Upload: 31 * linklayer.Mbit, Download: 190 * linklayer.Mbit, Qdisc: "cake", Script: "piece_of_cake.qos",
		}},
	}, s)
}

const ms, us = time.Millisecond, time.Microsecond

var wanRoot = plan.QdiscState{
	Qdisc: plan.Qdisc{Link: "eth1", Kind: "cake", Handle: 0x80090000, Parent: plan.HandleRoot, Cake: &plan.Cake{
		Rate: 31 * linklayer.Mbit, Diffserv: plan.Diffserv3, Isolation: plan.DualSrchost, NAT: true, AckFilter: plan.AckFilterOn,
		SplitGSO: true, RTT: 100 * ms, Target: 5 * ms, Encapsulation: linklayer.Encapsulation{Overhead: 18, MPU: 64},
	}},
	Stats: plan.Stats{Bytes: 734501221, Packets: 1203311, Drops: 812, Overlimits: 1400211, Requeues: 3, Backlog: 31 << 10, Queued: 22, Marks: 18},
	CakeStats: &plan.CakeStats{
		Capacity: 31 * linklayer.Mbit, MemoryLimit: 4 << 20, MemoryUsed: 612 << 10, AverageNetworkOffset: 14,
		MinNetworkLength: 28, MaxNetworkLength: 1500, MinAdjustedLength: 64, MaxAdjustedLength: 1518,
		Tins: []plan.Tin{
			{Threshold: 1937 * linklayer.Kbit, Target: 9380 * us, Interval: 104 * ms, Quantum: 300},
			{
				Threshold: 31 * linklayer.Mbit, Target: 5 * ms, Interval: 100 * ms, PeakDelay: 3410 * us, AverageDelay: 918 * us, BaseDelay: 8 * us,
				BacklogBytes: 31744, SentPackets: 1199012, SentBytes: 733812001, WayIndirectHits: 18121, WayMisses: 40112, WayCollisions: 2,
				Drops: 790, Marks: 17, AcksDropped: 22, SparseFlows: 3, BulkFlows: 2, MaxPacketLength: 12112, Quantum: 946,
			},
			{
				Threshold: 7750 * linklayer.Kbit, Target: 5 * ms, Interval: 100 * ms, PeakDelay: 61 * us, AverageDelay: 5 * us, BaseDelay: 2 * us,
				SentPackets: 5133, SentBytes: 901220, WayIndirectHits: 3, WayMisses: 211, Marks: 1, SparseFlows: 1, MaxPacketLength: 590, Quantum: 300,
			},
		},
	},
}

// A paste that is too large ends in an error, and soon; so does one that is no
// router's. What is within the bounds is read, whatever it is, just as soon.
func TestSize(t *testing.T) {
	if raceDetector {
		t.Skip("says nothing of the time, and takes a minute; one goroutine reads")
	}
	const large = 50 << 20
	post := fixture(t, "forum-post.txt")
	full := func(unit string) string { return strings.Repeat(unit, mostBytes/len(unit)-9) } // room for what goes before
	devices := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < mostBytes-1000; i++ {
			b.WriteString(strings.Replace(format, "N", "d"+strconv.Itoa(i), 1))
		}
		return b.String()
	}
	for name, test := range map[string]struct {
		text string
		err  string
	}{
		"50 MB of an output":          {strings.Repeat(post, large/len(post)), "larger than 8 MiB"},
		"50 MB of one line":           {strings.Repeat("x ", large/2), "larger than 8 MiB"},
		"50 MB of brackets":           {strings.Repeat("[{\"a\":", large/6), "larger than 8 MiB"},
		"8 MiB of an output":          {full(post), ""},
		"8 MiB of one line":           {full("qdisc cake "), ""},
		"8 MiB of one word":           {full("x"), ""},
		"8 MiB of empty lines":        {full("\n"), ""},
		"8 MiB of brackets":           {full("["), ""},
		"8 MiB of brackets by line":   {full("[\n"), ""},
		"8 MiB of deep JSON":          {full("[{\"a\":"), ""},
		"8 MiB of small objects":      {"[" + full("{},") + "{}]", ""},
		"8 MiB of quotes":             {"[{" + full("\""), ""},
		"8 MiB of broken JSON":        {"[" + full("{\"protocol\":x},"), ""},
		"8 MiB of prompts":            {full("$ tc -s filter show dev eth0 ingress\n"), ""},
		"8 MiB of escape sequences":   {full("\x1b[31m"), ""},
		"8 MiB of tags":               {full("[code]<b>"), ""},
		"8 MiB of tables":             {"qdisc cake 1: dev eth0 root\n" + full("quantum 1 2 3\n"), ""},
		"8 MiB of options":            {"config queue a\n" + full("option a b\n"), ""},
		"8 MiB of sections":           {full("config queue a\noption interface a\n"), ""},
		"8 MiB of flow tables":        {full("flowtable f {\n}\n"), ""},
		"8 MiB of devices":            {devices("qdisc cake 1: dev N root\n"), "more than 2048 devices"},
		"8 MiB of devices by ip link": {devices("3: N: <UP> mtu 1500\n"), "more than 2048 devices"},
		"8 MiB of classes":            {"$ tc class show dev eth0\n" + full("class htb 1:1 root rate 1bit\n"), "more than 32768 qdiscs"},
		"8 MiB of filters":            {full("filter dev eth0 protocol all pref 1 u32\n"), "more than 32768 qdiscs"},
	} {
		t.Run(name, func(t *testing.T) {
			before := processorTime(t)
			_, err := Read(strings.NewReader(test.text), "paste")
			if took := processorTime(t) - before; took > 2*time.Second {
				t.Errorf("took %s", took)
			}
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("ended with %v, should say %q", err, test.err)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of more than one line: %v", err)
			}
		})
	}
}

// processorTime is what this thread has used: a stopwatch would measure what else
// the machine does.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	runtime.LockOSThread() // for the rest of the test
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
