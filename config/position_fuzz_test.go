package config

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// FuzzPositions: every key of a text that the decoder accepts has a place, and
// the text at that place is the key.
func FuzzPositions(f *testing.F) {
	for _, s := range []string{
		"a.b = 1\n[c]\n\"d.e\" = 'x'\n",
		"[[l]]\na = { b = [ { c = 1 }, { c = 2 } ] }\n[l.m.n]\no = 1\n[[l]]\n[[l.p]]\nq = 1\n[[l.p]]\n",
		"\xef\xbb\xbfa = \"\"\"\nb = 1\"\"\"\"\"\r\nc = '''d'''\n",
		"'' = 1\n\"\\u00e4\\n\\e\" = 2\n\"\\\"\" = { '\"' = 3 }\n",
		"a = [ [ ], [ [ { b = {} } ] ], # c\n ]\n",
		"a = {\n b = 1, # c\n d.e = 2,\n}\n",
		"[[a.b]]\nx = 1\n[a]\nb.y = 2\n",
		"[a]\n[a.b.c]\n[a.b]\nd = 1979-05-27 07:32:00\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var document map[string]any
		if _, err := toml.Decode(text, &document); err != nil {
			return
		}
		checkTable(t, newIndex(text), "", document)
	})
}

func checkTable(t *testing.T, x *index, path string, table map[string]any) {
	for key, value := range table {
		inner := joinPath(path, key)
		offset, ok := x.offsets[inner]
		if !ok {
			t.Fatalf("%s has no place in %q", inner, x.text)
		}
		if !spells(x.text[offset:], key) {
			t.Fatalf("%s is said to be at %q of %q", inner, x.text[offset:], x.text)
		}
		checkValue(t, x, inner, value)
	}
}

func checkValue(t *testing.T, x *index, path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		checkTable(t, x, path, v)
	case []map[string]any:
		for i, element := range v {
			checkTable(t, x, elementPath(path, i+1), element)
		}
	case []any:
		for i, element := range v {
			checkValue(t, x, elementPath(path, i+1), element)
		}
	}
}

// spells tells whether a text starts with a key, bare or quoted.
func spells(text, key string) bool {
	if rest, ok := strings.CutPrefix(text, key); ok && key == joinPath("", key) {
		return rest != "" && strings.ContainsRune(" \t.=]", rune(rest[0]))
	}
	for end := 2; end <= len(text); end++ {
		var v struct{ Key *string }
		if text[end-1] != text[0] {
			continue
		}
		if _, err := toml.Decode("key = "+text[:end], &v); err == nil && v.Key != nil && *v.Key == key {
			return true
		}
	}
	return false
}
