package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// FuzzParse: whatever the text, there is a profile to go by or a list of
// problems to show.
func FuzzParse(f *testing.F) {
	f.Add([]byte(fiveLines))
	f.Add([]byte(everyKey))
	f.Add([]byte(Example()))
	files, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		profile, err := Parse("sqm.toml", data)
		if err == nil {
			checkProfile(t, profile)
			return
		}
		var problems *Problems
		if profile != nil || !errors.As(err, &problems) {
			t.Fatalf("%+v, %v", profile, err)
		}
		checkProblems(t, string(data), problems)
	})
}

// checkProfile holds a profile to what its types promise.
func checkProfile(t *testing.T, p *Profile) {
	if len(p.Links) == 0 {
		t.Fatal("a profile without a link")
	}
	seen := map[string]bool{}
	for i := range p.Links {
		l := &p.Links[i]
		if interfaceFault(l.Interface) != nil || seen[l.Interface] || l.Type.Name == "" || !slices.Contains(qdiscs, l.Upload.Qdisc.Value) || l.Line < 1 {
			t.Errorf("%+v", l)
		}
		seen[l.Interface] = true
		if l.Upload.Off && l.Download.Off {
			t.Error("both directions are off")
		}
		for _, d := range directions {
			checkSettings(t, l.Direction(d))
		}
	}
}

func checkSettings(t *testing.T, s *Settings) {
	if s.Off {
		return
	}
	e := s.Encapsulation()
	switch {
	case s.Rate() < slowestLine/10-1000 || s.Rate() > s.Invoice:
		t.Errorf("%s of %s", s.Rate(), s.Invoice)
	case !(s.Headroom.Value >= 0 && s.Headroom.Value <= 90):
		t.Errorf("headroom %v", s.Headroom)
	case e.Overhead < -64 || e.Overhead > 256 || e.MPU < 0 || e.MPU > 256:
		t.Errorf("%+v", e)
	case s.RTT.Value < rtts[0].time || s.RTT.Value%1000 != 0:
		t.Errorf("rtt %v", s.RTT)
	case s.MemoryLimit.Value != 0 && (s.MemoryLimit.Value < leastMemory || s.MemoryLimit.Value > mostMemory):
		t.Errorf("memory limit %v", s.MemoryLimit)
	}
}
