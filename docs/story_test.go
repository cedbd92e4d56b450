package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// A console block is what a person types behind "$ " and what comes of it. The
// blocks of a document are one story, in a folder where its named texts are
// files and sqmctl.toml is the profile.
type story struct {
	t      *testing.T
	folder string
	enter  func(func()) // runs something where the story plays
}

func newStory(t *testing.T, d *document) *story {
	t.Helper()
	s := &story{t, t.TempDir(), func(f func()) { f() }}
	for _, b := range d.blocks {
		if b.file == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(s.folder, b.file), []byte(b.text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// play runs every command of a document and compares what it prints. Before a
// command that is a comment with a word for it, something happens.
func (s *story) play(d *document, happens map[string]func()) {
	s.t.Helper()
	commands := 0
	for _, b := range d.blocks {
		if b.language != "console" {
			continue
		}
		for _, part := range strings.Split("\n"+b.text, "\n$ ")[1:] {
			commands++
			command, want, _ := strings.Cut(part, "\n")
			for word, happen := range happens {
				if strings.HasPrefix(command, "#") && strings.Contains(command, word) {
					happen()
				}
			}
			got := s.run(command)
			if diff := cmp.Diff(steady(want), steady(got)); diff != "" {
				s.t.Errorf("%s, block in line %d: %s (-document +program)\n%s\nIt prints:\n%s", d.path, b.line, command, diff, got)
			}
		}
	}
	if commands == 0 {
		s.t.Errorf("%s has no examples", d.path)
	}
}

// run is what a command prints, on standard output and standard error.
func (s *story) run(command string) string {
	s.t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = s.folder
	cmd.Env = append(os.Environ(), "SQMCTL_PROFILE=sqmctl.toml",
		"PATH="+filepath.Dir(program(s.t))+":"+os.Getenv("PATH"))
	var out []byte
	s.enter(func() { out, _ = cmd.CombinedOutput() }) // the story shows statuses that matter
	return string(out)
}

var (
	counters = regexp.MustCompile(`packets|drops|carried|loaded for|at its full rate|bit/s {2,}\d`)
	number   = regexp.MustCompile(`\d+(\.\d+)?( ?(µs|ms|s|kbit/s|Mbit/s|%))?\b`)
	gaps     = regexp.MustCompile(` +`)
	changing = regexp.MustCompile(`go1\.\d+(\.\d+)?|linux/\w+|process \d+`)
)

// steady leaves out what differs from run to run: the numbers of what was
// counted, and which Go built the program.
func steady(text string) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		line = changing.ReplaceAllString(line, "…")
		if counters.MatchString(line) {
			line = gaps.ReplaceAllString(number.ReplaceAllString(line, "N"), " ")
		}
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// What needs no kernel is run here.
func TestProfileExamples(t *testing.T) {
	d := read(t, "profile.md")
	newStory(t, d).play(d, nil)
}

// The commands are run on a router whose line is the one of the examples.
func TestCommandExamples(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		d := read(t, "commands.md")
		s := newStory(t, d)
		line := kernellab.NewLine(t, kernellab.LineFacts{
			Up: 20 * linklayer.Mbit, UpBuffer: 512 << 10,
			Down: 50 * linklayer.Mbit, DownBuffer: 1_000_000,
			Delay: 12 * time.Millisecond,
		})
		s.enter = line.Router.In
		s.play(d, map[string]func(){"upload": func() {
			line.Upload(1, "cubic")
			time.Sleep(5 * time.Second)
		}})
	})
}
