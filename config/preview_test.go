package config

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

func TestPreview(t *testing.T) {
	l := mustParse(t, fiveLines+`preview = { buffer = { upload = "256 KiB" }, rtt = "metro", flows = 8, wobble = "0 %" }`).Links[0]
	if got := l.Direction(linklayer.Egress).Buffer; got.Value != 256<<10 || got.Line != 6 {
		t.Errorf("upload's buffer: %+v", got)
	}
	if got := l.Direction(linklayer.Ingress).Buffer; got.Value != 0 || got.Line != 0 {
		t.Errorf("download's buffer, which isn't there: %+v", got)
	}
	if got := l.Preview; got.RTT.Value != 10*time.Millisecond || got.Flows.Value != 8 || got.Wobble.Value != 0 || got.Wobble.Line != 6 {
		t.Errorf("%+v", got)
	}
	l = mustParse(t, fiveLines+"[link.preview]\nbuffer = \"1 MiB\"\n").Links[0]
	if up, down := l.Upload.Buffer.Value, l.Download.Buffer.Value; up != 1<<20 || down != 1<<20 {
		t.Errorf("one value for both: %d and %d", up, down)
	}
}

func TestPreviewProblems(t *testing.T) {
	for text, want := range map[string]string{
		`preview = 4`:                             "link[1].preview: 4 is not a table",
		`preview = { bufer = "1 MiB" }`:           "link[1].preview.bufer: unknown key; write buffer",
		`preview = { buffer = 512 }`:              "link[1].preview.buffer: 512 has no unit",
		`preview = { flows = 0 }`:                 "link[1].preview.flows: 0 is outside 1 to 1000",
		`preview = { wobble = 15 }`:               "link[1].preview.wobble: 15 has no percent sign; write \"15 %\"",
		`preview = { wobble = "95 %" }`:           "link[1].preview.wobble: \"95 %\" is outside 0 % to 90 %; write by how much the line's rate varies",
		`preview = { rtt = "interplanetary" }`:    "link[1].preview.rtt: \"interplanetary\" is above 20 s; write the time",
		`preview = { rtt = 24 }`:                  "link[1].preview.rtt: 24 has no unit; write \"24 ms\"",
		`preview = { buffer = { up = "1 MiB" } }`: "link[1].preview.buffer.up: unknown key; write upload",
	} {
		_, err := Parse("f", []byte(fiveLines+text))
		var problems *Problems
		if !errors.As(err, &problems) || len(problems.List) != 1 || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, should have %q", text, err, want)
		}
	}
}
