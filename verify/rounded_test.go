package verify

import "testing"

func TestRoundedAlike(t *testing.T) {
	for _, test := range []struct {
		printed, exact string
		want           bool
	}{
		{"13062kbit", "13062496bit", true},
		{"1234mbit", "1234567kbit", true},
		{"15300us", "15299us", true},
		{"110ms", "110299us", true},
		{"10200us", "10249us", true},
		{"4Mb", "4Mb", true},
		{"20mbit", "19mbit", false},
		{"20mbit", "19800kbit", false},
		{"5ms", "6ms", false},
		{"1s", "1000ms", true},
		{"unlimited", "20mbit", false},
		{"10", "10", false}, // numbers without a unit are never rounded
		{"none", "mtu 2047", false},
		{"", "", false},
	} {
		if got := roundedAlike(test.printed, test.exact); got != test.want {
			t.Errorf("%q and %q: %t", test.printed, test.exact, got)
		}
	}
}
