package kernellab

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// guestWord is the word of the kernel's command line, and so of init's
// environment, that names the folder which host and guest share.
const guestWord = "SQMCTL_KERNELLAB_GUEST"

// Init must be the first call in the main function of a program that calls
// [Boot], and in a TestMain that doesn't call [Main]. In the guest's first
// process it sets the guest up, runs the machine's program, and does not
// return. Anywhere else it does nothing.
func Init() {
	initCalled = true
	folder := os.Getenv(guestWord)
	if folder == "" || os.Getpid() != 1 {
		return
	}
	v := runGuest(folder)
	if err := v.save(folder); err != nil {
		fmt.Fprintln(os.Stderr, "kernellab:", err)
	}
	unix.Sync()
	err := unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
	panic(fmt.Sprintf("powering off: %v", err))
}

// initCalled tells a program whose guests will find their way from one whose
// guests would run it once more from its start.
var initCalled bool

func runGuest(folder string) verdict {
	text, err := os.ReadFile(filepath.Join(folder, machineFile))
	if err != nil {
		return verdict{Problem: err.Error()}
	}
	var m Machine
	if err := json.Unmarshal(text, &m); err != nil {
		return verdict{Problem: err.Error()}
	}
	if err := setUp(); err != nil {
		return verdict{Problem: err.Error()}
	}
	return m.runProgram(folder)
}

// runProgram runs the program as a child: package initialisation of this
// process ran before proc was mounted, which some packages can't bear, and a
// program that crashes as process 1 would take the kernel with it.
func (m Machine) runProgram(folder string) verdict {
	output, err := os.OpenFile(filepath.Join(folder, outputFile), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return verdict{Problem: err.Error()}
	}
	cmd := exec.Command(m.Program, m.Args...)
	cmd.Dir = m.Dir
	cmd.Env = guestEnv(m.Env)
	cmd.Stdout, cmd.Stderr = output, output
	if err = cmd.Start(); err == nil {
		awaitThreads(cmd.Process.Pid)
		err = cmd.Wait()
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return verdict{Code: exit.ExitCode(), Reason: exit.Error()}
	}
	if err != nil {
		return verdict{Problem: err.Error()}
	}
	return verdict{}
}

// awaitThreads waits until a process and its threads are gone, all but the
// process's status. The kernel says that a process has ended while its last
// thread still clears its files in /proc away. Who takes the status meanwhile
// spins until that is done (shrink_dcache_parent in the kernel's fs/dcache.c),
// which is for ever on a clock that moves only when everybody sleeps.
func awaitThreads(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	time.Sleep(10 * time.Millisecond)
}

func guestEnv(env []string) []string {
	path := "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	for _, word := range env {
		if rest, ok := strings.CutPrefix(word, "PATH="); ok && rest != "" {
			path = rest + ":" + path
		}
	}
	// A later word wins over an earlier one of the same key.
	return append(env[:len(env):len(env)], "PATH="+path, "TMPDIR="+guestTemp)
}

// guestTemp is the guest's own folder for temporary files. One on /tmp would
// hide the host's, and with it the test binary.
const guestTemp = "/run/tmp"

func setUp() error {
	mounts := []struct{ kind, path string }{
		{"proc", "/proc"}, {"sysfs", "/sys"}, {"tmpfs", "/run"}, {"devtmpfs", "/dev"},
	}
	for _, m := range mounts {
		if err := unix.Mount(m.kind, m.path, m.kind, 0, ""); err != nil && !errors.Is(err, unix.EBUSY) {
			return fmt.Errorf("mounting %s: %w", m.path, err)
		}
	}
	for _, folder := range []string{"/run/netns", "/run/lock", guestTemp} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			return err
		}
	}
	if err := offerModules(); err != nil {
		return err
	}
	return raiseLoopback()
}

// raiseLoopback switches the device lo of the calling thread's namespace on.
func raiseLoopback() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("raising lo: %w", err)
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request); err != nil {
		return fmt.Errorf("raising lo: %w", err)
	}
	return nil
}

// debianModules is where Debian's package user-mode-linux puts the modules of
// its kernel.
const debianModules = "/usr/lib/uml/modules"

// offerModules lets a kernel with modules load them when it wants one. The
// host's /lib/modules belongs to the host's kernel, so modprobe gets a root
// folder of its own.
func offerModules() error {
	const setting = "/proc/sys/kernel/modprobe"
	if _, err := os.Stat(setting); err != nil {
		return nil // a kernel without modules
	}
	if err := os.MkdirAll("/run/modules/lib", 0o755); err != nil {
		return err
	}
	if err := os.Symlink(debianModules, "/run/modules/lib/modules"); err != nil {
		return err
	}
	const script = "#!/bin/sh\nexec /sbin/modprobe -d /run/modules \"$@\"\n"
	if err := os.WriteFile("/run/modules/modprobe", []byte(script), 0o755); err != nil {
		return err
	}
	return os.WriteFile(setting, []byte("/run/modules/modprobe"), 0)
}
