package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// confusion counts what doctor had to say of a direction and what it said
// instead.
type confusion struct {
	situations, directions int
	misses, falseAlarms    int
	cells                  map[[2]string]int // what was to be said, what was said
}

// nothing is in the place of what was missed, or too much.
const nothing = "nothing"

func (c *confusion) add(want, said judgement) {
	if c.cells == nil {
		c.cells = map[[2]string]int{}
	}
	c.situations++
	for _, where := range union(want, said) {
		c.directions++
		c.addDirection(want.findings(where), said.findings(where))
	}
}

func (c *confusion) addDirection(want, said []string) {
	missed, more := without(want, said), without(said, want)
	for _, right := range without(want, missed) {
		c.cells[[2]string{right, right}]++
	}
	c.misses += len(missed)
	c.falseAlarms += len(more)
	for _, m := range missed {
		for _, s := range orNothing(more) {
			c.cells[[2]string{m, s}]++
		}
	}
	if len(missed) == 0 {
		for _, s := range more {
			c.cells[[2]string{nothing, s}]++
		}
	}
}

func orNothing(said []string) []string {
	if len(said) == 0 {
		return []string{nothing}
	}
	return said
}

// without are those of a that aren't in b.
func without(a, b []string) (rest []string) {
	for _, s := range a {
		if !slices.Contains(b, s) {
			rest = append(rest, s)
		}
	}
	return rest
}

func union(a, b judgement) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// table is a row for each finding that had to be said, and a column for each
// that was. The columns have the numbers of the rows.
func (c *confusion) table() []string {
	seen := map[string]bool{}
	for cell := range c.cells {
		seen[cell[0]], seen[cell[1]] = true, true
	}
	names := slices.SortedFunc(maps.Keys(seen), bySeverity)
	lines := []string{
		fmt.Sprintf("%d situations, %d directions judged; %d findings missed, %d said that are not so", c.situations, c.directions, c.misses, c.falseAlarms),
		fmt.Sprintf("%-32s", "had to be said \\ was said") + counts(len(names), func(i int) int { return i + 1 }),
	}
	for i, want := range names {
		row := counts(len(names), func(j int) int { return c.cells[[2]string{want, names[j]}] })
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%3d %-28s%s", i+1, want, row), " "))
	}
	return lines
}

// counts are numbers, where a zero is left out.
func counts(n int, number func(int) int) string {
	var b strings.Builder
	for i := range n {
		if v := number(i); v != 0 {
			fmt.Fprintf(&b, "%4d", v)
		} else {
			b.WriteString("   .")
		}
	}
	return b.String()
}

// bySeverity puts the worst first.
func bySeverity(a, b string) int {
	const order = "error warning notice ok " + nothing
	severity := func(s string) int { return strings.Index(order, strings.Fields(s)[0]) }
	if n := severity(a) - severity(b); n != 0 {
		return n
	}
	return strings.Compare(a, b)
}

func TestConfusion(t *testing.T) {
	var c confusion
	c.add(judgement{"wan upload": "error b, ok a", "wan download": "ok a"}, judgement{"wan upload": "error b, ok a", "wan download": "error b"})
	c.add(judgement{"wan upload": "ok a"}, judgement{"wan upload": "ok a, warning c", "lan upload": "error b"})
	c.add(judgement{"wan upload": "ok a"}, judgement{})
	want := []string{
		"3 situations, 5 directions judged; 2 findings missed, 3 said that are not so",
		"had to be said \\ was said          1   2   3   4",
		"  1 error b                        1   .   .   .",
		"  2 warning c                      .   .   .   .",
		"  3 ok a                           1   .   2   1",
		"  4 nothing                        1   1   .   .",
	}
	if diff := cmp.Diff(want, c.table()); diff != "" {
		t.Error(diff)
	}
}
