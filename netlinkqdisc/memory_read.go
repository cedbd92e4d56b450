package netlinkqdisc

import (
	"os"
	"strconv"
	"strings"
)

// readMemory asks how much memory the machine has, in bytes; 0 if nobody tells.
func readMemory() uint64 {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	return parseMemory(string(b))
}

// parseMemory reads the line "MemTotal: 124356 kB" (proc_meminfo(5); a kB is
// 1024 bytes there).
func parseMemory(text string) uint64 {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "MemTotal:")
		if !ok {
			continue
		}
		number, ok := strings.CutSuffix(strings.TrimSpace(rest), "kB")
		kib, err := strconv.ParseUint(strings.TrimSpace(number), 10, 44)
		if !ok || err != nil {
			return 0
		}
		return kib << 10
	}
	return 0
}
