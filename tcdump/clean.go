package tcdump

import (
	"html"
	"strings"
)

// clean takes away what a terminal, a forum or a mail program put into a line.
func clean(line string) string {
	line = withoutControls(line)
	line = withoutQuoting(line)
	if strings.IndexByte(line, '&') >= 0 {
		line = html.UnescapeString(line)
	}
	if strings.HasPrefix(strings.TrimSpace(line), "```") || strings.HasPrefix(strings.TrimSpace(line), "~~~") {
		return ""
	}
	return strings.TrimRight(withoutTags(line), " ")
}

// withoutControls takes out colours and other escape sequences, and turns every
// kind of space into one.
func withoutControls(line string) string {
	plain := func(r rune) bool { return r >= ' ' && r < 0x7F }
	if strings.IndexFunc(line, func(r rune) bool { return !plain(r) }) < 0 {
		return line
	}
	var b strings.Builder
	for rest := line; rest != ""; {
		if n := escapeLength(rest); n > 0 {
			rest = rest[n:]
			continue
		}
		r := []rune(rest[:min(len(rest), 4)])[0]
		switch {
		case r == '\t' || r == '\u00a0' || r == '\u2007' || r == '\u202f':
			b.WriteByte(' ')
		case r == '\u200b' || r == '\ufeff' || r < ' ' || r == 0x7F:
		default:
			b.WriteString(rest[:runeLength(rest)])
		}
		rest = rest[runeLength(rest):]
	}
	return b.String()
}

func runeLength(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}

// escapeLength is how long the escape sequence is that a text begins with
// (ECMA-48: ESC [ parameters letter, or ESC ( charset); 0 if it doesn't.
func escapeLength(s string) int {
	if len(s) < 2 || s[0] != 0x1B {
		return 0
	}
	switch s[1] {
	case '(', ')':
		return min(3, len(s))
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7E {
				return i + 1
			}
		}
		return len(s)
	}
	return 2
}

// withoutQuoting takes away the marks of a quotation.
func withoutQuoting(line string) string {
	rest := strings.TrimLeft(line, " ")
	if !strings.HasPrefix(rest, ">") {
		return line
	}
	for strings.HasPrefix(rest, ">") {
		rest = strings.TrimPrefix(rest[1:], " ")
		if next := strings.TrimLeft(rest, " "); strings.HasPrefix(next, ">") {
			rest = next
		}
	}
	return rest
}

// tags are those of forums in which people put what a program printed.
var tags = []string{"code", "quote", "pre", "spoiler", "details", "font", "color", "b", "i", "tt", "size", "icode", "hide"}

// withoutTags takes away a forum's tags, in square or angle brackets. A line of
// JSON begins with a bracket too, but with no such word behind it.
func withoutTags(line string) string {
	if strings.IndexByte(line, '[') < 0 && strings.IndexByte(line, '<') < 0 {
		return line
	}
	var b strings.Builder
	for rest := line; rest != ""; {
		at := strings.IndexAny(rest, "[<")
		if at < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:at])
		rest = rest[at:]
		n := tagLength(rest)
		if n == 0 {
			b.WriteByte(rest[0])
			n = 1
		}
		rest = rest[n:]
	}
	return b.String()
}

// tagLength is how long the tag is that a text begins with; 0 if it doesn't.
func tagLength(s string) int {
	const longest = 80
	closing := byte(']')
	if s[0] == '<' {
		closing = '>'
	}
	end := strings.IndexByte(s[:min(len(s), longest)], closing)
	if end < 0 {
		return 0
	}
	word := strings.ToLower(strings.TrimPrefix(s[1:end], "/"))
	word, _, _ = strings.Cut(word, "=")
	word, _, _ = strings.Cut(word, " ")
	for _, tag := range tags {
		if word == tag {
			return end + 1
		}
	}
	return 0
}
