package netlinkqdisc

import "testing"

func TestParseOnline(t *testing.T) {
	tests := map[string]int{
		"0\n": 1, "0-3\n": 4, "0-3,6\n": 5, "0,2,4-5": 4,
		"": 0, "\n": 0, "3-0": 0, "a": 0, "0-": 0, "-3": 0, "0,,1": 0, "0-99999999999": 0,
	}
	for list, want := range tests {
		if got := parseOnline(list); got != want {
			t.Errorf("%q has %d processors, should have %d", list, got, want)
		}
	}
}
