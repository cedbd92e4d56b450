package kernellab

import (
	"os"
	"strings"
	"sync"
	"syscall"
)

// memory is a guest's size. Pages that it never touches cost nothing.
const memory = "256M"

const memoryBytes = 256 << 20

// console collects what a kernel prints, without the lines that every kernel
// prints.
type console struct {
	mu   sync.Mutex
	text strings.Builder
}

func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.Write(p)
}

// last returns the last n lines that say something.
func (c *console) last(n int) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var lines []string
	for line := range strings.Lines(c.text.String()) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" && !noise(line) {
			lines = append(lines, line)
		}
	}
	return lines[max(0, len(lines)-n):]
}

// noise tells the lines about consoles that nobody asked for.
func noise(line string) bool {
	return strings.HasPrefix(line, "setup_one_line failed for device") ||
		strings.HasPrefix(line, "Using a channel type which is configured out")
}

// memoryFolder is where the file that is the guest's memory goes: the fastest
// folder that has the room and from which programs may be run.
func memoryFolder() string {
	for _, folder := range []string{"/dev/shm", os.TempDir()} {
		if holdsMemory(folder) {
			return folder
		}
	}
	return "/var/tmp"
}

func holdsMemory(folder string) bool {
	var fs syscall.Statfs_t
	if syscall.Statfs(folder, &fs) != nil {
		return false
	}
	const noexec = 8 // ST_NOEXEC of statvfs(3)
	room := fs.Bavail * uint64(fs.Bsize)
	return fs.Flags&noexec == 0 && room >= memoryBytes && syscall.Access(folder, 2 /* W_OK */) == nil
}
