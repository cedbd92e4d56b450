package main

import (
	"fmt"
	"net"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// dump is all that there is of devices and traffic control in a namespace.
type dump struct {
	text   []string         // the lines that ip and tc print
	qdiscs map[string][]any // as the kernel has them: tc prints no target and rounds sizes
}

// timers are those of a bridge, which run.
var timers = regexp.MustCompile(`([a-z]+_timer) +[0-9.]+`)

func (r *router) dump() dump {
	r.t.Helper()
	var d dump
	r.In(func() {
		text := command(r.t, "", "ip", "-d", "link") + command(r.t, shows(r.t), "tc", "-d", "-batch", "-")
		d = dump{strings.Split(timers.ReplaceAllString(text, "$1"), "\n"), rawQdiscs(r.t)}
	})
	return d
}

// shows asks tc for all that there is, line by line.
func shows(t *testing.T) string {
	t.Helper()
	devices, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	lines := "qdisc show\n"
	for _, d := range devices {
		lines += fmt.Sprintf("class show dev %[1]s\nfilter show dev %[1]s\nfilter show dev %[1]s ingress\nfilter show dev %[1]s egress\n", d.Name)
	}
	return lines
}

// command runs a command in the calling thread's namespace.
func command(t *testing.T, input, name string, args ...string) string {
	t.Helper()
	var said strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Stdin, cmd.Stderr = strings.NewReader(input), &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(cmd.Args, " "), err, said.String(), out)
	}
	return string(out)
}

// rawQdiscs are the handle, kind, options, size table and blocks of each
// qdisc, by device and parent.
func rawQdiscs(t *testing.T) map[string][]any {
	t.Helper()
	r := nl.NewNetlinkRequest(unix.RTM_GETQDISC, unix.NLM_F_DUMP)
	r.AddData(&nl.TcMsg{})
	answers, err := r.Execute(unix.NETLINK_ROUTE, unix.RTM_NEWQDISC)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]any{}
	for _, b := range answers {
		m := nl.DeserializeTcMsg(b)
		device, err := net.InterfaceByIndex(int(m.Ifindex))
		if err != nil {
			t.Fatal(err)
		}
		attributes, err := nl.ParseRouteAttr(b[nl.SizeofTcMsg:])
		if err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprintf("%s at %x", device.Name, m.Parent)
		all[key] = append(all[key], m.Handle)
		for _, a := range attributes {
			switch a.Attr.Type {
			case unix.TCA_KIND, unix.TCA_OPTIONS, unix.TCA_STAB, unix.TCA_INGRESS_BLOCK, unix.TCA_EGRESS_BLOCK:
				all[key] = append(all[key], a.Attr.Type, a.Value)
			}
		}
	}
	return all
}

// wantSame compares with an earlier dump byte for byte.
func (r *router) wantSame(when string, before dump) {
	r.t.Helper()
	compare(r.t, when, before, r.dump())
}

// volatile is what differs between two devices that are made alike, index and
// address, and the index of an action, and the burst of HTB, of which tc cuts the time to whole µs: apply
// itself reads it back and compares.
var volatile = regexp.MustCompile(`^\d+: |link/ether [0-9a-f:]{17} |index \d+ |c?burst \d+[KM]?b(/\d)? `)

// wantAlike compares attribute by attribute with a dump of what was made by
// another way, or at another time.
func (r *router) wantAlike(when string, want dump) {
	r.t.Helper()
	steady := func(d dump) dump {
		same := dump{qdiscs: d.qdiscs}
		for _, line := range d.text {
			same.text = append(same.text, volatile.ReplaceAllString(line, ""))
		}
		return same
	}
	compare(r.t, when, steady(want), steady(r.dump()))
}

func compare(t *testing.T, when string, want, got dump) {
	t.Helper()
	if diff := cmp.Diff(want.text, got.text); diff != "" {
		t.Errorf("%s: what ip and tc print differs (-want +got):\n%s", when, diff)
	}
	if diff := cmp.Diff(want.qdiscs, got.qdiscs); diff != "" {
		t.Errorf("%s: the bytes of qdiscs differ (-want +got):\n%s", when, diff)
	}
}
