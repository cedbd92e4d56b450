package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/plan"
	"github.com/sqmctl/sqmctl/tcdump"
	"github.com/sqmctl/sqmctl/verify"
)

// Whatever two pastes say, what doctor says of them has a code, a text and a place,
// and each line of it is one line.
func FuzzJudgeDumps(f *testing.F) {
	files, err := filepath.Glob("../../tcdump/testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("no pastes to begin with: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), string(text))
		f.Add("", string(text))
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		var samples []plan.State
		for i, text := range []string{before, after} {
			dump, err := tcdump.Read(strings.NewReader(text), "paste")
			if err != nil {
				return
			}
			dump.State.Time = time.Unix(10*int64(i), 0)
			samples = append(samples, dump.State)
		}
		observed := verify.Observed(samples[1])
		for _, findings := range [][]verify.Finding{verify.Check(observed, samples[1:]), verify.Check(observed, samples)} {
			for _, f := range findings {
				whole := f.Text + f.Advice + strings.Join(f.Evidence, "")
				if f.Code == "" || f.Text == "" || f.Link == "" || strings.Contains(whole, "\n") {
					t.Errorf("%+v", f)
				}
			}
		}
	})
}
