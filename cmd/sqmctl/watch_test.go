package main

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// Doctor keeps looking: it says what it finds, says it again only when that has
// changed, and ends as the last stretch did when it is interrupted.
func TestWatch(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		s := newStory(t, rightProfile)
		s.apply()
		s.Download(1, "cubic")
		time.Sleep(5 * time.Second)

		status, said := s.watch(func() {
			time.Sleep(17 * time.Second)
			s.Router.Command("tc", "filter", "del", "dev", "wan", "ingress")
			time.Sleep(20 * time.Second)
		})
		engaged, broken := strings.Count(said, "wan download: ok: engaged"), strings.Count(said, "wan download: error: not redirected")
		if status != statusFindings || engaged != 1 || broken != 1 || strings.Index(said, "engaged") > strings.Index(said, "not redirected") {
			t.Errorf("status %d, %d times engaged, %d times broken", status, engaged, broken)
		}

		s.apply()
		status, said = s.watch(func() { time.Sleep(18 * time.Second) }, "--json")
		lines := strings.Split(strings.TrimSpace(said), "\n")
		if status != statusFine || len(lines) < 3 {
			t.Errorf("status %d, %d lines", status, len(lines))
		}
		for _, line := range lines {
			var findings []findingJSON
			if err := json.Unmarshal([]byte(line), &findings); err != nil || len(findings) != 2 {
				t.Errorf("%v: %s", err, line)
			}
		}
	})
}

// watch interrupts doctor when something has happened.
func (s *story) watch(happen func(), args ...string) (status int, said string) {
	s.t.Helper()
	done := make(chan struct{})
	go func() {
		status, said = s.sqmctl(append([]string{"doctor", "--watch", "--for", "5s", "-p", s.profile}, args...)...)
		close(done)
	}()
	happen()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
		s.t.Fatal(err)
	}
	<-done
	return status, said
}
