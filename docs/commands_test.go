package docs

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	commandLine = regexp.MustCompile(`(?m)^   ([a-z]+) {2,}\S`)
	optionLine  = regexp.MustCompile(`(?m)^   (--\S.*?) {2,}(.*)$`)
	defaultPart = regexp.MustCompile(`\(default: "?(.*?)"?\)`)
)

// commands are those that the program's help lists.
func commands(t *testing.T) []string {
	t.Helper()
	_, list, found := strings.Cut(help(t), "COMMANDS:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var all []string
	for _, m := range commandLine.FindAllStringSubmatch(list, -1) {
		all = append(all, m[1])
	}
	if !found || len(all) == 0 {
		t.Fatal("the help lists no commands")
	}
	return all
}

// options are those of a command, with their defaults.
func options(t *testing.T, command string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, m := range optionLine.FindAllStringSubmatch(help(t, command), -1) {
		value := "off"
		if d := defaultPart.FindStringSubmatch(m[2]); d != nil && d[1] != "false" && d[1] != "0s" {
			value = d[1]
		}
		all[m[1]] = value
	}
	if _, ok := all["--help, -h"]; !ok {
		t.Fatalf("the help of %s doesn't list --help", command)
	}
	delete(all, "--help, -h") // is said once, for all commands
	return all
}

func TestCommandsTable(t *testing.T) {
	if diff := cmp.Diff(commands(t), read(t, "commands.md").column("command")); diff != "" {
		t.Errorf("commands (-program +document):\n%s", diff)
	}
}

// Each command has a section, with its options in a table if it has any.
func TestOptionTables(t *testing.T) {
	d := read(t, "commands.md")
	documented := map[string]map[string]string{}
	for _, table := range d.tablesOf("option") {
		rows := map[string]string{}
		for _, row := range table.rows {
			rows[row[0]] = row[1]
		}
		documented[strings.TrimPrefix(table.heading, "sqmctl ")] = rows
	}
	for _, command := range commands(t) {
		if !strings.Contains(d.text, "\n## sqmctl "+command+"\n") {
			t.Errorf("commands.md has no section %q", "sqmctl "+command)
		}
		want := options(t, command)
		if diff := cmp.Diff(want, documented[command]); diff != "" && len(want)+len(documented[command]) > 0 {
			t.Errorf("options of %s (-program +document):\n%s", command, diff)
		}
		delete(documented, command)
	}
	for heading := range documented {
		t.Errorf("commands.md has options of %q, which is no command", heading)
	}
}

// An option that any document names is one of the program's.
func TestOptionsExist(t *testing.T) {
	known := []string{"--help"}
	for _, command := range commands(t) {
		for names := range options(t, command) {
			name, _, _ := strings.Cut(names, " ")
			known = append(known, strings.TrimSuffix(name, ","))
		}
	}
	named := regexp.MustCompile("sqmctl( [a-z]+)?( [^`\n#]*)?")
	option := regexp.MustCompile(`--[a-z][a-z-]*`)
	for _, d := range documents(t) {
		for _, words := range named.FindAllString(d.text, -1) {
			for _, o := range option.FindAllString(words, -1) {
				if !slices.Contains(known, o) {
					t.Errorf("%s: %q has the unknown option %s", d.path, words, o)
				}
			}
		}
	}
}

func TestExitStatuses(t *testing.T) {
	_, list, _ := strings.Cut(help(t), "Exit status:")
	list, _, _ = strings.Cut(list, "\n")
	want := regexp.MustCompile(`\d`).FindAllString(list, -1)
	if diff := cmp.Diff(want, read(t, "commands.md").column("status")); diff != "" {
		t.Errorf("exit statuses (-program +document):\n%s", diff)
	}
}

// Every code of doctor is documented, and no other.
func TestCodes(t *testing.T) {
	source, err := os.ReadFile("../verify/finding.go")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, m := range regexp.MustCompile(`\bCode = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1) {
		want = append(want, m[1])
	}
	if diff := cmp.Diff(want, read(t, "doctor.md").column("code")); diff != "" {
		t.Errorf("codes (-program +document):\n%s", diff)
	}
}
