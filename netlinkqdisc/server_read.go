package netlinkqdisc

import (
	"os"
	"strings"
)

// readSysctl is a word under /proc/sys, as the calling thread's namespace has
// it; "" if there is none. Only the first namespace has net.core.default_qdisc.
func readSysctl(path string) string {
	b, err := os.ReadFile("/proc/sys/" + path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
