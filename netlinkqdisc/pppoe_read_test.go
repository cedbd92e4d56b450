package netlinkqdisc

import "testing"

func TestSessions(t *testing.T) {
	const heading = "Id       Address              Device\n"
	tests := []struct{ name, text, want string }{
		{"none", heading, ""},
		{"no PPPoE in the kernel", "", ""},
		{"one", heading + "00000100 f2:de:49:f4:77:39      eth1.7\n", "eth1.7"},
		{"two over one device", heading + "00000100 f2:de:49:f4:77:39      wan\n00000200 f2:de:49:f4:77:39      wan\n", "wan"},
		{"two lines", heading + "00000100 f2:de:49:f4:77:39      wan\n00000200 02:00:00:00:00:01      wanb\n", ""},
		{"garbled", heading + "00000100\n\n", ""},
	}
	for _, test := range tests {
		if got := onlyOne(parseSessions(test.text)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
