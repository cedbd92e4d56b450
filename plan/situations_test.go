package plan

import (
	"slices"
	"testing"

	"github.com/sqmctl/sqmctl/config"
)

type situation struct {
	name     string
	found    State
	edits    []func(*config.Link)
	takeOver bool
	want     []string
}

func situations(t testing.TB) []situation {
	return slices.Concat(
		freshSituations(), foreignRoots(), qdiscRepairs(t), redirectRepairs(t), ifbRepairs(t), takeOvers(t), turnedOff(t),
	)
}

// freshSituations are of a device on which sqmctl has installed nothing.
func freshSituations() []situation {
	everything := []string{createIFB, createIFBRoot, createIngress, createFilter, createRoot}
	return []situation{
		{name: "nothing there", found: wan(), want: everything},
		{name: "no qdisc at all, as on a device that is down", found: wan(func(d *Device) { d.Qdiscs = nil }), want: everything},
		{name: "mq of the kernel", found: wan(root("mq", 0, 0)), want: everything},
		{
			name: "an ingress qdisc without filters", found: wan(ingress("ingress")),
			want: []string{createIFB, createIFBRoot, createFilter, createRoot},
		},
		{
			name: "a clsact without filters", found: wan(ingress("clsact")),
			want: []string{createIFB, createIFBRoot, createFilter, createRoot},
		},
		{
			name: "a filter in a chain that nothing leads to", found: wan(ingress("clsact", func() FilterState { f := rule("flower", 1, 0x0800); f.Chain = 5; return f }())),
			want: []string{createIFB, createIFBRoot, "create filter matchall prio 10 on wan, redirects to ifb4wan", createRoot},
		},
		{
			name: "what the kernel lists beside filters", found: wan(ingress("ingress", head("bpf", 1, 0), head("u32", 10, 0), head("u32", 10, 0x80000000))),
			want: []string{createIFB, createIFBRoot, "create filter matchall prio 9 on wan, redirects to ifb4wan", createRoot},
		},
		{
			name: "an apply was killed before it marked its IFB", found: withDevice(wan(), ifbDevice("ifb4wan", "")),
			want: []string{
				"change ifb ifb4wan: alias '' → 'sqmctl: download of wan (and its ingress qdisc)', state down → up (an apply that was interrupted left it without a mark; it has never carried a packet)",
				createIFBRoot, createIngress, createFilter, createRoot,
			},
		},
		{name: "upload only", found: wan(), edits: only(uploadOnly), want: []string{createRoot}},
		{
			name: "upload only beside another program's way in", found: wan(ingress("ingress", mirror(49152))), edits: only(uploadOnly),
			want: []string{createRoot},
		},
		{name: "download only", found: wan(root("htb", 0x10000, 4)), edits: only(downloadOnly), want: everything[:4]},
	}
}

// head is a priority without filters, or a hash table of u32.
func head(kind string, priority uint16, handle uint32) FilterState {
	f := rule(kind, priority, protocolAll)
	f.Handle = handle
	return f
}

func foreignRoots() []situation {
	withRoot := func(last string) []string {
		return []string{createIFB, createIFBRoot, createIngress, createFilter, last}
	}
	return []situation{
		{
			name: "htb of another program", found: wan(root("htb", 0x10000, 4)),
			want: withRoot("replace qdisc cake 7371: on wan (replaces htb 1: with 4 classes, which sqmctl did not install)"),
		},
		{
			name: "cake of another program", found: wan(root("cake", 0x80010000, 0)),
			want: withRoot("replace qdisc cake 7371: on wan (replaces cake 8001:, which sqmctl did not install)"),
		},
		{
			name: "another kind has our handle", found: wan(root("htb", HandleOwned, 1)),
			want: withRoot("replace qdisc cake 7372: on wan (replaces htb 7371: with 1 class, which can't be changed in place)"),
		},
		{
			name: "a child has our handle",
			found: wan(root("htb", 0x10000, 1), func(d *Device) {
				d.Qdiscs = append(d.Qdiscs, QdiscState{Qdisc: Qdisc{Link: "wan", Kind: "cake", Handle: HandleOwned, Parent: 0x10001}})
			}),
			want: withRoot("replace qdisc cake 7372: on wan (replaces htb 1: with 1 class, which sqmctl did not install)"),
		},
	}
}

func only(edits ...func(*config.Link)) []func(*config.Link) { return edits }

// qdiscRepairs are of a device on which sqmctl has been, and so are the others.
func qdiscRepairs(t testing.TB) []situation {
	return []situation{
		{name: "as planned", found: applied(t), want: nil},
		{
			name: "a new rate", found: applied(t), edits: only(func(l *config.Link) { l.Upload.Invoice = 10 * mbit }),
			want: []string{"change qdisc cake 7371: on wan: bandwidth 19mbit → 9500kbit"},
		},
		{
			name: "attributes changed by hand", found: applied(t, func(wan, _ *Device) {
				c := *wan.At(HandleRoot).Cake
				c.NAT, c.MemoryLimit, c.FwMark, c.Encapsulation.MPU = false, 0, 0xff, 0
				wan.At(HandleRoot).Cake = &c
			}),
			want: []string{"change qdisc cake 7371: on wan: nat nonat → nat, mpu 0 → 64, memlimit 0 → 4Mb, fwmark 0xff → 0"},
		},
		{
			name: "a size table by hand", found: applied(t, func(wan, _ *Device) { wan.At(HandleRoot).Stab = &Stab{Overhead: 18, MTU: 2047, Size: 512} }),
			want: []string{"change qdisc cake 7371: on wan: stab mtu 2047 tsize 512 mpu 0 overhead 18 linklayer ethernet → none"},
		},
		{
			name: "the root is the default again", found: applied(t, func(wan, _ *Device) {
				wan.Qdiscs[0] = defaultQdisc("wan")
				wan.Qdiscs = wan.Qdiscs[:1]
				wan.Filters = nil
			}),
			want: []string{createIngress, createFilter, createRoot},
		},
	}
}

func redirectRepairs(t testing.TB) []situation {
	return []situation{
		{
			name: "the redirect is gone", found: applied(t, func(wan, _ *Device) { wan.Filters = nil }),
			want: []string{createFilter},
		},
		{
			name: "the redirect is a u32", found: applied(t, func(wan, _ *Device) { wan.Filters[0].Kind = "u32"; wan.Filters[0].Handle = 0x80000800 }),
			want: nil,
		},
		{
			name: "the redirect is for IPv4 only", found: applied(t, func(wan, _ *Device) { wan.Filters[0].Protocol = 0x0800 }),
			want: []string{
				"create filter matchall prio 9 on wan, redirects to ifb4wan",
				"delete filter matchall prio 10 protocol ip on wan, redirects to ifb4wan (it is replaced by the one above)",
			},
		},
		{
			name: "the redirect picks packets", found: applied(t, func(wan, _ *Device) { wan.Filters[0].Kind = "u32"; wan.Filters[0].Selective = true }),
			want: []string{
				"create filter matchall prio 9 on wan, redirects to ifb4wan",
				"delete filter u32 prio 10 on wan, redirects to ifb4wan (it is replaced by the one above)",
			},
		},
	}
}

func ifbRepairs(t testing.TB) []situation {
	return []situation{
		{
			name: "the IFB is down", found: applied(t, func(_, ifb *Device) { ifb.Up = false }),
			want: []string{"change ifb ifb4wan: state down → up"},
		},
		{
			name: "the IFB has another program's qdisc", found: applied(t, func(_, ifb *Device) { root("fq_codel", 0x80030000, 0)(ifb) }),
			want: []string{"replace qdisc cake 7371: on ifb4wan (replaces fq_codel 8003:, which sqmctl did not install)"},
		},
		{
			name: "the IFB was deleted", found: func() State {
				s := applied(t)
				if err := s.doIFB(Delete, &IFB{Link: "ifb4wan"}); err != nil {
					t.Fatal(err)
				}
				return s
			}(),
			want: []string{
				createIFB, createIFBRoot, "create filter matchall prio 9 on wan, redirects to ifb4wan",
				"delete filter matchall prio 10 on wan, redirects to a device that is gone (it is replaced by the one above)",
			},
		},
		{
			name: "the IFB was renamed", found: applied(t, func(wan, ifb *Device) { ifb.Name, wan.Filters[0].Redirect = "ifb0", "ifb0" }),
			want: []string{
				createIFB, createIFBRoot, "create filter matchall prio 9 on wan, redirects to ifb4wan",
				"delete filter matchall prio 10 on wan, redirects to ifb0 (it is replaced by the one above)", "delete ifb ifb0",
			},
		},
		{
			name: "another program replaced our ingress qdisc by a clsact", found: applied(t, func(wan, _ *Device) { wan.At(HandleIngress).Kind = "clsact"; wan.Filters = nil }),
			want: []string{"change ifb ifb4wan: alias 'sqmctl: download of wan (and its ingress qdisc)' → 'sqmctl: download of wan'", createFilter},
		},
	}
}

// takeOvers are of a device whose way in another program uses.
func takeOvers(t testing.TB) []situation {
	const foreign = " (sqmctl did not install it)"
	return []situation{
		{
			name: "redirects", takeOver: true,
			found: wan(ingress("ingress", redirect("u32", 49151, 0x86DD, "wan-ifb"), redirect("u32", 49152, 0x0800, "wan-ifb"))),
			want: []string{
				createIFB, createIFBRoot, createFilter,
				"delete filter u32 prio 49151 protocol ipv6 on wan, redirects to wan-ifb" + foreign,
				"delete filter u32 prio 49152 protocol ip on wan, redirects to wan-ifb" + foreign, createRoot,
			},
		},
		{
			name: "at our priority", takeOver: true, found: wan(ingress("clsact", redirect("u32", 10, protocolAll, "ifb0"))),
			want: []string{
				createIFB, createIFBRoot, "create filter matchall prio 9 on wan, redirects to ifb4wan",
				"delete filter u32 prio 10 on wan, redirects to ifb0" + foreign, createRoot,
			},
		},
		{
			name: "many filters of one priority go together", takeOver: true, found: wan(ingress("ingress", rule("flower", 5, 0x0800), rule("flower", 5, 0x0800))),
			want: []string{createIFB, createIFBRoot, createFilter, "delete filter flower prio 5 protocol ip on wan (and all 2 filters of this priority, of which sqmctl did not install 2)", createRoot},
		},
		{
			name: "beside ours", takeOver: true, found: applied(t, func(wan, _ *Device) { wan.Filters = append(wan.Filters, rule("bpf", 1, protocolAll)) }),
			want: []string{"delete filter bpf prio 1 on wan" + foreign},
		},
		{
			name: "together with ours", takeOver: true,
			found: applied(t, func(wan, _ *Device) {
				wan.Filters[0].Kind = "u32"
				wan.Filters = append(wan.Filters, rule("u32", 10, protocolAll))
			}),
			want: []string{"create filter matchall prio 9 on wan, redirects to ifb4wan", "delete filter u32 prio 10 on wan, redirects to ifb4wan (and all 2 filters of this priority, of which sqmctl did not install 1)"},
		},
	}
}

// turnedOff are of directions that the profile no longer shapes.
func turnedOff(t testing.TB) []situation {
	deleteDownload := []string{"delete filter matchall prio 10 on wan, redirects to ifb4wan", "delete qdisc ingress ffff: on wan", "delete ifb ifb4wan"}
	return []situation{
		{name: "download off", found: applied(t), edits: only(uploadOnly), want: deleteDownload},
		{name: "upload off", found: applied(t), edits: only(downloadOnly), want: []string{"delete qdisc cake 7371: on wan"}},
		{
			name: "download off beside a filter of another program", edits: only(uploadOnly),
			found: applied(t, func(wan, _ *Device) { wan.Filters = append(wan.Filters, rule("bpf", 1, protocolAll)) }),
			want:  []string{deleteDownload[0], deleteDownload[2]},
		},
	}
}
