package plan

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The steps of a whole teardown.
const (
	redirectGoes = "delete filter matchall prio 10 on wan, redirects to ifb4wan"
	ingressGoes  = "delete qdisc ingress ffff: on wan"
	ifbGoes      = "delete ifb ifb4wan"
	rootGoes     = "delete qdisc cake 7371: on wan"
)

type teardown struct {
	name  string
	found State
	want  []string
}

func TestTeardown(t *testing.T) {
	for _, tt := range slices.Concat(ownTeardowns(t), sharedTeardowns(t)) {
		t.Run(tt.name, func(t *testing.T) {
			got := Teardown("wan", tt.found)
			if diff := cmp.Diff(tt.want, stepLines(got)); diff != "" {
				t.Errorf("steps differ (-want +got):\n%s", diff)
			}
			after, err := simulate(tt.found, got)
			if err != nil {
				t.Fatal(err)
			}
			if again := Teardown("wan", after); len(again) > 0 {
				t.Errorf("a second Teardown says %q", stepLines(again))
			}
		})
	}
}

// sharedTeardowns are of devices that other programs use as well.
func sharedTeardowns(t testing.TB) []teardown {
	foreign := func(wan, _ *Device) { wan.Filters = append(wan.Filters, rule("bpf", 1, protocolAll)) }
	return []teardown{
		{"nothing", wan(), nil},
		{"no device", stateOf(), nil},
		{
			"another program's", withDevice(wan(root("cake", 0x80010000, 0), ingress("ingress", redirect("matchall", 10, protocolAll, "ifb4wan"))), ifbDevice("ifb4wan", "", up)),
			nil,
		},
		{"a filter of another program is left", applied(t, foreign), []string{redirectGoes, ifbGoes, rootGoes}},
		{
			"another program's filter in a chain", applied(t, func(wan, _ *Device) {
				f := rule("flower", 10, protocolAll)
				f.Chain = 5
				wan.Filters = append(wan.Filters, f)
			}), []string{redirectGoes, ifbGoes, rootGoes},
		},
		{
			"the ingress qdisc was there before", applied(t, func(_, ifb *Device) { ifb.Alias = OwnerAlias("wan", false) }),
			[]string{redirectGoes, ifbGoes, rootGoes},
		},
		{
			"a clsact was put in place of our ingress qdisc", applied(t, func(wan, _ *Device) { wan.At(HandleIngress).Kind = "clsact" }),
			[]string{redirectGoes, ifbGoes, rootGoes},
		},
		{
			"a clsact by others", wanAndIFB(ingress("clsact", redirect("matchall", 10, protocolAll, "ifb4wan")), false),
			[]string{redirectGoes, ifbGoes},
		},
		{
			"another program uses our priority", applied(t, func(wan, _ *Device) {
				wan.Filters[0].Kind = "u32"
				wan.Filters = append(wan.Filters, rule("u32", 10, protocolAll))
			}),
			[]string{
				"delete filter u32 prio 10 on wan, redirects to ifb4wan (and all 2 filters of this priority, of which sqmctl did not install 1)",
				ingressGoes, ifbGoes, rootGoes,
			},
		},
	}
}

// ownTeardowns are of devices on which only sqmctl has been.
func ownTeardowns(t testing.TB) []teardown {
	return []teardown{
		{"everything", applied(t), []string{redirectGoes, ingressGoes, ifbGoes, rootGoes}},
		{
			"killed after the filter went", applied(t, func(wan, _ *Device) { wan.Filters = nil }),
			[]string{ingressGoes, ifbGoes, rootGoes},
		},
		{
			"killed after the ingress qdisc went", applied(t, func(wan, _ *Device) { wan.Filters, wan.Qdiscs = nil, wan.Qdiscs[1:] }),
			[]string{ifbGoes, rootGoes},
		},
		{
			"the device is gone", func() State { s := applied(t); s.Devices = s.Devices[1:]; return s }(),
			[]string{ifbGoes},
		},
		{
			"the IFB was renamed", applied(t, func(wan, ifb *Device) { ifb.Name, wan.Filters[0].Redirect = "ifb0", "ifb0" }),
			[]string{"delete filter matchall prio 10 on wan, redirects to ifb0", ingressGoes, "delete ifb ifb0", rootGoes},
		},
		{
			"the IFB was deleted", func() State {
				s := applied(t)
				if err := s.doIFB(Delete, &IFB{Link: "ifb4wan"}); err != nil {
					t.Fatal(err)
				}
				return s
			}(),
			[]string{"delete filter matchall prio 10 on wan, redirects to a device that is gone", rootGoes},
		},
		{
			"our second handle", applied(t, func(wan, _ *Device) { wan.At(HandleRoot).Handle = HandleOwned + 0x10000 }),
			[]string{redirectGoes, ingressGoes, ifbGoes, "delete qdisc cake 7372: on wan"},
		},
	}
}

func wanAndIFB(edit func(*Device), ingressQdisc bool) State {
	return withDevice(wan(edit), ifbDevice("ifb4wan", OwnerAlias("wan", ingressQdisc), up))
}

func TestTeardownRestores(t *testing.T) {
	for _, before := range []State{wan(), wan(ingress("ingress")), wan(ingress("clsact"))} {
		steps, err := Diff(wanLink(t, before), before, false)
		if err != nil {
			t.Fatal(err)
		}
		during, err := simulate(before, steps)
		if err != nil {
			t.Fatal(err)
		}
		after, err := simulate(during, Teardown("wan", during))
		if err != nil {
			t.Fatal(err)
		}
		if diff := differences(before, after); diff != "" {
			t.Errorf("not as before (-before +after):\n%s", diff)
		}
	}
}
