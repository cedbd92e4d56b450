package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/netlinkqdisc"
)

// Two that start at the same moment: one does it, the other finds it done.
// That they wait for the lock together is sure, because time goes on only
// when neither has anything else to do.
func TestApplyTwiceAtOnceKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		r := newRouter(t, profileOf("docsis", "100 Mbit/s", "20 Mbit/s"))
		fresh := r.objects()
		r.apply()
		clean := r.objects()
		r.remove()
		for _, together := range []bool{false, true} {
			unlock := func() {}
			if together {
				var err error
				if unlock, err = netlinkqdisc.Lock(0); err != nil {
					t.Fatal(err)
				}
			}
			first, second := r.start("apply"), r.start("apply")
			if together {
				time.Sleep(5 * time.Second)
				r.wantObjects("while the lock is held", fresh)
			}
			unlock()
			wantOneOfEach(t, first.wait(), second.wait())
			r.wantObjects("after two at once", clean)
			r.remove()
			r.wantObjects("after remove", fresh)
		}
	})
}

// wantOneOfEach expects that one applied and the other had nothing to do.
func wantOneOfEach(t *testing.T, a, b output) {
	t.Helper()
	if strings.HasPrefix(a.stdout, "wan: as planned already") {
		a, b = b, a
	}
	first, _, _ := strings.Cut(a.stdout, "\n")
	a.stdout = first
	want := []output{{stdout: "wan: applied and read back"}, {stdout: "wan: as planned already, nothing to do\n"}}
	if diff := cmp.Diff(want, []output{a, b}, cmp.AllowUnexported(output{})); diff != "" {
		t.Errorf("two at once (-want +got):\n%s", diff)
	}
}

// While one holds the lock for long, the others wait for ten seconds, say
// which process it is, and change nothing.
func TestLockHeldForLongKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		r := newRouter(t, profileOf("docsis", "100 Mbit/s", "20 Mbit/s"))
		holder := r.start("apply", "--confirm", "1h")
		time.Sleep(time.Second)
		applied := r.objects()
		events := r.listen()
		want := fmt.Sprintf("sqmctl: another sqmctl waits to be confirmed (process %d holds /run/sqmctl/lock): run sqmctl confirm, or wait until it has put everything back\n", holder.cmd.Process.Pid)
		for _, command := range []string{"apply", "remove"} {
			start := time.Now()
			got := r.start(command).wait()
			if diff := cmp.Diff(output{statusFailed, "", want}, got, cmp.AllowUnexported(output{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", command, diff)
			}
			if waited := time.Since(start); waited < lockWait || waited > lockWait+time.Second {
				t.Errorf("%s waited %v, should be %v", command, waited, lockWait)
			}
		}
		if heard := events.heard(); len(heard) > 0 {
			t.Errorf("something changed: %q", heard)
		}
		// One that is killed holds nothing, and what it applied stays.
		if err := holder.cmd.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if got := holder.wait(); got.status != -1 {
			t.Errorf("the holder ended with %+v", got)
		}
		if n := r.apply(); n != 0 {
			t.Errorf("%d requests after a holder that was killed", n)
		}
		r.wantObjects("after a holder that was killed", applied)
	})
}
