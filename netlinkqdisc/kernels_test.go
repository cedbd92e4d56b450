package netlinkqdisc

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
)

// Each kernel lacks a part. The error says which and what brings it, in the
// kernel's own words too, and nothing has changed.
func TestKernelsWithoutAPart(t *testing.T) {
	tests := []struct {
		kernel string
		want   string
	}{
		{"no-cake", "create qdisc cake 7371: on ifb4wan: no such file or directory (ENOENT: Specified qdisc kind is unknown): " +
			"this kernel has no CAKE; install kmod-sched-cake (OpenWrt), or boot a kernel that has the module sch_cake, as linux-image-amd64 does (Debian)"},
		{"no-ifb", "create ifb ifb4wan: operation not supported (EOPNOTSUPP: Unknown device type): " +
			"this kernel has no IFB devices; install kmod-ifb (OpenWrt), or boot a kernel that has the module ifb, as linux-image-amd64 does (Debian)" + onUbuntu + uploadAlone},
		{"no-ingress", "create qdisc ingress ffff: on wan: no such file or directory (ENOENT: Specified qdisc kind is unknown): " +
			"this kernel has no ingress qdisc; install kmod-sched-core (OpenWrt), or boot a kernel that has the module sch_ingress, as linux-image-amd64 does (Debian)" + uploadAlone},
		{"no-classifier", "create filter matchall prio 10 on wan, redirects to ifb4wan: no such file or directory (ENOENT: TC classifier not found): " +
			"this kernel has neither the classifier matchall nor u32; install kmod-sched-core (OpenWrt), or boot a kernel that has the module cls_matchall, as linux-image-amd64 does (Debian)" + uploadAlone},
		{"no-mirred", "create filter matchall prio 10 on wan, redirects to ifb4wan: no such file or directory (ENOENT: Failed to load TC action module): " +
			"this kernel can't redirect packets; install kmod-sched-core (OpenWrt), or boot a kernel that has the module act_mirred, as linux-image-amd64 does (Debian)" + uploadAlone},
	}
	for _, test := range tests {
		t.Run(test.kernel, func(t *testing.T) {
			kernellab.RunOn(t, test.kernel, func(t *testing.T) {
				script(t, wanAndLan)
				before := dump(t)
				_, err := open(t).ApplyLink(wanLink(up, down), false)
				if err == nil || err.Error() != test.want {
					t.Errorf("error %v\nwant  %s", err, test.want)
				}
				checkDump(t, "after the error", before)
			})
		})
	}
}

// Without matchall the redirect is a u32, and stays one.
func TestKernelWithoutMatchall(t *testing.T) {
	kernellab.RunOn(t, "no-matchall", func(t *testing.T) {
		script(t, wanAndLan)
		k := open(t)
		out := mustApplyLink(t, k, wanLink(up, down))
		if !out.U32 {
			t.Error("the outcome doesn't say that the redirect is a u32")
		}
		sendPackets(t, "lan", 20)
		f := device(t, read(t, k), "wan").Filters
		if len(f) != 1 || f[0].Kind != "u32" || f[0].Redirect != "ifb4wan" || f[0].Selective || f[0].Stats.Packets < 20 {
			t.Errorf("%+v", f)
		}
		if out := mustApplyLink(t, k, wanLink(up, down)); out.Requests != 0 {
			t.Errorf("a second apply did %v", out.Steps)
		}
		failEach(t, k, func() (Outcome, error) { return k.RemoveLink("wan") })
	})
}

// Other people's u32 filters get their numbers back although ours is one too.
func TestTakeOverWithoutMatchall(t *testing.T) {
	kernellab.RunOn(t, "no-matchall", func(t *testing.T) {
		script(t, wanAndLan+`
			tc qdisc add dev wan ingress
			tc filter add dev wan parent ffff: protocol ip prio 7 u32 match ip src 192.0.2.1 action drop
			tc filter add dev wan parent ffff: protocol ip prio 3 u32 match ip src 192.0.2.2 action drop
		`)
		k := open(t)
		failEach(t, k, func() (Outcome, error) { return k.ApplyLink(wanLink(up, down), true) })
	})
}

// A user without CAP_NET_ADMIN may look, and is told what it takes to change.
func TestWithoutCapabilityKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		before := dump(t)
		done := make(chan error)
		go func() {
			// Capabilities are a thread's. This one ends with the goroutine.
			runtime.LockOSThread()
			done <- applyWithoutCapability()
		}()
		err := <-done
		var e *Error
		if !errors.As(err, &e) || e.Errno != unix.EPERM {
			t.Fatalf("error %v", err)
		}
		want := "create ifb ifb4wan: operation not permitted (EPERM): run it as root or with the capability CAP_NET_ADMIN"
		if e.Error() != want {
			t.Errorf("error %q, want %q", e, want)
		}
		checkDump(t, "after the error", before)
	})
}

func applyWithoutCapability() error {
	none := [2]unix.CapUserData{}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	if err := unix.Capset(&header, &none[0]); err != nil {
		return err
	}
	k, err := Open()
	if err != nil {
		return err
	}
	defer k.Close()
	if _, err := k.Read(); err != nil {
		return err
	}
	_, err = k.ApplyLink(wanLink(up, down), false)
	return err
}

// A device that goes between reading and writing.
func TestDeviceVanishesKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		k := open(t)
		before := strings.ReplaceAll(dump(t), "wan", "")
		k.fail = func(request int) error {
			if request == 4 {
				run(t, "ip link del wan")
			}
			return nil
		}
		_, err := k.ApplyLink(wanLink(up, down), false)
		var e *Error
		if !errors.As(err, &e) || e.Errno != unix.ENODEV || e.Device != "wan" || !strings.Contains(err.Error(), "wan has gone") {
			t.Errorf("error %v", err)
		}
		if after := dump(t); strings.Contains(after, "ifb4") || before == "" {
			t.Errorf("an IFB is left:\n%s", after)
		}
	})
}

// Filters that several devices share can't be touched for one of them.
func TestSharedBlockKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan+`
			tc qdisc add dev wan ingress_block 22 ingress
			tc qdisc add dev lan ingress_block 22 ingress
			tc filter add block 22 protocol ip prio 7 u32 match ip src 192.0.2.1 action drop
		`)
		before := dump(t)
		k := open(t)
		if f := device(t, read(t, k), "wan").Filters; len(f) != 1 || f[0].Link != "wan" || f[0].Parent != plan.HandleIngressQdisc {
			t.Errorf("%+v", f)
		}
		_, err := k.ApplyLink(wanLink(up, down), true)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Text, "shared") || !strings.Contains(e.Advice, "ingress_block") {
			t.Errorf("error %v", err)
		}
		checkDump(t, "after the error", before)
	})
}
