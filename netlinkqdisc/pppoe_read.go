package netlinkqdisc

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// nameBelowPPP fills in what is below PPP devices, which no attribute of theirs
// says. The kernel lists its PPPoE sessions with the device that each runs over,
// but not with the PPP device that each belongs to: what is below is known if
// all run over the same device.
func nameBelowPPP(found *plan.State) {
	below := ""
	for i := range found.Devices {
		d := &found.Devices[i]
		if d.Type != unix.ARPHRD_PPP || d.Parent != "" {
			continue
		}
		if below == "" {
			if below = onlyOne(readSessions()); below == "" {
				return
			}
		}
		d.Parent = below
	}
}

// readSessions asks the thread's namespace for its PPPoE sessions; none where
// the kernel has no PPPoE.
func readSessions() []string {
	b, err := os.ReadFile("/proc/thread-self/net/pppoe")
	if err != nil {
		return nil
	}
	return parseSessions(string(b))
}

// parseSessions is the device of each session: the last of three columns below
// a line of headings (pppoe_seq_show in the kernel's drivers/net/ppp/pppoe.c).
func parseSessions(text string) (devices []string) {
	_, rows, _ := strings.Cut(text, "\n")
	for row := range strings.Lines(rows) {
		if fields := strings.Fields(row); len(fields) == 3 {
			devices = append(devices, fields[2])
		}
	}
	return devices
}

// onlyOne is the name that all of these are; "" if there is none, or another.
func onlyOne(names []string) string {
	for _, n := range names {
		if n != names[0] {
			return ""
		}
	}
	if len(names) == 0 {
		return ""
	}
	return names[0]
}
