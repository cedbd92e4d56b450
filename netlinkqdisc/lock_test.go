package netlinkqdisc

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lockInTemp puts the lock into a folder of the test's own.
func lockInTemp(t *testing.T) {
	t.Helper()
	was := runFolders
	runFolders = []string{t.TempDir()}
	t.Cleanup(func() { runFolders = was })
}

func TestLockIsFreeAgain(t *testing.T) {
	lockInTemp(t)
	for range 2 {
		unlock, err := Lock(0)
		if err != nil {
			t.Fatal(err)
		}
		if pid, held := LockHolder(); !held || pid != os.Getpid() {
			t.Errorf("LockHolder() = %d, %v, want %d", pid, held, os.Getpid())
		}
		unlock()
	}
	if pid, held := LockHolder(); held {
		t.Errorf("LockHolder() = %d after unlock", pid)
	}
}

func TestLockWithoutAFile(t *testing.T) {
	lockInTemp(t)
	if pid, held := LockHolder(); held {
		t.Errorf("LockHolder() = %d without a lock", pid)
	}
}

func TestLockSaysWhoHasIt(t *testing.T) {
	lockInTemp(t)
	pid, _ := holdElsewhere(t)
	start := time.Now()
	_, err := Lock(100 * time.Millisecond)
	if err == nil {
		t.Fatal("two processes have the lock")
	}
	if waited := time.Since(start); waited < 100*time.Millisecond {
		t.Errorf("gave up after %v", waited)
	}
	if want := fmt.Sprintf("is at work (process %d holds ", pid); !strings.Contains(err.Error(), want) {
		t.Errorf("error %q doesn't name %s", err, want)
	}
	if got, held := LockHolder(); !held || got != pid {
		t.Errorf("LockHolder() = %d, %v, want %d", got, held, pid)
	}
}

// Only a holder that says so waits to be confirmed, and it can take that back.
func TestWaitingHolder(t *testing.T) {
	lockInTemp(t)
	want := func(when string, want int) {
		t.Helper()
		if pid, err := WaitingHolder(); pid != want || err != nil {
			t.Errorf("%s: WaitingHolder() = %d, %v, want %d", when, pid, err, want)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	want("without a lock", 0)
	unlock, err := Lock(0)
	must(err)
	want("at work", 0)
	must(NoteWaiting())
	want("waiting", os.Getpid())
	must(NoteWorking())
	want("putting back", 0)
	must(NoteWaiting())
	unlock()
	want("after unlock", 0)
}

func TestLockOutlivesNoProcess(t *testing.T) {
	lockInTemp(t)
	_, kill := holdElsewhere(t)
	time.AfterFunc(50*time.Millisecond, kill)
	unlock, err := Lock(10 * time.Second)
	if err != nil {
		t.Fatal("the lock of a killed process is still there:", err)
	}
	unlock()
}

func TestLockThatCannotBeMade(t *testing.T) {
	lockInTemp(t)
	if err := os.WriteFile(filepath.Join(runFolders[0], "sqmctl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(0); err == nil {
		t.Error("no error although a file is in the folder's place")
	}
}

// holdElsewhere has another process take the lock. It is this program again,
// in the mode that TestMain knows.
func holdElsewhere(t *testing.T) (pid int, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdWord+"="+runFolders[0])
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() { _ = cmd.Process.Kill() }
	t.Cleanup(func() { kill(); _ = cmd.Wait() })
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the other process said %q", line)
	}
	return cmd.Process.Pid, kill
}

// holdWord names, in the environment of this program, the folder in which to
// take the lock and keep it.
const holdWord = "SQMCTL_TEST_HOLD_LOCK"

func holdLock(folder string) {
	runFolders = []string{folder}
	if _, err := Lock(0); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("locked")
	time.Sleep(time.Minute)
}
