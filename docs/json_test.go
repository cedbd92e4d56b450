package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shapes are the Go types behind each table of JSON keys, by its heading.
var shapes = map[string][]string{
	"What check prints":       {"checkJSON"},
	"A checked link":          {"checkedLinkJSON"},
	"A problem":               {"problemJSON"},
	"A planned link":          {"LinkJSON", "plannedJSON"},
	"A shaper":                {"ShaperJSON"},
	"A tier":                  {"TierJSON"},
	"An IFB":                  {"IFBJSON"},
	"A filter":                {"FilterJSON"},
	"A reason":                {"ReasonJSON"},
	"A step":                  {"StepJSON"},
	"An attribute":            {"AttributeJSON"},
	"A qdisc":                 {"QdiscJSON"},
	"CAKE's options":          {"CakeJSON"},
	"HTB's options":           {"HTBJSON"},
	"An HTB class":            {"ClassJSON"},
	"fq_codel's options":      {"FQCodelJSON"},
	"A size table":            {"StabJSON"},
	"An applied link":         {"appliedJSON"},
	"A direction as found":    {"directionStatus"},
	"A qdisc as found":        {"QdiscStateJSON"},
	"Counters of every qdisc": {"StatsJSON"},
	"CAKE's own counters":     {"CakeStatsJSON"},
	"A tin":                   {"TinJSON"},
	"A finding":               {"findingJSON"},
	"A type":                  {"typeJSON"},
	"What version prints":     {"build"},
	"A previewed link":        {"previewedJSON"},
	"A compared direction":    {"comparisonJSON"},
	"A side":                  {"sideJSON"},
	"A simulated direction":   {"simulatedJSON"},
	"A call's delay":          {"callJSON"},
	"A start-up":              {"startupJSON"},
	"A queue's delay":         {"queueJSON"},
	"A router's signals":      {"routerSignalsJSON"},
	"A modem's signals":       {"modemJSON"},
}

// The keys that are documented for a shape are those that the program prints.
func TestJSONTables(t *testing.T) {
	keys := keysOf(t, "../cmd/sqmctl/*.go", "../plan/*.go")
	tables := read(t, "commands.md").tablesOf("key")
	for _, table := range tables {
		var want, got []string
		for _, name := range shapes[table.heading] {
			want = append(want, keys[name]...)
			delete(keys, name)
		}
		for _, row := range table.rows {
			got = append(got, row[0])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("keys of %q (-program +document):\n%s", table.heading, diff)
		}
	}
	for name, left := range keys {
		t.Errorf("the JSON of %s is not documented: %s", name, strings.Join(left, ", "))
	}
}

// keysOf are the JSON keys of each struct in some source files, by the name of
// the type, or of the function that a struct without a name stands in.
func keysOf(t *testing.T, patterns ...string) map[string][]string {
	t.Helper()
	keys := map[string][]string{}
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			addKeys(keys, parsed)
		}
	}
	return keys
}

func addKeys(keys map[string][]string, file *ast.File) {
	name := ""
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			name = n.Name.Name
		case *ast.TypeSpec:
			name = n.Name.Name
		case *ast.Field:
			if n.Tag == nil {
				break
			}
			key, _, _ := strings.Cut(reflect.StructTag(strings.Trim(n.Tag.Value, "`")).Get("json"), ",")
			if key != "" {
				keys[name] = append(keys[name], key)
			}
		}
		return true
	})
}
