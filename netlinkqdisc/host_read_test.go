package netlinkqdisc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
)

const flowTables = `table inet fw {
	flowtable ft { hook ingress priority filter; devices = { wan, lan }; }
}
table ip other {
	flowtable none { hook ingress priority filter; }
}
`

// The kernel is asked for what nft and ip told it.
func TestReadHostKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, `
			ip link add wan type veth peer name lan
			ip link add dsl type veth peer name cpe
			ip link set wan up
			ip link set lan up
			ip link set dsl up
			ip link set cpe up
			ip address add 192.0.2.1/24 dev wan
			ip address add 198.51.100.1/24 dev lan
			ip address add 2001:db8::1/64 dev dsl nodad
		`)
		for _, route := range []string{
			"203.0.113.0/24 dev wan", "default via 192.0.2.2 metric 10", "unreachable default metric 30",
			"default via 198.51.100.2 metric 20", "default via 192.0.2.3 metric 21",
			"default via 2001:db8::2 dev dsl", "default via 198.51.100.2 table 7",
		} {
			run(t, "ip route add "+route)
		}
		feed(t, flowTables, "nft -f -")
		found, err := open(t).ReadHost()
		if err != nil {
			t.Fatal(err)
		}
		sorted := cmpopts.SortSlices(strings.Compare) // the kernel's order is its own
		if diff := cmp.Diff([]string{"dsl", "lan", "wan"}, found.DefaultRoutes, sorted); diff != "" {
			t.Error("default routes:\n" + diff)
		}
		want := []plan.FlowTable{{Name: "ft", Family: "inet", Devices: []string{"wan", "lan"}}, {Name: "none", Family: "ip"}}
		if diff := cmp.Diff(want, found.FlowTables, sorted); diff != "" {
			t.Error("flow tables:\n" + diff)
		}
		if len(found.Processors) == 0 || found.Processors[0].Total == 0 {
			t.Errorf("processors: %v", found.Processors)
		}
	})
}

// No hardware of the lab can take flows over, so the flag is put in by hand.
func TestReadFlowTableInHardware(t *testing.T) {
	b := []byte{1, 0, 0, 0}
	b = appendAttribute(b, flowTableName, []byte("ft\x00"))
	b = appendAttribute(b, flowTableFlags, []byte{0, 0, 0, 1})
	got, ok := readFlowTable(b)
	if diff := cmp.Diff(plan.FlowTable{Name: "ft", Family: "inet", Hardware: true}, got); diff != "" || !ok {
		t.Error(ok, diff)
	}
}

// The lab's kernel has no routes of several hops.
func TestDefaultRouteOfSeveralHops(t *testing.T) {
	b := make([]byte, routeHeader)
	b[0], b[4], b[7] = unix.AF_INET, unix.RT_TABLE_MAIN, unix.RTN_UNICAST
	hop := func(index byte) []byte {
		return []byte{16, 0, 0, 0, index, 0, 0, 0, 8, 0, unix.RTA_GATEWAY, 0, 192, 0, 2, index}
	}
	b = appendAttribute(b, unix.RTA_MULTIPATH, append(hop(3), hop(5)...))
	if diff := cmp.Diff([]uint32{3, 5}, defaultRoute(b)); diff != "" {
		t.Error(diff)
	}
}

const twoProcessors = `cpu  300 0 100 900 50 0 200 0 0 0
cpu0 100 5 50 400 50 1 150 2 7 7
cpu1 200 0 50 500 0 0 50 0
intr 12345 0 0
cpufreq 1 2 3 4 5 6 7 8
`

func TestParseProcessors(t *testing.T) {
	want := []plan.Processor{
		{Total: 7580 * time.Millisecond, Idle: 4500 * time.Millisecond, SoftIRQ: 1500 * time.Millisecond},
		{Total: 8 * time.Second, Idle: 5 * time.Second, SoftIRQ: 500 * time.Millisecond},
	}
	if diff := cmp.Diff(want, parseProcessors(twoProcessors)); diff != "" {
		t.Error(diff)
	}
}

func TestReadManager(t *testing.T) {
	run := t.TempDir()
	for path, text := range map[string]string{
		"systemd/netif/links/2":    "ADMIN_STATE=configured\nNETWORK_FILE=/etc/systemd/network/wan.network\n",
		"systemd/netif/links/3":    "ADMIN_STATE=unmanaged\nNETWORK_FILE=\n",
		"NetworkManager/devices/3": "[device]\nmanaged=true\n",
		"NetworkManager/devices/4": "[device]\nmanaged=false\n",
	} {
		path = filepath.Join(run, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !hasManagers(run) || hasManagers(t.TempDir()) {
		t.Error("a program is there that isn't, or isn't there that is")
	}
	for index, want := range map[int]string{1: "", 2: "systemd-networkd", 3: "NetworkManager", 4: ""} {
		if got := readManager(run, index); got != want {
			t.Errorf("%d: %q, want %q", index, got, want)
		}
	}
}

func TestMissingModules(t *testing.T) {
	folder := func(files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	none, mirred := folder(nil), folder(map[string]string{"act_mirred": ""})
	const dep = "kernel/net/sched/cls_u32.ko.xz:\nkernel/net/sched/act_mirred.ko.xz: kernel/net/x.ko\nkernel/drivers/net/ifb.ko.xz:\n"
	for _, tt := range []struct {
		name           string
		folder, loaded string
		want           string
	}{
		{"nobody knows", none, none, ""},
		{"no modules of that", folder(map[string]string{"modules.builtin.bin": "x"}), none, ""},
		{"Debian, without the ingress qdisc", folder(map[string]string{"modules.dep": dep}), none, "sch_ingress"},
		{"built in", folder(map[string]string{"modules.dep": dep, "modules.builtin": "kernel/net/sched/sch_ingress.ko\n"}), none, ""},
		{"OpenWrt, without mirred", folder(map[string]string{"cls_matchall.ko": "", "sch_ingress.ko": "", "ifb.ko": ""}), none, "act_mirred"},
		{"loaded", folder(map[string]string{"cls_u32.ko": "", "sch_ingress.ko": "", "ifb.ko": ""}), mirred, ""},
		{"without a classifier", folder(map[string]string{"act_mirred.ko": "", "sch_ingress.ko": "", "ifb.ko": ""}), none, "cls_matchall cls_u32"},
	} {
		if got := strings.Join(missingModules(tt.folder, tt.loaded), " "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzReadHost(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 8, 0, 2, 0, 'f', 't', 0, 0}, twoProcessors)
	route := append(make([]byte, routeHeader), 8, 0, unix.RTA_MULTIPATH, 0, 3, 0, 0, 0)
	route[4], route[7] = unix.RT_TABLE_MAIN, unix.RTN_UNICAST
	f.Add(route, "cpu0 1 2 3 4 5 6 7 8")
	f.Fuzz(func(t *testing.T, b []byte, text string) {
		readFlowTable(b)
		defaultRoute(b)
		for _, p := range parseProcessors(text) {
			if p.Idle+p.SoftIRQ > p.Total {
				t.Errorf("%q: %v", text, p)
			}
		}
	})
}
