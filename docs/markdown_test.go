package docs

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// document is what the tests need of a text in Markdown.
type document struct {
	path   string
	text   string
	blocks []block
	tables []table
}

// block is what stands between two lines of ```.
type block struct {
	heading  string // that it stands under
	language string // the first word behind the backticks
	file     string // the second: the name by which examples know this text
	text     string
	line     int // of its first line
}

// table is a table; backticks are taken off its cells.
type table struct {
	heading string
	header  []string
	rows    [][]string
}

func read(t *testing.T, path string) *document {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := &document{path: path, text: string(text)}
	heading, inBlock, inTable := "", false, false
	for i, line := range strings.Split(d.text, "\n") {
		info, fence := strings.CutPrefix(line, "```")
		row := !inBlock && strings.HasPrefix(line, "|")
		switch {
		case fence:
			if inBlock = !inBlock; inBlock {
				language, file, _ := strings.Cut(info, " ")
				d.blocks = append(d.blocks, block{heading, language, file, "", i + 2})
			}
		case inBlock:
			d.blocks[len(d.blocks)-1].text += line + "\n"
		case strings.HasPrefix(line, "#"):
			heading = strings.Trim(strings.TrimLeft(line, "#"), " `")
		case row && !inTable:
			d.tables = append(d.tables, table{heading: heading, header: cells(line)})
		case row && !strings.HasPrefix(line, "|---"):
			last := &d.tables[len(d.tables)-1]
			last.rows = append(last.rows, cells(line))
		}
		inTable = row
	}
	if inBlock {
		t.Fatalf("%s: a block has no end", path)
	}
	return d
}

func cells(line string) []string {
	var all []string
	for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
		all = append(all, strings.TrimSpace(strings.ReplaceAll(cell, "`", "")))
	}
	return all
}

// tablesOf are the tables whose first column has this title.
func (d *document) tablesOf(title string) []table {
	var all []table
	for _, t := range d.tables {
		if t.header[0] == title {
			all = append(all, t)
		}
	}
	return all
}

// column is the first column of all tables with this title.
func (d *document) column(title string) []string {
	var all []string
	for _, t := range d.tablesOf(title) {
		for _, row := range t.rows {
			all = append(all, row[0])
		}
	}
	return all
}

var linkPattern = regexp.MustCompile(`\]\(([^) ]+)\)`)

func (d *document) links() []string {
	var all []string
	for _, m := range linkPattern.FindAllStringSubmatch(d.text, -1) {
		all = append(all, m[1])
	}
	return all
}
