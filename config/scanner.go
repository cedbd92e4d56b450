package config

import "strings"

// scanner walks a TOML text for the places of its keys. It judges nothing.
type scanner struct {
	text     string
	at       int            // byte offset
	offsets  map[string]int // by path
	elements map[string]int // how many [[path]] there have been
}

func (s *scanner) document() {
	switch {
	case strings.HasPrefix(s.text, byteOrderMark):
		s.at = len(byteOrderMark)
	case strings.HasPrefix(s.text, "\xff\xfe"), strings.HasPrefix(s.text, "\xfe\xff"):
		s.at = 2
	}
	table := ""
	for {
		s.skipBlank()
		switch {
		case s.at >= len(s.text):
			return
		case s.text[s.at] == '[':
			table = s.header()
		default:
			s.keyValue(table)
		}
	}
}

// header reads [a.b] or [[a.b]] and is the path that it opens. A part of it
// that is an array of tables means the last element so far.
func (s *scanner) header() string {
	brackets := 1
	if strings.HasPrefix(s.text[s.at:], "[[") {
		brackets = 2
	}
	s.at += brackets
	path := ""
	for {
		key, offset := s.key()
		path = joinPath(path, key)
		s.record(path, offset)
		more := s.take('.')
		if brackets == 2 && !more {
			s.elements[path]++
		}
		if n := s.elements[path]; n > 0 {
			path = elementPath(path, n)
			s.record(path, offset)
		}
		if !more {
			break
		}
	}
	for range brackets {
		s.take(']')
	}
	return path
}

// keyValue reads a.b = value in a table. TOML forbids such an a to be an array
// of tables, but the decoder takes it for the last element.
func (s *scanner) keyValue(path string) {
	for {
		key, offset := s.key()
		path = joinPath(path, key)
		s.record(path, offset)
		if !s.take('.') {
			break
		}
		if n := s.elements[path]; n > 0 {
			path = elementPath(path, n)
		}
	}
	s.take('=')
	s.value(path)
}

func (s *scanner) record(path string, offset int) {
	if _, ok := s.offsets[path]; !ok {
		s.offsets[path] = offset
	}
}

// key reads one part of a dotted key. It always moves on.
func (s *scanner) key() (key string, offset int) {
	s.skipSpace()
	start := s.at
	switch {
	case s.at >= len(s.text):
		return "", start
	case s.text[s.at] == '"', s.text[s.at] == '\'':
		s.shortString()
		return unquoteKey(s.text[start:s.at]), start
	}
	s.run(" \t.=]\r\n#,{}")
	return s.text[start:s.at], start
}

// value skips what is assigned to a path, and records the keys within.
func (s *scanner) value(path string) {
	s.skipSpace()
	rest := s.text[s.at:]
	switch {
	case strings.HasPrefix(rest, `"""`), strings.HasPrefix(rest, `'''`):
		s.longString()
	case strings.HasPrefix(rest, `"`), strings.HasPrefix(rest, `'`):
		s.shortString()
	case strings.HasPrefix(rest, "["):
		s.array(path)
	case strings.HasPrefix(rest, "{"):
		s.inlineTable(path)
	default:
		s.run(",]}#\r\n")
	}
}

func (s *scanner) array(path string) {
	s.at++
	for n := 1; s.within(']'); n++ {
		element := elementPath(path, n)
		s.record(element, s.at)
		s.value(element)
	}
}

func (s *scanner) inlineTable(path string) {
	s.at++
	for s.within('}') {
		s.keyValue(path)
	}
}

// within moves to the next element of an array or inline table, or over its
// end.
func (s *scanner) within(end byte) bool {
	for {
		s.skipBlank()
		if s.at >= len(s.text) || s.take(end) {
			return false
		}
		if !s.take(',') {
			return true
		}
	}
}

// shortString skips a string of one line.
func (s *scanner) shortString() {
	quote := s.text[s.at]
	s.at++
	for s.at < len(s.text) && s.text[s.at] != quote {
		if quote == '"' && s.text[s.at] == '\\' {
			s.at++
		}
		s.at++
	}
	s.at = min(s.at+1, len(s.text))
}

// longString skips a string in triple quotes, which may end in up to two
// quotes of its own.
func (s *scanner) longString() {
	quote := s.text[s.at]
	triple := s.text[s.at : s.at+3]
	s.at += 3
	for s.at < len(s.text) && !strings.HasPrefix(s.text[s.at:], triple) {
		if quote == '"' && s.text[s.at] == '\\' {
			s.at++
		}
		s.at++
	}
	s.at = min(s.at+3, len(s.text))
	for extra := 0; extra < 2 && s.at < len(s.text) && s.text[s.at] == quote; extra++ {
		s.at++
	}
}

// run skips to the next of the bytes that end a bare word, over one byte at
// least.
func (s *scanner) run(ends string) {
	n := strings.IndexAny(s.text[s.at:], ends)
	if n < 0 {
		n = len(s.text) - s.at
	}
	s.at = min(s.at+max(n, 1), len(s.text))
}

// take skips spaces and then one byte, if it is the next.
func (s *scanner) take(b byte) bool {
	s.skipSpace()
	if s.at >= len(s.text) || s.text[s.at] != b {
		return false
	}
	s.at++
	return true
}

func (s *scanner) skipSpace() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
		s.at++
	}
}

// skipBlank skips spaces, line ends and comments.
func (s *scanner) skipBlank() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		case '#':
			s.run("\n")
		default:
			return
		}
	}
}
