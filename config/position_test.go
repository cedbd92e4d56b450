package config

import (
	"strings"
	"testing"
)

func TestPositions(t *testing.T) {
	tests := []struct {
		name, text string
		want       map[string]position
	}{
		{"plain", "a = 1\n  b = 2 # c = 3\nd = \"e = 4\"\n", map[string]position{"a": {1, 1}, "b": {2, 3}, "d": {3, 1}}},
		{"crlf", "a = 1\r\nb = 2\r\n", map[string]position{"a": {1, 1}, "b": {2, 1}}},
		{"byte order mark", "\xef\xbb\xbfa = 1\nb = 2", map[string]position{"a": {1, 1}, "b": {2, 1}}},
		{"characters", "ä = 'ö'", nil},
		{"dotted", "a.b . c = 1\na.d = 2", map[string]position{"a": {1, 1}, "a.b": {1, 3}, "a.b.c": {1, 7}, "a.d": {2, 3}}},
		{"quoted", `"a.b".'c d'."\u00e4é" = 1`, map[string]position{`"a.b"`: {1, 1}, `"a.b"."c d"`: {1, 7}, `"a.b"."c d"."äé"`: {1, 13}}},
		{"empty key", `"" = 1`, map[string]position{`""`: {1, 1}}},
		{"column in characters", `x = { 'ä' = 1, y = 2 }`, map[string]position{"x.y": {1, 16}}},
		{"tables", "[a.b]\nc = 1\n[ d ]\nc = 2", map[string]position{"a": {1, 2}, "a.b": {1, 4}, "a.b.c": {2, 1}, "d": {3, 3}, "d.c": {4, 1}}},
		{
			"array of tables", "[[l]]\na = 1\n[[l]]\na = 2\n[l.t]\nb = 3\n[[l.m]]\n[[l.m]]\nc = 4\n[[l]]\n[[l.m]]\nc = 5",
			map[string]position{
				"l": {1, 3}, "l[1]": {1, 3}, "l[1].a": {2, 1}, "l[2]": {3, 3}, "l[2].a": {4, 1}, "l[2].t.b": {6, 1},
				"l[2].m": {7, 5}, "l[2].m[1]": {7, 5}, "l[2].m[2]": {8, 5}, "l[2].m[2].c": {9, 1},
				"l[3]": {10, 3}, "l[3].m[1].c": {12, 1},
			},
		},
		{
			"inline", "a = { b = { c = 1 }, d.e = \"}\" } # f\ng = 1",
			map[string]position{"a.b": {1, 7}, "a.b.c": {1, 13}, "a.d": {1, 22}, "a.d.e": {1, 24}, "g": {2, 1}},
		},
		{
			"inline over lines", "a = {\n  b = 1, # c = 2\n  d = 3,\n}\ne = 4",
			map[string]position{"a.b": {2, 3}, "a.d": {3, 3}, "e": {5, 1}},
		},
		{
			"arrays", "a = [ 1, \"]\", [ 2, 3 ],\n # b = 1\n { c = 1 }, { c = 2 } ]\nd = []",
			map[string]position{"a[1]": {1, 7}, "a[3][2]": {1, 20}, "a[4].c": {3, 4}, "a[5].c": {3, 15}, "d": {4, 1}},
		},
		{
			"long strings", "a = \"\"\"\nb = 1\\\"\"\"\"\"\"\nc = '''\nd = 2''''\ne = ''''''\nf = \"\\\"\"\ng = 2026-01-01 00:00:00\nh = 1",
			map[string]position{"a": {1, 1}, "c": {3, 1}, "e": {5, 1}, "f": {6, 1}, "g": {7, 1}, "h": {8, 1}},
		},
	}
	for _, tt := range tests {
		x := newIndex(tt.text)
		for path, want := range tt.want {
			offset, ok := x.offsets[path]
			if got := x.at(offset); !ok || got != want {
				t.Errorf("%s: %s is at %v, %v, want %v", tt.name, path, got, ok, want)
			}
		}
	}
}

// What has no place of its own stands where its table does.
func TestPositionOfMissing(t *testing.T) {
	x := newIndex("a = 1\n[[l]]\n[l.\"x.[y\"]\n")
	tests := []struct {
		path string
		want position
	}{
		{"", position{1, 1}},
		{"schema", position{1, 1}},
		{"l[1].interface", position{2, 3}},
		{"l[1].invoice.upload", position{2, 3}},
		{`l[1]."x.[y".z`, position{3, 4}},
		{`l[1]."w.[y".z`, position{2, 3}},
	}
	for _, tt := range tests {
		if got := x.find(tt.path); got != tt.want {
			t.Errorf("%s is at %v, want %v", tt.path, got, tt.want)
		}
	}
}

func TestPositionOfOffset(t *testing.T) {
	x := newIndex("äb\r\nc")
	tests := []struct {
		offset int
		want   position
	}{
		{-1, position{1, 1}}, {0, position{1, 1}}, {2, position{1, 2}}, {4, position{1, 4}},
		{5, position{2, 1}}, {6, position{2, 2}}, {99, position{2, 2}},
	}
	for _, tt := range tests {
		if got := x.at(tt.offset); got != tt.want {
			t.Errorf("offset %d is at %v, want %v", tt.offset, got, tt.want)
		}
	}
}

// The scanner only ever sees valid texts, but must end on all.
func TestScannerEnds(t *testing.T) {
	pieces := []string{"[", "]", "{", "}", "=", ",", ".", "#", "\"", "'", `"""`, "\\", "\n", "a"}
	for _, a := range pieces {
		for _, b := range pieces {
			for _, c := range pieces {
				newIndex(a + b + c)
				newIndex(strings.Repeat(a+b+c, 3))
			}
		}
	}
}
