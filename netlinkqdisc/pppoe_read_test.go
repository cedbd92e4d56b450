package netlinkqdisc

import (
	"slices"
	"strings"
	"testing"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// What a kernel printed for one session.
const onePPPoESession = "Id       Address              Device\n00000100 da:b9:f8:1b:b8:71      wan\n"

func TestParsePPPoESessions(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string
	}{
		{"", ""},
		{"Id       Address              Device\n", ""},
		{onePPPoESession, "wan"},
		{onePPPoESession + "00000200 da:b9:f8:1b:b8:72 a-long-name.7\n", "wan a-long-name.7"},
		{onePPPoESession + "00000200 da:b9:f8:1b:b8:72      wan more to come", "wan wan"},
		{onePPPoESession + "00000200 da:b9:f8:1b", "wan"},
		{"00000100 da:b9:f8:1b:b8:71\nxyz da:b9:f8:1b:b8:71 wan\n1 wan wan\n\n", ""},
	} {
		if got := strings.Join(parsePPPoESessions(tt.text), " "); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

func FuzzParsePPPoESessions(f *testing.F) {
	f.Add(onePPPoESession)
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range parsePPPoESessions(text) {
			if name == "" || strings.ContainsAny(name, " \t\n") {
				t.Errorf("%q: a device called %q", text, name)
			}
		}
	})
}

// Each end of PPPoE knows the devices that its own sessions run on, and not those
// in another namespace.
func TestReadPPPoEKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		l := kernellab.NewPPPoELine(t, kernellab.LineFacts{
			Up: linklayer.Mbit, UpBuffer: 100_000, Down: linklayer.Mbit, DownBuffer: 100_000,
		})
		kernellab.ConnectPPPoE(
			kernellab.PPPoEEnd{Namespace: l.Router, Below: "lan", Device: "ppp1", Address: "198.51.100.1"},
			kernellab.PPPoEEnd{Namespace: l.Sender, Below: "router", Device: "ppp1", Address: "198.51.100.2"},
		)
		for _, tt := range []struct {
			in   *kernellab.Namespace
			want []string
		}{{l.Sender, []string{"router"}}, {l.Router, []string{"lan", "wan"}}, {l.Modem, nil}, {l.Net, []string{"modem"}}} {
			var carry []string
			tt.in.In(func() {
				for _, d := range read(t, open(t)).Devices {
					if d.PPPoE {
						carry = append(carry, d.Name)
					}
				}
			})
			if !slices.Equal(carry, tt.want) {
				t.Errorf("%s: PPPoE runs on %q, want %q", tt.in.Name, carry, tt.want)
			}
		}
	})
}
