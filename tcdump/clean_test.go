package tcdump

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a terminal, a forum or a mail program does to a paste changes nothing that
// is read.
func TestDamage(t *testing.T) {
	_, post, _ := strings.Cut(fixture(t, "forum-post.txt"), "\n")
	want := read(t, post)
	each := func(change func(string) string) string {
		var b strings.Builder
		for line := range strings.Lines(post) {
			b.WriteString(change(strings.TrimSuffix(line, "\n")) + "\n")
		}
		return b.String()
	}
	word := regexp.MustCompile(`[^\s]+`)
	for name, text := range map[string]string{
		"Windows":              each(func(s string) string { return s + "\r" }),
		"quoted":               each(func(s string) string { return "> " + s }),
		"quoted twice":         each(func(s string) string { return "> > " + s }),
		"quoted tightly":       each(func(s string) string { return ">" + s }),
		"indented":             each(func(s string) string { return "        " + s }),
		"by tabs":              each(func(s string) string { return "\t" + s }),
		"indentation lost":     each(strings.TrimSpace),
		"spaces folded":        each(func(s string) string { return strings.Join(strings.Fields(s), " ") }),
		"tabs between":         each(func(s string) string { return strings.Join(strings.Fields(s), "\t") }),
		"hard spaces":          each(func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }),
		"spaces behind":        each(func(s string) string { return s + "   " }),
		"empty lines between":  each(func(s string) string { return s + "\n" }),
		"no empty lines":       strings.ReplaceAll(post, "\n\n", "\n"),
		"BBCode":               "[CODE]\n" + post + "\n[/CODE]",
		"BBCode in the line":   "[code=bash]" + post + "[/code]",
		"HTML":                 "<pre><code>" + strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(post) + "</code></pre>",
		"markdown":             "```\n" + post + "\n```",
		"markdown with a name": "~~~ shell\n" + post + "~~~",
		"colours":              each(func(s string) string { return word.ReplaceAllString(s, "\x1b[36m$0\x1b(B\x1b[m") }),
		"bold":                 each(func(s string) string { return "[b]" + s + "[/b]" }),
		"a byte order mark":    "\ufeff" + post,
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(want, read(t, text)); diff != "" {
				t.Errorf("read another way (-undamaged +damaged):\n%s", diff)
			}
		})
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"qdisc\tcake":                      "qdisc cake",
		"\x1b[1;31mqdisc\x1b[0m cake":      "qdisc cake",
		"\x1b":                             "",
		"\x1b[":                            "",
		"> > x":                            "x",
		"[Unknown qdisc, optlen=140]":      "[Unknown qdisc, optlen=140]",
		"[{\"kind\":\"cake\"}]":            "[{\"kind\":\"cake\"}]",
		"3: eth0: <BROADCAST,UP> mtu 1500": "3: eth0: <BROADCAST,UP> mtu 1500",
		"vlan id 7 <REORDER_HDR>":          "vlan id 7 <REORDER_HDR>",
		"[HW_OFFLOAD] [code]x[/code]":      "[HW_OFFLOAD] x",
		"[quote=\"somebody, post:4\"]":     "",
		"a\xffb":                           "a\xffb",
	} {
		if got := clean(text); got != want {
			t.Errorf("%q becomes %q, should be %q", text, got, want)
		}
	}
}
