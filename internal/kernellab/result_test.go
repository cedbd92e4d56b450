package kernellab

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, output string
		want         *result
	}{
		{"nothing", "", &result{name: "TestX/a"}},
		{"a log line", "\x16=== RUN   TestX\n\x16=== RUN   TestX/a\n\x16=== BODY\n    x_test.go:1: hi\n        there\n\x16--- PASS: TestX/a (0.00s)\n\x16--- PASS: TestX (0.00s)\n\x16PASS\n",
			&result{name: "TestX/a", state: "PASS", lines: []string{"x_test.go:1: hi", "    there"}}},
		{"what was printed before the body", "\x16=== RUN   TestX/a\n    x_test.go:1: here and there\n\x16=== BODY\nonly there\n",
			&result{name: "TestX/a", lines: []string{"only there"}}},
		{"a line without an end before a mark", "\x16=== RUN   TestX/a\nunended\x16--- FAIL: TestX/a (0.00s)\n",
			&result{name: "TestX/a", state: "FAIL", lines: []string{"unended"}}},
		{"coverage", "\x16--- PASS: TestX/a (0.00s)\n\x16PASS\ncoverage: 3.1% of statements\n",
			&result{name: "TestX/a", state: "PASS"}},
		{"a crash outside of any test", "\x16=== RUN   TestX/a\n\x16--- FAIL: TestX/a (0.00s)\npanic: no\n\ngoroutine 7:\n",
			&result{name: "TestX/a", state: "FAIL", lines: []string{"panic: no", "", "goroutine 7:"}}},
		{"subtests that interleave", "\x16=== RUN   TestX/a\n" +
			"\x16=== RUN   TestX/a/b\n    1\n\x16=== PAUSE TestX/a/b\n" +
			"\x16=== RUN   TestX/a/c/d\n    2\n\x16=== CONT  TestX/a/b\n    3\n" +
			"\x16=== RUN   TestX/a/b/e\n    4\n\x16=== NAME  TestX/a/c/d\n    5\n" +
			"\x16    --- SKIP: TestX/a/b/e (0.00s)\n\x16--- FAIL: TestX/a/b (0.00s)\n",
			&result{name: "TestX/a", subs: []*result{
				{name: "TestX/a/b", state: "FAIL", lines: []string{"1", "3"}, subs: []*result{
					{name: "TestX/a/b/e", state: "SKIP", lines: []string{"4"}},
				}},
				{name: "TestX/a/c/d", lines: []string{"2", "5"}},
			}}},
		{"another test's subtest", "\x16=== RUN   TestX\n\x16=== RUN   TestX/ab\n    not mine\n",
			&result{name: "TestX/a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := parse(tt.output, "TestX/a")
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(result{})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Whatever a guest prints, no subtest is lost or found twice.
func FuzzParse(f *testing.F) {
	f.Add("\x16=== RUN   TestX/a\n    hi\n\x16--- PASS: TestX/a (0.00s)\n")
	f.Add("\x16=== RUN   TestX/a/b/c\n\x16=== RUN   TestX/a/b\nx\x16=== BODY\n")
	f.Fuzz(func(t *testing.T, output string) {
		root := parse(output, "TestX/a")
		seen := map[string]bool{}
		var walk func(r *result)
		walk = func(r *result) {
			if seen[r.name] {
				t.Errorf("%q occurs twice", r.name)
			}
			seen[r.name] = true
			for _, sub := range r.subs {
				if !strings.HasPrefix(sub.name, r.name+"/") {
					t.Errorf("%q is below %q", sub.name, r.name)
				}
				walk(sub)
			}
		}
		walk(root)
	})
}
