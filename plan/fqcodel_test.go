package plan

import (
	"testing"
	"time"
)

// The kernel's units of 1.024 µs take less than one of them off, once.
func TestExactCodelTime(t *testing.T) {
	for us := range 200_000 {
		asked := time.Duration(us) * time.Microsecond
		exact := exactCodelTime(asked)
		if exact > asked || exact < asked-1024*time.Nanosecond || exactCodelTime(exact) != exact {
			t.Fatalf("%v becomes %v, and that %v", asked, exact, exactCodelTime(exact))
		}
	}
	if exactCodelTime(5*time.Millisecond) != 5*time.Millisecond {
		t.Error("5 ms isn't 5 ms")
	}
}
