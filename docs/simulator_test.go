package docs

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/linklayer"
)

// What the manual says that preview assumes for a type is what it assumes. The
// rates are such that no queue is too short or too long for them.
func TestAssumptionsTable(t *testing.T) {
	var rows [][]string
	for _, table := range read(t, "simulator.md").tablesOf("type") {
		rows = append(rows, table.rows...)
	}
	for _, name := range linklayer.AccessNames() {
		row := rowFor(rows, name)
		if row == nil {
			t.Errorf("simulator.md has no row for %s", name)
			continue
		}
		if diff := cmp.Diff(assumed(t, name), row[1:]); diff != "" {
			t.Errorf("simulator.md, %s (-program +document):\n%s", name, diff)
		}
	}
}

// rowFor finds the row that names a type, or the beginning of its name.
func rowFor(rows [][]string, name string) []string {
	for _, row := range rows {
		for _, word := range strings.Split(row[0], ", ") {
			if prefix, ok := strings.CutSuffix(word, "…"); ok && strings.HasPrefix(name, prefix) || word == name {
				return row
			}
		}
	}
	return nil
}

func assumed(t *testing.T, name string) []string {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "sqm.toml")
	text := fmt.Sprintf("schema = 1\n[[link]]\ninterface = \"wan\"\ntype = %q\ninvoice = { download = \"50 Mbit/s\", upload = \"20 Mbit/s\" }\n", name)
	if err := os.WriteFile(profile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program(t), "preview", "--json", profile).Output()
	if err != nil {
		t.Fatal(err)
	}
	var links []struct {
		RTT        float64 `json:"rtt_ms"`
		Directions []struct {
			Buffer int     `json:"buffer_bytes"`
			Wobble float64 `json:"wobble_pct"`
		}
	}
	if err := json.Unmarshal(out, &links); err != nil || len(links) != 1 || len(links[0].Directions) != 2 {
		t.Fatalf("%v: %s", err, out)
	}
	up, down := links[0].Directions[0], links[0].Directions[1]
	return []string{
		fmt.Sprintf("%d KiB", up.Buffer>>10), fmt.Sprintf("%d KiB", down.Buffer>>10),
		fmt.Sprintf("%g ms", links[0].RTT), fmt.Sprintf("%g %%", up.Wobble),
	}
}
