package netlinkqdisc

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

func TestReadFilterOfAKernel(t *testing.T) {
	onWan := func(f plan.Filter) plan.Filter {
		f.Link, f.Parent = "wan", plan.HandleIngressQdisc
		return f
	}
	tests := []struct {
		label    string
		isFilter bool
		want     plan.FilterState
	}{
		{"filter wan matchall prio 10 handle 0", false, plan.FilterState{
			Filter: onWan(plan.Filter{Kind: "matchall", Priority: 10, Protocol: unix.ETH_P_ALL}), Selective: true}},
		{"filter wan matchall prio 10 handle 1", true, plan.FilterState{
			Filter: onWan(plan.Filter{Kind: "matchall", Priority: 10, Protocol: unix.ETH_P_ALL, Redirect: "ifb4wan"}), Handle: 1}},
		{"filter wan u32 prio 20 handle 80000000", false, plan.FilterState{
			Filter: onWan(plan.Filter{Kind: "u32", Priority: 20, Protocol: unix.ETH_P_IPV6}), Handle: 0x80000000, Selective: true}},
		{"filter wan u32 prio 20 handle 80000800", true, plan.FilterState{
			Filter: onWan(plan.Filter{Kind: "u32", Priority: 20, Protocol: unix.ETH_P_IPV6, Mirror: "lan"}), Handle: 0x80000800, Selective: true}},
		{"filter wan u32 prio 30 handle 80100800", true, plan.FilterState{
			Filter: onWan(plan.Filter{Kind: "u32", Priority: 30, Protocol: unix.ETH_P_ALL, Redirect: "ifb4wan"}), Handle: 0x80100800}},
		{"filter wan flower prio 40 handle 1", true, plan.FilterState{
			Filter: onWan(plan.Filter{Kind: "flower", Priority: 40, Protocol: unix.ETH_P_IP}), Handle: 1, Selective: true}},
		{"filter wan matchall prio 50 handle 1", true, plan.FilterState{
			Filter: onWan(plan.Filter{Kind: "matchall", Priority: 50, Protocol: unix.ETH_P_ALL}), Chain: 7, Handle: 1}},
	}
	devices := capturedNames(t)
	for _, test := range tests {
		got, isFilter, err := readFilter(capturedMessage(t, test.label), devices)
		if err != nil {
			t.Fatal(err)
		}
		got.Stats = plan.Stats{}
		if diff := cmp.Diff(test.want, got); diff != "" || isFilter != test.isFilter {
			t.Errorf("%s: is a filter: %v; %s", test.label, isFilter, diff)
		}
	}
}

func TestReadFilterCountsWhatItSaw(t *testing.T) {
	got, _, err := readFilter(capturedMessage(t, "filter wan matchall prio 10 handle 1"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Stats.Packets < 50 || got.Stats.Bytes < 50*200 {
		t.Errorf("%+v", got.Stats)
	}
}

// mirred is one action in a list.
func mirred(eaction, index uint32) []byte {
	parms := structOf(0, 0, 4, 0, 0, eaction, index)
	return nest(actKind, []byte("mirred\x00"), actOptions, nest(mirredParms, parms))
}

func TestReadActions(t *testing.T) {
	devices := names{3: "ifb0", 4: "lan"}
	counted := append(nest(actStats, nest(statsBasic, append(b64(600), b32(6)...))), nest(actKind, []byte("ctinfo\x00"))...)
	tests := []struct {
		name             string
		actions          []byte
		redirect, mirror string
		packets          uint64
	}{
		{"none", nil, "", "", 0},
		{"redirect", nest(1, mirred(1, 3)), "ifb0", "", 0},
		{"behind others", nest(1, counted, 2, mirred(1, 3)), "ifb0", "", 6},
		{"copy, then redirect", nest(1, mirred(2, 4), 2, mirred(1, 3)), "ifb0", "lan", 0},
		{"nothing comes after a redirect", nest(1, mirred(1, 3), 2, mirred(1, 4), 3, mirred(2, 4)), "ifb0", "", 0},
		{"to the ingress of a device", nest(1, mirred(3, 4)), "", "", 0},
		{"device is gone", nest(1, mirred(1, 0)), plan.Gone, "", 0},
		{"device is unknown", nest(1, mirred(2, 99)), "", "if99", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var f plan.FilterState
			if err := readActions(test.actions, &f, devices); err != nil {
				t.Fatal(err)
			}
			if f.Redirect != test.redirect || f.Mirror != test.mirror || f.Stats.Packets != test.packets {
				t.Errorf("redirect %q, mirror %q, %d packets", f.Redirect, f.Mirror, f.Stats.Packets)
			}
		})
	}
}

func TestReadU32Selective(t *testing.T) {
	key := func(mask uint32) []byte { return structOf(mask, 0, 0, 0) }
	selector := func(keys ...[]byte) []byte {
		b := make([]byte, u32SelLength)
		b[2] = byte(len(keys))
		for _, k := range keys {
			b = append(b, k...)
		}
		return b
	}
	tests := []struct {
		name      string
		selector  []byte
		selective bool
	}{
		{"no key", selector(), false},
		{"a key that looks at nothing", selector(key(0)), false},
		{"one of two looks at something", selector(key(0), key(0xFF)), true},
	}
	for _, test := range tests {
		m := tcMessage("u32", 0x80000800, plan.HandleIngressQdisc, unix.TCA_OPTIONS, nest(u32Sel, test.selector))
		got, isFilter, err := readFilter(m, nil)
		if err != nil || !isFilter || got.Selective != test.selective {
			t.Errorf("%s: selective %v, is a filter %v, error %v", test.name, got.Selective, isFilter, err)
		}
	}
}

// What can't be read is still a filter that somebody put there.
func TestReadFilterGarbled(t *testing.T) {
	for name, options := range map[string][]byte{
		"selector is short": nest(u32Sel, []byte{1}),
		"actions cut off":   nest(u32Sel, make([]byte, 16), u32Act, []byte{9, 9}),
		"action cut off":    nest(u32Sel, make([]byte, 16), u32Act, nest(1, []byte{9, 9})),
		"mirred is short":   nest(u32Sel, make([]byte, 16), u32Act, nest(1, nest(actKind, []byte("mirred\x00")))),
	} {
		m := tcMessage("u32", 0x80000800, plan.HandleIngressQdisc, unix.TCA_OPTIONS, options)
		got, isFilter, err := readFilter(m, nil)
		if !isFilter || !errors.Is(err, errOptions) && !errors.Is(err, errAttributes) {
			t.Errorf("%s: is a filter %v, error %v", name, isFilter, err)
		}
		if got.Kind != "u32" || got.Handle != 0x80000800 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestHostOrder(t *testing.T) {
	m, _ := parseMessage(append(header(7, 1, 0, filterInfo(&plan.Filter{Priority: 10, Protocol: unix.ETH_P_IPV6})), nest()...))
	got, _, _ := readFilter(&m, nil)
	if got.Priority != 10 || got.Protocol != unix.ETH_P_IPV6 {
		t.Errorf("priority %d, protocol %#x", got.Priority, got.Protocol)
	}
}
