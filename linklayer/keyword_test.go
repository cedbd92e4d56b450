package linklayer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What tc of iproute2 6.1 sends as TCA_CAKE_OVERHEAD, _MPU and _ATM; what it
// doesn't send is zero in a new qdisc.
func TestParseKeywords(t *testing.T) {
	tests := []struct {
		words string
		want  Encapsulation
	}{
		{"", Encapsulation{}},
		{"raw", Encapsulation{}},
		{"conservative", Encapsulation{48, 0, ATM}},
		{"ipoa-vcmux", Encapsulation{8, 0, ATM}},
		{"ipoa-llcsnap", Encapsulation{16, 0, ATM}},
		{"bridged-vcmux", Encapsulation{24, 0, ATM}},
		{"bridged-llcsnap", Encapsulation{32, 0, ATM}},
		{"pppoa-vcmux", Encapsulation{10, 0, ATM}},
		{"pppoa-llc", Encapsulation{14, 0, ATM}},
		{"pppoe-vcmux", Encapsulation{32, 0, ATM}},
		{"pppoe-llcsnap", Encapsulation{40, 0, ATM}},
		{"pppoe-ptm", Encapsulation{30, 0, PTM}},
		{"bridged-ptm", Encapsulation{22, 0, PTM}},
		{"docsis", Encapsulation{18, 64, Plain}},
		{"ethernet", Encapsulation{38, 84, Plain}},
		{"ether-vlan", Encapsulation{4, 0, Plain}},
		{"via-ethernet", Encapsulation{}},
		{"ethernet ether-vlan ether-vlan", Encapsulation{46, 84, Plain}},
		{"pppoe-ptm  ether-vlan", Encapsulation{34, 0, PTM}},
		{"pppoe-ptm via-ethernet", Encapsulation{30, 0, PTM}},
		{"overhead 10 ethernet", Encapsulation{48, 84, Plain}},
		{"ethernet overhead 10", Encapsulation{10, 84, Plain}},
		{"conservative ether-vlan", Encapsulation{52, 0, ATM}},
		{"ether-vlan conservative", Encapsulation{48, 0, ATM}},
		{"docsis ethernet", Encapsulation{56, 84, Plain}},
		{"pppoa-llc ethernet", Encapsulation{52, 84, ATM}}, // the framing stays
		{"pppoa-llc docsis", Encapsulation{32, 64, Plain}},
		{"ethernet raw", Encapsulation{0, 84, Plain}}, // so does the MPU
		{"overhead 4 raw", Encapsulation{}},
		{"raw overhead 4", Encapsulation{4, 0, Plain}},
		{"raw ether-vlan", Encapsulation{4, 0, Plain}},
		{"mpu 10 ethernet", Encapsulation{38, 84, Plain}},
		{"ethernet mpu 0", Encapsulation{38, 0, Plain}},
		{"bridged-ptm noatm", Encapsulation{22, 0, Plain}},
		{"atm overhead -64 mpu 256", Encapsulation{-64, 256, ATM}},
		{"overhead 256 ether-vlan", Encapsulation{260, 0, Plain}}, // only the number is held to 256
	}
	for _, tt := range tests {
		got, err := ParseKeywords(tt.words)
		if err != nil {
			t.Errorf("%q: %v", tt.words, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.words, diff)
		}
	}
}

func TestParseKeywordsErrors(t *testing.T) {
	tests := []struct{ words, want string }{
		{"overhead", `overhead "" is not a number of bytes from -64 to 256; write one, such as "overhead 44"`},
		{"overhead -65", `overhead "-65" is not a number of bytes from -64 to 256; write one, such as "overhead 44"`},
		{"atm overhead 0x10", `overhead "0x10" is not a number of bytes from -64 to 256; write one, such as "overhead 44"`},
		{"mpu 257", `mpu "257" is not a number of bytes from 0 to 256; write one, such as "mpu 44"`},
		{"mpu -1", `mpu "-1" is not a number of bytes from 0 to 256; write one, such as "mpu 44"`},
		{"pppoe-pmt", `unknown overhead keyword "pppoe-pmt"; write "pppoe-ptm"`},
		{"ethernet bandwidth", `unknown overhead keyword "bandwidth"; see tc-cake(8) for those there are`},
		{"Ethernet", `unknown overhead keyword "Ethernet"; write "ethernet"`},
	}
	for _, tt := range tests {
		_, err := ParseKeywords(tt.words)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%q: %v, want %s", tt.words, err, tt.want)
		}
	}
}

func TestKeywordsAreParsed(t *testing.T) {
	if n := len(Keywords()); n != 19 {
		t.Errorf("%d keywords, tc has 19", n)
	}
	for _, k := range Keywords() {
		if _, err := ParseKeywords(k); err != nil {
			t.Error(err)
		}
	}
}

func FuzzParseKeywords(f *testing.F) {
	for _, s := range append(Keywords(), "overhead -64 atm", "mpu 256 ptm", "ethernet ether-vlan", "overhead", "mpu x") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, words string) {
		e, err := ParseKeywords(words)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || e != (Encapsulation{}) {
				t.Fatalf("%q: %+v, %q", words, e, err)
			}
			return
		}
		if e.Overhead < -64 || e.MPU < 0 || e.MPU > 256 || e.Framing > PTM {
			t.Fatalf("%q is %+v", words, e)
		}
		tagged, err := ParseKeywords(words + " ether-vlan noatm")
		want := Encapsulation{e.Overhead + 4, e.MPU, Plain}
		if err != nil || tagged != want {
			t.Fatalf("%q with a tag and no cells: %+v, %v, want %+v", words, tagged, err, want)
		}
	})
}
