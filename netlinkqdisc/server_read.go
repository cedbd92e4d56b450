package netlinkqdisc

import (
	"os"
	"strconv"
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

// readQueuesInUse counts a device's transmit queues that are in use, which the
// kernel shows in sysfs only; 0 if nobody tells.
func readQueuesInUse(device string) (n int) {
	entries, err := os.ReadDir("/sys/class/net/" + device + "/queues")
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if number, ok := strings.CutPrefix(e.Name(), "tx-"); ok {
			if _, err := strconv.Atoi(number); err == nil {
				n++
			}
		}
	}
	return n
}
