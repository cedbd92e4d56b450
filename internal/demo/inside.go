package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
)

// profile describes the line that the demonstration builds.
//
//go:embed demo.toml
var profile string

// line is slow, as many are, and because Debian's ready kernel carries little
// more in real time. Its modem can hold a fifth of a second.
var line = kernellab.LineFacts{
	Up: 5 * linklayer.Mbit, UpBuffer: 128 << 10,
	Down: 20 * linklayer.Mbit, DownBuffer: 512 << 10,
	Delay: 12 * time.Millisecond,
}

// inside is the demonstration, in the guest.
func inside(sqmctl string) error {
	folder, err := os.MkdirTemp("", "demo")
	if err != nil {
		return err
	}
	path := filepath.Join(folder, "sqm.toml")
	if err := os.WriteFile(path, []byte(profile), 0o600); err != nil {
		return err
	}
	s := &stage{}
	defer s.clean()
	s.Line = kernellab.NewLine(s, line)
	s.sqmctl, s.profile = sqmctl, path
	s.play()
	return nil
}

// stage is the line, and what a test would do about failures.
type stage struct {
	*kernellab.Line
	sqmctl, profile string
	cleanups        []func()
}

func (s *stage) play() {
	s.say("A line of 5 Mbit/s up with 128 KiB of buffer in the modem, and this profile:")
	fmt.Println(indent(profile))
	s.run(0, "check", "-p", s.profile)
	s.run(0, "plan", "-p", s.profile)

	s.say("What would it do? A simulation, told what this modem can queue:")
	s.run(0, "preview", "-p", s.profile, "--flows", "1", "--buffer",
		fmt.Sprintf("upload=%dKiB,download=%dKiB", line.UpBuffer>>10, line.DownBuffer>>10))

	s.say("An upload starts, and a call beside it. Nothing is shaped:")
	upload := s.Upload(1, "cubic")
	time.Sleep(5 * time.Second)
	before := s.measure(upload)

	s.say("Now the shaper, while the upload runs:")
	s.run(0, "apply", "-p", s.profile)
	time.Sleep(3 * time.Second)
	after := s.measure(upload)
	s.run(0, "status", "-p", s.profile)

	s.say("Is it really the bottleneck?")
	s.run(0, "doctor", "-p", s.profile, "--for", "5s")

	s.say("And away with it:")
	s.run(0, "remove")
	s.say(fmt.Sprintf("One way, the call took %s without sqmctl and %s with it.", tenth(before), tenth(after)))
}

// measure watches the call for five seconds and returns its median delay.
func (s *stage) measure(upload *kernellab.Transfer) time.Duration {
	call := s.Call(linklayer.Egress)
	defer call.Stop()
	time.Sleep(time.Second)
	call.Discard()
	upload.Discard()
	time.Sleep(5 * time.Second)
	delay := call.Delay()
	fmt.Printf("    call: %s one way (median), %s (95th percentile); upload: %s of payload\n",
		tenth(delay.Median), tenth(delay.P95), upload.Goodput().Less(0))
	return delay.Median
}

func tenth(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

func (s *stage) say(text string) { fmt.Printf("\n── %s\n\n", text) }

// run shows a command as a person would type it, and what it prints.
func (s *stage) run(want int, args ...string) {
	fmt.Printf("    $ sqmctl %s\n", strings.Join(args, " "))
	cmd := exec.Command(s.sqmctl, args...)
	var out []byte
	s.Router.In(func() { out, _ = cmd.CombinedOutput() })
	fmt.Println(indent(string(out)))
	if got := cmd.ProcessState.ExitCode(); got != want {
		s.Fatalf("sqmctl %s ended with %d", args[0], got)
	}
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}
