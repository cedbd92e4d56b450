package config

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// document is a profile on its way from TOML: the places of its keys and the
// problems found so far.
type document struct {
	file     string
	index    *index
	problems Problems
}

// fault is what is wrong with a value and what to do about it; nil is none.
type fault struct{ text, advice string }

// report adds a problem with a key. A key that isn't in the file is reported
// where its table is.
func (d *document) report(path string, f *fault) {
	place := d.index.find(path)
	d.problems.List = append(d.problems.List, Problem{
		File: d.file, Line: place.line, Column: place.column, Key: path, Text: f.text, Advice: f.advice,
	})
}

// table is one TOML table of a document.
type table struct {
	*document
	path   string
	values map[string]any
}

// at is the path of a key.
func (t table) at(key string) string { return joinPath(t.path, key) }

// line is where a key is written.
func (t table) line(key string) int { return t.index.find(t.at(key)).line }

// sub is the table at a key.
func (t table) sub(key string, values map[string]any) table {
	return table{t.document, t.at(key), values}
}

// refuseOthers reports every key that is none of the known ones, with the
// advice of hint for those where it has any.
func (t table) refuseOthers(known []string, hint func(key string) string) {
	for _, key := range slices.Sorted(maps.Keys(t.values)) {
		if slices.Contains(known, key) {
			continue
		}
		advice := hint(key)
		if advice == "" {
			advice = spellingAdvice(key, known)
		}
		t.report(t.at(key), &fault{"unknown key", advice})
	}
}

// spellingAdvice is the known word that was meant, or else all of them.
func spellingAdvice(word string, known []string) string {
	if near := linklayer.Nearest(word, known); near != "" {
		return "write " + near
	}
	return "write one of " + strings.Join(known, ", ")
}

// missing reports a key that must be there.
func (t table) missing(key, advice string) {
	t.report(t.at(key), &fault{"missing", advice})
}

// describe is a value as a problem names it.
func describe(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%.40q", v)
	case float64:
		if math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	case time.Time:
		return "a date"
	}
	return fmt.Sprint(v) // int64, bool, and floats that are no sane value
}

func wrongType(v any, want, advice string) *fault {
	return &fault{describe(v) + " is not " + want, advice}
}
