package docs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

// A profile that is shown as one is right; what shows a mistake is a text.
func TestProfilesParse(t *testing.T) {
	n := 0
	for _, d := range documents(t) {
		for _, b := range d.blocks {
			if b.language != "toml" {
				continue
			}
			n++
			if _, err := config.Parse(fmt.Sprintf("%s, block in line %d", d.path, b.line), []byte(b.text)); err != nil {
				t.Error(err)
			}
		}
	}
	if n < 5 {
		t.Errorf("only %d profiles in the documents", n)
	}
}

// wantTable compares a table with its rows as the program has them, and shows
// them in a form that can be pasted.
func wantTable(t *testing.T, path, title string, want [][]string) {
	t.Helper()
	var got [][]string
	for _, table := range read(t, path).tablesOf(title) {
		got = append(got, table.rows...)
	}
	diff := cmp.Diff(want, got)
	if diff == "" {
		return
	}
	var rows strings.Builder
	for _, row := range want {
		fmt.Fprintf(&rows, "| `%s` | %s |\n", row[0], strings.Join(row[1:], " | "))
	}
	t.Errorf("%s, table %q (-program +document):\n%s\nThe rows of the program:\n%s", path, title, diff, rows.String())
}

func TestTypesTable(t *testing.T) {
	var want [][]string
	for _, name := range linklayer.AccessNames() {
		a, _ := linklayer.AccessByName(name)
		e := a.Encapsulation
		want = append(want, []string{
			name, a.Title, fmt.Sprint(e.Overhead), fmt.Sprint(e.MPU), e.Framing.String(),
			fmt.Sprintf("%g %%", a.Headroom[linklayer.Egress].Percent),
			fmt.Sprintf("%g %%", a.Headroom[linklayer.Ingress].Percent),
		})
	}
	wantTable(t, "profile.md", "type", want)
}

func TestKeysTable(t *testing.T) {
	var want [][]string
	for _, k := range config.Keys() {
		up, down := k.Default[linklayer.Egress], k.Default[linklayer.Ingress]
		if up == "" {
			up, down = "by type", "by type"
		}
		if k.Required || k.Optional {
			up, down = "none", "none"
		}
		want = append(want, []string{
			strings.TrimPrefix(k.Name, "link."), k.Type,
			strings.Trim(up, "`"), strings.Trim(down, "`"), k.Text,
		})
	}
	wantTable(t, "profile.md", "key", want)
}

// Every optional key has a line that says why its default is what it is.
func TestReasons(t *testing.T) {
	var want []string
	for _, k := range config.Keys() {
		if !k.Required {
			want = append(want, strings.TrimPrefix(k.Name, "link."))
		}
	}
	if diff := cmp.Diff(want, read(t, "profile.md").column("optional key")); diff != "" {
		t.Errorf("keys (-program +document):\n%s", diff)
	}
}

// A word for a round-trip time means the time beside it.
func TestRTTWords(t *testing.T) {
	var rows [][]string
	for _, table := range read(t, "profile.md").tablesOf("rtt") {
		rows = append(rows, table.rows...)
	}
	for _, k := range config.Keys() {
		if k.Name == "link.rtt" && strings.Count(k.Type, ",") != len(rows) {
			t.Errorf("%d words are documented for %s", len(rows), k.Type)
		}
	}
	for _, row := range rows {
		if word, value := rtt(t, row[0]), rtt(t, row[1]); word != value {
			t.Errorf("%s is %s, and not %s", row[0], word, value)
		}
	}
}

func rtt(t *testing.T, value string) time.Duration {
	t.Helper()
	const profile = `schema = 1
[[link]]
interface = "wan"
type = "docsis"
invoice = { download = "100 Mbit/s", upload = "20 Mbit/s" }
rtt = %q
`
	p, err := config.Parse("rtt", fmt.Appendf(nil, profile, value))
	if err != nil {
		t.Fatal(err)
	}
	return p.Links[0].Upload.RTT.Value
}
