package linklayer

import "testing"

func TestEditDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"abc", "abc", 0},
		{"abc", "acb", 1}, // swapped
		{"abc", "abxc", 1},
		{"abc", "ac", 1},
		{"abc", "axc", 1},
		{"kitten", "sitting", 3},
	}
	for _, tt := range tests {
		if got := editDistance(tt.a, tt.b); got != tt.want {
			t.Errorf("%q to %q takes %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"upload", "download", "nat"}
	tests := []struct{ word, want string }{
		{"uplaod", "upload"},
		{"Down-Load", "download"},
		{"nta", "nat"},
		{"bandwidth", ""},
		{"x", ""},
	}
	for _, tt := range tests {
		if got := Nearest(tt.word, known); got != tt.want {
			t.Errorf("%q is nearest to %q, want %q", tt.word, got, tt.want)
		}
	}
	if got := Nearest("nat", nil); got != "" {
		t.Errorf("of no names %q is nearest", got)
	}
}
