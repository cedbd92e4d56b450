package netlinkqdisc

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	mdlayher "github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

func TestFailure(t *testing.T) {
	onWan := &plan.Qdisc{Link: "wan", Kind: "cake", Handle: plan.HandleOwned, Parent: plan.HandleRoot, Cake: &plan.Cake{NAT: true}}
	ingress := &plan.Qdisc{Link: "wan", Kind: "ingress", Handle: plan.HandleIngressQdisc, Parent: plan.HandleIngress}
	ifb := &plan.IFB{Link: "ifb4wan"}
	redirect := &plan.Filter{Link: "wan", Kind: "matchall", Priority: 10, Protocol: 3, Redirect: "ifb4wan"}
	told := func(errno unix.Errno, text string) error {
		return &mdlayher.OpError{Op: "receive", Err: errno, Message: text}
	}
	tests := []struct {
		name   string
		step   plan.Step
		err    error
		want   string // how it begins
		advice string // what it has, beside
	}{
		{"go-tc's error", plan.Step{Object: onWan}, told(unix.ENOENT, "Specified qdisc kind is unknown"),
			"create qdisc cake 7371: on wan: no such file or directory (ENOENT: Specified qdisc kind is unknown): this kernel has no CAKE", "kmod-sched-cake"},
		{"nl's error", plan.Step{Object: ifb}, fmt.Errorf("%w: %s", unix.EOPNOTSUPP, "Unknown device type"),
			"create ifb ifb4wan: operation not supported (EOPNOTSUPP: Unknown device type): this kernel has no IFB", "kmod-ifb"},
		{"old kernel without text", plan.Step{Object: ifb}, unix.EOPNOTSUPP,
			"create ifb ifb4wan: operation not supported (EOPNOTSUPP): this kernel has no IFB", "module ifb"},
		{"qdisc that isn't there any more", plan.Step{Action: plan.Change, Object: onWan}, told(unix.ENOENT, "Qdisc not found. To create specify NLM_F_CREATE flag"),
			"change qdisc cake 7371: on wan: no such file or directory (ENOENT: Qdisc not found. To create specify NLM_F_CREATE flag)", ""},
		{"nat", plan.Step{Object: onWan}, unix.EOPNOTSUPP,
			"create qdisc cake 7371: on wan: operation not supported (EOPNOTSUPP): this kernel can't look through NAT", "kmod-nf-conntrack"},
		{"no fq", plan.Step{Object: &plan.Qdisc{Link: "wan", Kind: "fq", Handle: plan.HandleOwned, Parent: plan.HandleRoot}}, told(unix.ENOENT, "Specified qdisc kind is unknown"),
			"create qdisc fq 7371: on wan: no such file or directory (ENOENT: Specified qdisc kind is unknown): this kernel has no fq", "kmod-sched (OpenWrt)"},
		{"no ingress", plan.Step{Object: ingress}, unix.ENOENT,
			"create qdisc ingress ffff: on wan: no such file or directory (ENOENT): this kernel has no ingress qdisc", "sch_ingress"},
		{"somebody was faster", plan.Step{Object: ingress}, told(unix.EEXIST, "Exclusivity flag on, cannot modify"),
			"create qdisc ingress ffff: on wan: file exists (EEXIST: Exclusivity flag on, cannot modify): another program", "apply again"},
		{"no ctinfo", plan.Step{Object: &plan.Filter{Link: "wan", Kind: "matchall", Priority: 10, Protocol: 3, Redirect: "ifb4wan", RestoreDSCP: true}},
			told(unix.ENOENT, "Failed to load TC action module"), "create filter matchall prio 10 on wan, restores DSCP, redirects to ifb4wan: no such file or directory (ENOENT: Failed to load TC action module): this kernel can't restore", "kmod-sched-ctinfo"},
		{"no u32 for the tiers", plan.Step{Object: &plan.Marks{Link: "wan", Priority: 1}}, told(unix.ENOENT, "TC classifier not found"),
			"create filters u32 prio 1 by DSCP on wan: no such file or directory (ENOENT: TC classifier not found): this kernel has no classifier u32", `diffserv = "besteffort"`},
		{"no classifier", plan.Step{Object: redirect}, told(unix.ENOENT, "TC classifier not found"),
			"create filter matchall prio 10 on wan, redirects to ifb4wan: no such file or directory (ENOENT: TC classifier not found): this kernel has neither", "kmod-sched-core"},
		{"no mirred", plan.Step{Object: redirect}, told(unix.ENOENT, "Failed to load TC action module"),
			"create filter matchall prio 10 on wan, redirects to ifb4wan: no such file or directory (ENOENT: Failed to load TC action module): this kernel can't redirect", "act_mirred"},
		{"not allowed", plan.Step{Action: plan.Delete, Object: ifb}, unix.EPERM,
			"delete ifb ifb4wan: operation not permitted (EPERM): run it as root", "CAP_NET_ADMIN"},
		{"device is gone", plan.Step{Object: onWan}, unix.ENODEV,
			"create qdisc cake 7371: on wan: no such device (ENODEV): wan has gone", "apply again"},
		{"name is taken", plan.Step{Object: ifb}, unix.EEXIST,
			"create ifb ifb4wan: file exists (EEXIST): another device is called ifb4wan", "rename"},
		{"never sent", plan.Step{Object: onWan}, errors.New("no buffer"), "create qdisc cake 7371: on wan: no buffer", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := failure(&test.step, test.err)
			if !strings.HasPrefix(e.Error(), test.want) || !strings.Contains(e.Advice, test.advice) || (e.Advice == "") != (test.advice == "") {
				t.Errorf("%q\nwant  %q … %q", e, test.want, test.advice)
			}
			if strings.Contains(e.Error(), "\n") || !errors.Is(e, test.err) || e.Device != test.step.Object.Device() {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestUndoNamesWhatIsLeft(t *testing.T) {
	u := &Undo{}
	var order []string
	did := func(name string, err error) {
		u.add(name, func() error { order = append(order, name); return err })
	}
	did("first", unix.EBUSY)
	did("second", nil)
	did("third", &partError{"class htb 1:1", fmt.Errorf("%w: %s", unix.EINVAL, "no such parent")})
	err := u.failed(errors.New("it failed"))
	const want = "it failed; not as it was before: third: class htb 1:1: invalid argument (EINVAL: no such parent); " +
		"first: device or resource busy (EBUSY); compare with: tc -d qdisc, tc -d filter, ip -d link"
	if err.Error() != want {
		t.Errorf("%q\nwant  %q", err, want)
	}
	if !errors.Is(err, unix.EBUSY) || !errors.Is(err, unix.EINVAL) {
		t.Errorf("%v doesn't unwrap", err)
	}
	if got := strings.Join(order, " "); got != "third second first" {
		t.Errorf("undone in the order %s", got)
	}
}
