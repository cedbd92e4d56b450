package kernellab

import (
	"regexp"
	"strings"
)

// guestPattern is the -test.run of a guest that runs the test of this name,
// and those of its subtests which the -test.run outside names.
func guestPattern(name, outside string) string {
	elements := strings.Split(name, "/")
	depth := len(elements)
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	// With several alternatives it takes the testing package to say which of
	// them is meant here, so then all subtests run.
	if len(splitPattern(outside, '|')) == 1 {
		if own := splitPattern(outside, '/'); len(own) > depth {
			elements = append(elements, own[depth:]...)
		}
	}
	return strings.Join(elements, "/")
}

// splitPattern splits at a separator that stands outside of any brackets, as
// the testing package does.
func splitPattern(pattern string, separator byte) []string {
	var parts []string
	square, round, start := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			square++
		case c == ']' && square > 0:
			square--
		case c == '(' && square == 0:
			round++
		case c == ')' && square == 0:
			round--
		case c == separator && square == 0 && round == 0:
			parts = append(parts, pattern[start:i])
			start = i + 1
		}
	}
	return append(parts, pattern[start:])
}
