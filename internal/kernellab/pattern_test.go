package kernellab

import (
	"strings"
	"testing"
)

func TestGuestPattern(t *testing.T) {
	for _, tt := range []struct{ name, outside, want string }{
		{"TestX", "", "^TestX$"},
		{"TestX", "X", "^TestX$"},
		{"TestX/sub", "X", "^TestX$/^sub$"},
		{"TestX/a.b/c_(d)", "", `^TestX$/^a\.b$/^c_\(d\)$`},
		{"TestX", "^TestX$/^sub$", "^TestX$/^sub$"},
		{"TestX", "TestX/sub/deep", "^TestX$/sub/deep"},
		{"TestX/sub", "X/s/deep", "^TestX$/^sub$/deep"},
		{"TestX", "X/a[/]b(c/d)/e", "^TestX$/a[/]b(c/d)/e"},
		{"TestX", "X/a(b|c)[|]", "^TestX$/a(b|c)[|]"},
		{"TestX", `X/a\/b`, `^TestX$/a\/b`},
		// Which of the two is meant here nobody knows: both.
		{"TestX", "TestX/a|TestY/b", "^TestX$"},
	} {
		if got := guestPattern(tt.name, tt.outside); got != tt.want {
			t.Errorf("guestPattern(%q, %q) = %q, want %q", tt.name, tt.outside, got, tt.want)
		}
	}
}

// A pattern is split, never changed, and the test itself always stays chosen.
func FuzzGuestPattern(f *testing.F) {
	f.Add("TestX/a[/]b(c/d)|e")
	f.Add(`\`)
	f.Fuzz(func(t *testing.T, outside string) {
		for _, separator := range "/|" {
			if got := strings.Join(splitPattern(outside, byte(separator)), string(separator)); got != outside {
				t.Errorf("split at %c and joined: %q", separator, got)
			}
		}
		if got := guestPattern("TestX/a", outside); !strings.HasPrefix(got, "^TestX$/^a$") {
			t.Errorf("pattern %q", got)
		}
	})
}
