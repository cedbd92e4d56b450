package tcdump

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Whatever is pasted, reading it ends soon, without a panic, and says the same
// twice; each line that can't be read is one that is there.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("no pastes to begin with: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, text := range []string{linkText, htbLine + classLines, ingressLine + mirred, `[{"kind":"cake","handle":"1:","dev":"eth0","root":true,"options":{"bandwidth":"unlimited"},"bytes":1,"tins":[{"drops":1}]}]`,
		`[{"ifindex":2,"ifname":"eth0","link":"x","flags":["UP"],"linkinfo":{"info_kind":"vlan","info_data":{"id":7,"flags":[]}},"stats64":{"rx":{"bytes":1},"tx":{}}}]`,
		"firewall.@defaults[0].flow_offloading='1'\nconfig queue 'x'\n\toption interface 'eth0'\n", "default via 192.0.2.1 dev eth0\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		dump, err := Read(strings.NewReader(text), "paste")
		if err != nil {
			return
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("took %s", took)
		}
		lines := strings.Count(text, "\n") + 1
		for _, line := range dump.Unread {
			if line.Number < 1 || line.Number > lines || strings.Contains(line.Text, "\n") {
				t.Errorf("%+v of %d lines", line, lines)
			}
		}
		for i := range dump.State.Devices {
			d := &dump.State.Devices[i]
			if !isName(d.Name) || dump.State.Device(d.Name) != d {
				t.Errorf("device %q", d.Name)
			}
			for j := range d.Qdiscs {
				if d.Qdiscs[j].Link != d.Name {
					t.Errorf("%s is in the list of %s", d.Qdiscs[j].Name(), d.Name)
				}
			}
		}
		again, _ := Read(strings.NewReader(text), "paste")
		if diff := cmp.Diff(dump, again); diff != "" {
			t.Errorf("read twice:\n%s", diff)
		}
	})
}
