package main

import (
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// traced is an sqmctl that stops at each of its system calls.
type traced struct {
	r       *router
	pid     int
	inside  map[int]bool // the threads that are in a system call
	stopped int          // the thread that has stopped
}

// runUntilChange runs sqmctl as a process of its own and kills it, as kill -9
// does, when it is about to send its n-th request that changes something. In
// between it only reads, so it leaves nothing else if it is killed there. The
// result is false if it ended well before.
func (r *router) runUntilChange(n int, args ...string) (killed bool) {
	r.t.Helper()
	r.In(func() { // one thread has to trace from start to end
		tr := startTraced(r, args)
		for changes := 0; tr.next(); {
			if tr.changes() {
				changes++
			}
			if changes == n {
				tr.kill()
				killed = true
				return
			}
		}
	})
	return killed
}

func startTraced(r *router, args []string) *traced {
	r.t.Helper()
	cmd := exec.Command("sqmctl", args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	// Each thread and each signal of the scheduler's is a stop more; on a busy
	// machine they took longer than what is tested.
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	tr := &traced{r: r, pid: cmd.Process.Pid, stopped: cmd.Process.Pid, inside: map[int]bool{}}
	// It is waited for here, thread by thread.
	if err := cmd.Process.Release(); err != nil {
		r.t.Fatal(err)
	}
	var status unix.WaitStatus
	if _, err := unix.Wait4(tr.pid, &status, unix.WALL, nil); err != nil || !status.Stopped() {
		r.t.Fatalf("waiting for sqmctl to begin: %v, status %x", err, status)
	}
	const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_EXITKILL
	if err := unix.PtraceSetOptions(tr.pid, options); err != nil {
		r.t.Fatal(err)
	}
	return tr
}

// next goes on to the beginning of the next system call of any thread. It is
// false if the process has ended.
func (tr *traced) next() bool {
	tr.r.t.Helper()
	signal := 0
	for {
		if tr.stopped != 0 {
			// A thread that is gone by now says so in a moment.
			if err := unix.PtraceSyscall(tr.stopped, signal); err != nil && !errors.Is(err, unix.ESRCH) {
				tr.r.t.Fatalf("going on: %v", err)
			}
		}
		var status unix.WaitStatus
		thread, err := unix.Wait4(-1, &status, unix.WALL, nil)
		if err != nil {
			tr.r.t.Fatalf("waiting for sqmctl: %v", err)
		}
		tr.stopped, signal = thread, 0
		switch {
		case status.Exited() || status.Signaled():
			if thread == tr.pid {
				tr.wantSuccess(status)
				return false
			}
			tr.stopped = 0
		case status.StopSignal() == unix.SIGTRAP|0x80: // PTRACE_O_TRACESYSGOOD
			if tr.inside[thread] = !tr.inside[thread]; tr.inside[thread] {
				return true
			}
		case status.StopSignal() == unix.SIGTRAP, status.StopSignal() == unix.SIGSTOP: // a new thread
		default:
			signal = int(status.StopSignal())
		}
	}
}

func (tr *traced) wantSuccess(status unix.WaitStatus) {
	tr.r.t.Helper()
	if status.Signaled() || status.ExitStatus() != statusFine {
		tr.r.t.Errorf("sqmctl ended with status %x", status)
	}
}

// changes says whether the system call that begins sends a request that
// changes something. All sockets of sqmctl are netlink's.
func (tr *traced) changes() bool {
	tr.r.t.Helper()
	const rsi, origRAX = 13 * 8, 15 * 8 // in struct user_regs_struct; User-Mode Linux has no PTRACE_GETREGS
	var request uintptr
	switch tr.word(unix.PtracePeekUser, origRAX) {
	case unix.SYS_SENDTO:
		request = tr.word(unix.PtracePeekUser, rsi)
	case unix.SYS_SENDMSG:
		message := tr.word(unix.PtracePeekUser, rsi)
		vector := tr.word(unix.PtracePeekData, message+unsafe.Offsetof(unix.Msghdr{}.Iov))
		request = tr.word(unix.PtracePeekData, vector+unsafe.Offsetof(unix.Iovec{}.Base))
	case unix.SYS_SENDMMSG:
		tr.r.t.Fatal("sqmctl sends by sendmmsg, and this test doesn't know")
	default:
		return false
	}
	// Of four kinds of request about one kind of object the third asks
	// (rtnetlink_rcv_msg in net/core/rtnetlink.c).
	kind := uint16(tr.word(unix.PtracePeekData, request) >> 32)
	return kind >= unix.RTM_BASE && kind&3 != 2
}

// word reads 8 bytes of the thread that has stopped; 0 if its process has
// begun to end meanwhile, at another thread's wish.
func (tr *traced) word(peek func(pid int, address uintptr, out []byte) (int, error), address uintptr) uintptr {
	tr.r.t.Helper()
	var b [8]byte
	if _, err := peek(tr.stopped, address, b[:]); errors.Is(err, unix.ESRCH) {
		return 0
	} else if err != nil {
		tr.r.t.Fatalf("reading from sqmctl: %v", err)
	}
	return uintptr(binary.NativeEndian.Uint64(b[:]))
}

// kill ends the process at once and waits until its last thread has gone.
func (tr *traced) kill() {
	tr.r.t.Helper()
	if err := unix.Kill(tr.pid, unix.SIGKILL); err != nil {
		tr.r.t.Fatal(err)
	}
	for {
		var status unix.WaitStatus
		thread, err := unix.Wait4(-1, &status, unix.WALL, nil)
		if err != nil {
			tr.r.t.Fatalf("waiting for the end of sqmctl: %v", err)
		}
		if thread == tr.pid && status.Signaled() {
			return
		}
	}
}
