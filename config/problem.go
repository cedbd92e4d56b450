package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a profile.
type Problem struct {
	File   string
	Line   int    // from 1; 0 when the file as a whole is the problem
	Column int    // in characters, from 1; 0 with Line 0
	Key    string // "link[1].invoice.upload", links counted from 1; "" when no key is concerned
	Text   string // what is wrong
	Advice string // what to do about it
}

// String is the problem on one line, in the form that editors jump to.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	if p.Key != "" {
		fmt.Fprintf(&b, ": %s", p.Key)
	}
	fmt.Fprintf(&b, ": %s; %s", p.Text, p.Advice)
	return b.String()
}

// Problems is everything that is wrong with a profile, in the order of the
// file. It is the error of Load and Parse, and never empty.
type Problems struct {
	List []Problem
}

// Error is one line a problem.
func (p *Problems) Error() string {
	lines := make([]string, len(p.List))
	for i, problem := range p.List {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// sort puts problems in the order of the file. Problems of one place stay in
// the order in which they were found.
func (p *Problems) sort() {
	slices.SortStableFunc(p.List, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
