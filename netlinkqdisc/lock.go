package netlinkqdisc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// runFolders is where a lock may lie that doesn't outlast a boot, best first.
var runFolders = []string{"/run", "/var/run"}

func lockPath() string {
	folder := runFolders[0]
	for _, f := range runFolders {
		if info, err := os.Stat(f); err == nil && info.IsDir() {
			folder = f
			break
		}
	}
	return filepath.Join(folder, "sqmctl", "lock")
}

// Lock makes sure that one process at a time changes the kernel. It waits up
// to the timeout for the one that does, and then says which it is. The lock
// goes with the process that has it, however that ends.
func Lock(timeout time.Duration) (unlock func(), err error) {
	path := lockPath()
	file, err := openLock(path)
	if err != nil {
		return nil, err
	}
	if err := await(file, timeout); err != nil {
		defer file.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, lockTaken(file, path)
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if err := errors.Join(file.Truncate(0), writePID(file)); err != nil {
		file.Close()
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return func() {
		_ = file.Truncate(0) // so that nobody takes us for the next one's holder
		file.Close()
	}, nil
}

func lockTaken(file *os.File, path string) error {
	if text, _ := os.ReadFile(path); isWaiting(string(text)) {
		return fmt.Errorf("another sqmctl waits to be confirmed (%s holds %s): run sqmctl confirm, or wait until it has put everything back", holder(file), path)
	}
	return fmt.Errorf("another sqmctl is at work (%s holds %s): wait until it ends, or end it", holder(file), path)
}

// LockHolder is the process that has the lock now, as long as there is one.
func LockHolder() (pid int, held bool) {
	file, err := os.Open(lockPath())
	if err != nil {
		return 0, false
	}
	defer file.Close()
	err = unix.Flock(int(file.Fd()), unix.LOCK_SH|unix.LOCK_NB)
	if !errors.Is(err, unix.EWOULDBLOCK) {
		return 0, false
	}
	pid = readPID(file)
	return pid, pid > 0
}

// NoteWaiting writes into the lock, which this process must have, that it waits
// to be confirmed.
func NoteWaiting() error { return note(strconv.Itoa(os.Getpid()) + " " + waits) }

// NoteWorking takes back what NoteWaiting wrote.
func NoteWorking() error { return note(strconv.Itoa(os.Getpid())) }

func note(text string) error {
	if err := os.WriteFile(lockPath(), []byte(text+"\n"), 0o644); err != nil {
		return fmt.Errorf("note in the lock whether a confirmation is awaited: %w", err)
	}
	return nil
}

// WaitingHolder is the process that has the lock and waits to be confirmed; 0
// if there is none. The error is about a lock that this user may not look at.
func WaitingHolder() (pid int, err error) {
	text, err := os.ReadFile(lockPath())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, lockRefused(err)
	}
	pid, held := LockHolder()
	if !held || !isWaiting(string(text)) {
		return 0, nil
	}
	return pid, nil
}

func isWaiting(text string) bool { return strings.HasSuffix(strings.TrimSpace(text), waits) }

// waits stands behind the number of a process that waits to be confirmed.
const waits = "waits"

func openLock(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, lockRefused(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) // who can read it can lock it
	if err != nil {
		return nil, lockRefused(err)
	}
	return file, nil
}

func lockRefused(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: run it as root", err)
	}
	return err
}

// await takes the lock, or gives up with EWOULDBLOCK.
func await(file *os.File, timeout time.Duration) error {
	const pause = 20 * time.Millisecond
	for end := time.Now().Add(timeout); ; time.Sleep(pause) {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return err
		}
		if !time.Now().Before(end) {
			return err
		}
	}
}

func writePID(file *os.File) error {
	_, err := file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

// readPID is 0 for a lock whose holder has not written its number yet.
func readPID(file *os.File) int {
	b := make([]byte, 32)
	n, _ := file.ReadAt(b, 0)
	number, _, _ := strings.Cut(strings.TrimSpace(string(b[:n])), " ")
	pid, err := strconv.Atoi(number)
	if err != nil {
		return 0
	}
	return pid
}

func holder(file *os.File) string {
	if pid := readPID(file); pid > 0 {
		return fmt.Sprintf("process %d", pid)
	}
	return "a process"
}
