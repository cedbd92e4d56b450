package netlinkqdisc

import (
	"os"
	"strconv"
	"strings"
)

// readOnlineProcessors asks how many processors are online; 0 if nobody tells.
func readOnlineProcessors() int {
	b, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err != nil {
		return 0
	}
	return parseOnline(string(b))
}

// parseOnline counts a list as the kernel writes it: "0-3,6".
func parseOnline(list string) (sum int) {
	for part := range strings.SplitSeq(strings.TrimSpace(list), ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.ParseUint(from, 10, 16)
		if err != nil {
			return 0
		}
		last, err := strconv.ParseUint(to, 10, 16)
		if err != nil || last < first {
			return 0
		}
		sum += int(last-first) + 1
	}
	return sum
}
