package netlinkqdisc

import "testing"

func TestParseMemory(t *testing.T) {
	for text, want := range map[string]uint64{
		"MemTotal:         124356 kB\nMemFree:           1 kB\n": 124356 << 10,
		"MemFree: 7 kB\nMemTotal: 64 kB":                         64 << 10,
		"MemTotal: 64":                                           0,
		"MemTotal: 64 MB\n":                                      0,
		"MemTotal: 99999999999999999999 kB\n":                    0,
		"":                                                       0,
	} {
		if got := parseMemory(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := readMemory(); got < 1<<20 {
		t.Errorf("this machine has %d bytes", got)
	}
}
