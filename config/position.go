package config

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// position is a place in a text. Both count from 1; columns count characters.
type position struct {
	line, column int
}

// index knows where the keys of a TOML text are written. A key's path is as in
// problems: "link[2].invoice.upload", array elements from 1, a part that is no
// bare key quoted.
type index struct {
	text    string
	lines   []int          // byte offset of each line's start
	offsets map[string]int // byte offset of each path's first mention
}

// newIndex scans a text that the TOML decoder has accepted: it may rely on
// that, and only has to end on anything else.
func newIndex(text string) *index {
	x := &index{text: text, lines: lineStarts(text)}
	s := &scanner{text: text, offsets: map[string]int{}, elements: map[string]int{}}
	s.document()
	x.offsets = s.offsets
	return x
}

func lineStarts(text string) []int {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// find is where a path is written, or else what contains it: the start of the
// text at the last.
func (x *index) find(path string) position {
	for path != "" {
		if offset, ok := x.offsets[path]; ok {
			return x.at(offset)
		}
		path = parentPath(path)
	}
	return position{1, 1}
}

// at is the place of a byte offset; offsets past the end count as the end.
func (x *index) at(offset int) position {
	offset = min(max(offset, 0), len(x.text))
	line, found := slices.BinarySearch(x.lines, offset)
	if !found {
		line--
	}
	start := x.lines[line]
	before := x.text[start:offset]
	if line == 0 {
		before = strings.TrimPrefix(before, byteOrderMark)
	}
	return position{line + 1, utf8.RuneCountInString(before) + 1}
}

// byteOrderMark is what some editors put before UTF-8; the decoder skips it.
const byteOrderMark = "\xef\xbb\xbf"

// joinPath adds a key to a path; "" is the path of the document.
func joinPath(path, key string) string {
	if key == "" || strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
		key = strconv.Quote(key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// elementPath is the path of an array's element n, counted from 1.
func elementPath(path string, n int) string {
	return path + "[" + strconv.Itoa(n) + "]"
}

// parentPath takes the last key or element away. Quoted keys may hold dots and
// brackets; then the result is no path, is not found, and is shortened again.
func parentPath(path string) string {
	return path[:max(strings.LastIndexAny(path, ".["), 0)]
}

// unquoteKey is the value of a quoted key. The decoder itself reads escapes.
func unquoteKey(quoted string) string {
	if !strings.ContainsRune(quoted, '\\') || quoted[0] == '\'' {
		return strings.Trim(quoted, quoted[:1])
	}
	var v struct{ Key string }
	if _, err := toml.Decode("key = "+quoted, &v); err != nil {
		return quoted
	}
	return v.Key
}
