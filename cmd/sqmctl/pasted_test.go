package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
	"github.com/sqmctl/sqmctl/tcdump"
	"github.com/sqmctl/sqmctl/verify"
)

// What tc and ip print of a state, as text and as JSON, is read as what the kernel
// tells of it, and judged alike: once, and from two looks with traffic in between.
func TestPastedKernel(t *testing.T) {
	for _, s := range pastedStates {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			kernellab.Run(t, func(t *testing.T) {
				r := newRouter(t, s.profile)
				if s.links != "" {
					r.Batch("ip", s.links)
				}
				r.Batch("tc", s.tc)
				if s.profile != "" {
					r.apply()
				}
				time.Sleep(time.Second)
				r.checkPasted(s.profile != "")
			})
		})
	}
}

// looked is what there is at one moment, from each source.
type looked struct {
	kernel plan.State
	pasted map[string]string // by form
}

func (r *router) checkPasted(planned bool) {
	r.t.Helper()
	before := r.looked()
	r.SendIP("wan", 1000, 300)
	r.receive(0x0800, 300)
	after := r.looked()
	apart := after.kernel.Time.Sub(before.kernel.Time)
	for form, text := range after.pasted {
		r.checkRead(form, text, after.kernel)
		r.checkFindings(form, verify.Check(verify.Observed(after.kernel), []plan.State{after.kernel}), "--dump", r.file(text))
		both := verify.Check(verify.Observed(after.kernel), []plan.State{before.kernel, after.kernel})
		r.checkFindings(form, both, "--apart", apart.String(), "--dump", r.file(before.pasted[form]), "--dump", r.file(text))
		if planned {
			profile, err := config.Load(routerProfile)
			if err != nil {
				r.t.Fatal(err)
			}
			findings := verify.Check(plan.Compile(profile, after.kernel), []plan.State{after.kernel})
			r.checkFindings(form, findings, "--profile", routerProfile, "--dump", r.file(text))
		}
	}
}

// looked reads all that there is in every way. Nothing happens in the meantime, since
// time stands still while anybody works.
func (r *router) looked() looked {
	r.t.Helper()
	kernel := readBy(r.t, r.Namespace, readHost)
	text := r.terminal("tc -s -d qdisc show")
	parsed := r.terminal("tc -s -d -j qdisc show")
	for i := range kernel.Devices {
		d := kernel.Devices[i].Name
		text += r.terminal("tc -s -d class show dev "+d) + r.terminal("tc -s filter show dev "+d+" ingress")
		parsed += r.terminal("tc -s -d -j class show dev "+d) + r.terminal("tc -s -j filter show dev "+d+" ingress")
	}
	return looked{kernel, map[string]string{
		"text": text + r.terminal("ip -s -d link") + r.terminal("ip route"),
		"JSON": parsed + r.terminal("ip -s -d -j link") + r.terminal("ip -j route"),
	}}
}

// terminal is what somebody sees who types a command. One that asks for the way in
// of a device that has none fails, and prints nothing.
func (r *router) terminal(line string) string {
	var out []byte
	words := strings.Fields(line)
	r.In(func() { out, _ = exec.Command(words[0], words[1:]...).Output() })
	return "root@router:~# " + line + "\n" + string(out)
}

func (r *router) file(text string) string {
	r.t.Helper()
	path := filepath.Join(r.t.TempDir(), "paste")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// checkRead compares what was read of a paste with the kernel's own answer.
func (r *router) checkRead(form, text string, kernel plan.State) {
	r.t.Helper()
	dump, err := tcdump.Read(strings.NewReader(text), form)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, line := range dump.Unread {
		r.t.Errorf("%s: line %d is not read: %s", form, line.Number, line.Text)
	}
	p := printed{json: form == "JSON"}
	want := p.state(kernel)
	if len(want.Devices) < 3 {
		r.t.Fatalf("%d devices", len(want.Devices))
	}
	for i := range want.Devices {
		got := dump.State.Device(want.Devices[i].Name)
		if got == nil {
			r.t.Errorf("%s: %s isn't there", form, want.Devices[i].Name)
			continue
		}
		p.nearBursts(r.t, want.Devices[i].Classes, got.Classes)
		if diff := cmp.Diff(want.Devices[i], *got, cmpopts.EquateEmpty()); diff != "" {
			r.t.Errorf("%s: %s differs (-kernel +paste):\n%s", form, got.Name, diff)
		}
	}
	if len(dump.State.Devices) != len(want.Devices) {
		r.t.Errorf("%s: %d devices, the kernel has %d", form, len(dump.State.Devices), len(want.Devices))
	}
}

// checkFindings compares what doctor says of dumps with what it says of the kernel.
func (r *router) checkFindings(form string, findings []verify.Finding, args ...string) {
	r.t.Helper()
	var want []findingJSON
	for _, f := range findings {
		want = append(want, newFindingJSON(&f))
	}
	said := r.sqmctl(append([]string{"doctor", "--json"}, args...)...)
	var got []findingJSON
	if len(want) == 0 {
		if said.status != statusFailed || !strings.Contains(said.stderr, "nothing to judge") {
			r.t.Errorf("%s: %+v", form, said)
		}
		return
	}
	if err := json.Unmarshal([]byte(said.stdout), &got); err != nil {
		r.t.Fatalf("%s: %v: %+v", form, err, said)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateApprox(0.001, 0)); diff != "" {
		r.t.Errorf("%s: findings differ (-kernel +paste): doctor %s\n%s", form, strings.Join(args, " "), diff)
	}
}

// Without a command line, tc's lines of classes and filters say of no device; a
// paste of everything still says which they belong to where there is one only.
func TestPastedWithoutPromptsKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		r := newRouter(t, "")
		r.Batch("ip", "link add ifb4wan up type ifb\n")
		r.Batch("tc", `qdisc del dev lan clsact
			qdisc add dev wan root handle 1: htb default 0x10
			class add dev wan parent 1: classid 1:1 htb rate 20mbit
			class add dev wan parent 1:1 classid 1:10 htb rate 20mbit
			qdisc add dev wan parent 1:10 handle 110: fq_codel
			qdisc add dev ifb4wan root handle 8002: cake bandwidth 50mbit`+redirected)
		var text strings.Builder
		for line := range strings.Lines(r.looked().pasted["text"]) {
			if !strings.HasPrefix(line, "root@") {
				text.WriteString(line)
			}
		}
		dump, err := tcdump.Read(strings.NewReader(text.String()), "paste")
		if err != nil {
			t.Fatal(err)
		}
		wan := dump.State.Device("wan")
		if len(wan.Filters) != 1 || wan.Filters[0].Redirect != "ifb4wan" || wan.Unknown.Filters {
			t.Errorf("filters of wan: %+v, unknown %t", wan.Filters, wan.Unknown.Filters)
		}
		if len(wan.Classes) != 2 || wan.Unknown.Classes {
			t.Errorf("classes of wan: %+v, unknown %t; unread: %v", wan.Classes, wan.Unknown.Classes, dump.Unread)
		}
	})
}
