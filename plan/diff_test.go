package plan

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/config"
)

// The situations are of a docsis line of 100/20 Mbit/s at wan.
const (
	createIFB     = "create ifb ifb4wan"
	createIFBRoot = "create qdisc cake 7371: on ifb4wan"
	createIngress = "create qdisc ingress ffff: on wan"
	createFilter  = "create filter matchall prio 10 on wan, redirects to ifb4wan"
	createRoot    = "create qdisc cake 7371: on wan"
)

func wanLink(t testing.TB, found State, edits ...func(*config.Link)) Link {
	t.Helper()
	return compiled(t, profileOf(t, "wan", "docsis", 100*mbit, 20*mbit, edits...), found)
}

func uploadOnly(l *config.Link)   { l.Download.Off = true }
func downloadOnly(l *config.Link) { l.Upload.Off = true }

// applied is a device after an apply, with its IFB, changed as told.
func applied(t testing.TB, edits ...func(wan, ifb *Device)) State {
	t.Helper()
	before := stateOf(ethernetDevice("wan"))
	steps, err := Diff(wanLink(t, before), before, false)
	if err != nil {
		t.Fatal(err)
	}
	s, err := simulate(before, steps)
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range edits {
		edit(s.Device("wan"), s.Device("ifb4wan"))
	}
	return s
}

func wan(edits ...func(*Device)) State {
	d := ethernetDevice("wan")
	for _, edit := range edits {
		edit(&d)
	}
	return stateOf(d)
}

// root puts a qdisc of another program at the root, with classes.
func root(kind string, handle Handle, classes int) func(*Device) {
	return func(d *Device) {
		d.Qdiscs = append([]QdiscState{{Qdisc: Qdisc{Link: d.Name, Kind: kind, Handle: handle, Parent: HandleRoot}}}, d.Qdiscs[1:]...)
		for i := range classes {
			d.Classes = append(d.Classes, ClassState{Kind: kind, Handle: handle + Handle(i) + 1, Parent: HandleRoot})
		}
	}
}

func ingress(kind string, filters ...FilterState) func(*Device) {
	return func(d *Device) {
		*d = withIngress(*d, kind)
		for _, f := range filters {
			f.Link, f.Parent = d.Name, HandleIngressQdisc
			if kind == "clsact" {
				f.Parent = HandleClsactIngress
			}
			d.Filters = append(d.Filters, f)
		}
	}
}

func rule(kind string, priority, protocol uint16) FilterState {
	return FilterState{
		Filter: Filter{Link: "wan", Parent: HandleIngressQdisc, Kind: kind, Priority: priority, Protocol: protocol},
		Handle: 1, Selective: kind != "matchall",
	}
}

func redirect(kind string, priority, protocol uint16, target string) FilterState {
	f := rule(kind, priority, protocol)
	f.Redirect, f.Selective = target, false
	return f
}

func withDevice(s State, d Device) State {
	s.Devices = append(s.Devices, d)
	return s
}

func ifbDevice(name, alias string, edits ...func(*Device)) Device {
	d := ethernetDevice(name)
	d.Kind, d.Alias, d.Up = "ifb", alias, false
	for _, edit := range edits {
		edit(&d)
	}
	return d
}

func up(d *Device) { d.Up = true }

func TestDiff(t *testing.T) {
	for _, tt := range situations(t) {
		t.Run(tt.name, func(t *testing.T) {
			link := wanLink(t, tt.found, tt.edits...)
			got, err := Diff(link, tt.found, tt.takeOver)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, stepLines(got)); diff != "" {
				t.Errorf("steps differ (-want +got):\n%s", diff)
			}
			after, err := simulate(tt.found, got)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := Diff(link, after, tt.takeOver); err != nil || len(again) > 0 {
				t.Errorf("a second Diff says %q, %v", stepLines(again), err)
			}
		})
	}
}

func stepLines(steps []Step) []string {
	var all []string
	for _, s := range steps {
		all = append(all, s.String())
	}
	return all
}

type conflictCase struct {
	name     string
	found    State
	takeOver bool
	want     string
}

func TestDiffConflicts(t *testing.T) {
	for _, tt := range append(filterConflicts(t), nameConflicts()...) {
		t.Run(tt.name, func(t *testing.T) {
			steps, err := Diff(wanLink(t, tt.found), tt.found, tt.takeOver)
			var conflict *ConflictError
			if !errors.As(err, &conflict) || err.Error() != tt.want || steps != nil {
				t.Errorf("got  %v with %d steps\nwant %s", err, len(steps), tt.want)
			}
		})
	}
}

func filterConflicts(t testing.TB) []conflictCase {
	const advice = "turn that QoS off, or run again with --take-over"
	return []conflictCase{
		{
			"another program's redirects",
			wan(ingress("ingress", redirect("u32", 49151, 0x86DD, "wan-ifb"), redirect("u32", 49152, 0x0800, "wan-ifb"))), false,
			"wan: there are 2 filters on the way in that sqmctl did not install (u32 prio 49151 protocol ipv6, redirects to wan-ifb; u32 prio 49152 protocol ip, redirects to wan-ifb): " + advice,
		},
		{
			"a mirror", wan(ingress("ingress", mirror(49152))), false,
			"wan: there is a filter on the way in that sqmctl did not install (matchall prio 49152, mirrors to eth5): " + advice,
		},
		{
			"a program beside ours", applied(t, func(wan, _ *Device) { wan.Filters = append(wan.Filters, rule("bpf", 1, protocolAll)) }), false,
			"wan: there is a filter on the way in that sqmctl did not install (bpf prio 1): " + advice,
		},
		{
			"a redirect to itself", wan(ingress("ingress", redirect("u32", 39999, protocolAll, "wan"))), false,
			"wan: there is a filter on the way in that sqmctl did not install (u32 prio 39999, redirects to itself: all that it receives is lost): " + advice,
		},
		{
			"some packets go to a device that is gone", wan(ingress("ingress", func() FilterState { f := redirect("u32", 10, protocolAll, Gone); f.Selective = true; return f }())), false,
			"wan: there is a filter on the way in that sqmctl did not install (u32 prio 10, redirects to a device that is gone): " + advice,
		},
		{
			"a redirect whose device is gone", wan(ingress("ingress", redirect("u32", 49152, protocolAll, Gone))), false,
			"wan: there is a filter on the way in that sqmctl did not install (u32 prio 49152, redirects to a device that is gone): " + advice,
		},
	}
}

// nameConflicts are of a device that has the name of the IFB; no --take-over
// takes it.
func nameConflicts() []conflictCase {
	const rename = ", and sqmctl needs that name for the download: stop the program that made it, or rename it"
	return []conflictCase{
		{
			"another link has the name", withDevice(wan(), ethernetDevice("ifb4wan")), true,
			"wan: ifb4wan exists and is no IFB" + rename,
		},
		{
			"another program's IFB has the name", withDevice(wan(), ifbDevice("ifb4wan", "", up)), true,
			"wan: ifb4wan is an IFB that sqmctl did not make" + rename,
		},
		{
			"an IFB with somebody's alias", withDevice(wan(), ifbDevice("ifb4wan", "lab")), true,
			"wan: ifb4wan is an IFB that sqmctl did not make" + rename,
		},
		{
			"an IFB with a qdisc", withDevice(wan(), ifbDevice("ifb4wan", "", root("cake", 0x80010000, 0))), true,
			"wan: ifb4wan is an IFB that sqmctl did not make" + rename,
		},
		{
			"an IFB that has carried packets", withDevice(wan(), ifbDevice("ifb4wan", "", func(d *Device) { d.Counters.RxPackets = 1 })), true,
			"wan: ifb4wan is an IFB that sqmctl did not make" + rename,
		},
		{
			"an IFB in a bridge", withDevice(wan(), ifbDevice("ifb4wan", "", func(d *Device) { d.Master = "br0" })), true,
			"wan: ifb4wan is an IFB that sqmctl did not make" + rename,
		},
		{
			"an IFB with filters", withDevice(wan(), ifbDevice("ifb4wan", "", ingress("clsact", rule("bpf", 1, protocolAll)))), true,
			"wan: ifb4wan is an IFB that sqmctl did not make" + rename,
		},
		{
			"an IFB that somebody sends to",
			withDevice(withDevice(wan(), ifbDevice("ifb4wan", "")), redirecting("lan", "ifb4wan")), true,
			"wan: ifb4wan is an IFB that sqmctl did not make" + rename,
		},
		{
			"the IFB of another link", withDevice(wan(), ifbDevice("ifb4wan", OwnerAlias("dsl", true), up)), true,
			"wan: ifb4wan takes in the download of dsl" + rename,
		},
	}
}

func TestDiffMissingDevice(t *testing.T) {
	_, err := Diff(wanLink(t, stateOf()), stateOf(ethernetDevice("lan")), false)
	var missing *MissingDeviceError
	if !errors.As(err, &missing) || missing.Device != "wan" {
		t.Errorf("got %v", err)
	}
	const want = "wan does not exist: bring the interface up, then run sqmctl apply again, or correct interface in the profile"
	if err.Error() != want {
		t.Errorf("got %q", err)
	}
}

func mirror(priority uint16) FilterState {
	f := rule("matchall", priority, protocolAll)
	f.Mirror = "eth5"
	return f
}

func redirecting(device, target string) Device {
	d := ethernetDevice(device)
	ingress("ingress", redirect("matchall", 49152, protocolAll, target))(&d)
	return d
}
