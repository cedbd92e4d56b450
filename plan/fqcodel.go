package plan

import (
	"fmt"
	"strconv"
	"time"
)

// FQCodel is every option of an fq_codel qdisc that this program states
// (tc-fq_codel(8)).
type FQCodel struct {
	Limit       int           // packets
	Flows       int           // queues, which only a new qdisc can be given
	Quantum     int           // bytes in a turn
	Target      time.Duration // whole µs
	Interval    time.Duration // whole µs
	MemoryLimit uint32        // bytes
	ECN         bool
	DropBatch   int // packets dropped at once from the longest queue when there is no room
}

// exactCodelTime is the time that the kernel keeps when it is asked for one: it
// has units of 1.024 µs (CODEL_SHIFT in include/net/codel.h).
func exactCodelTime(d time.Duration) time.Duration {
	units := d.Microseconds() * 1000 / 1024
	return time.Duration((units*1024+999)/1000) * time.Microsecond
}

// CodelTime is the time that was asked for where the kernel tells so many µs: it
// rounds down when it tells its units (codel_time_to_us).
func CodelTime(us uint32) time.Duration {
	units := (uint64(us)*1000 + 1023) / 1024
	return time.Duration((units*1024+999)/1000) * time.Microsecond
}

func (f *FQCodel) options() []option {
	number := func(name string, n int) option { return option{name, strconv.Itoa(n), fmt.Sprintf("%s %d", name, n)} }
	span := func(name string, d time.Duration) option {
		return option{name, timeWord(d), name + " " + timeWord(d)}
	}
	return []option{
		number("limit", f.Limit),
		number("flows", f.Flows),
		number("quantum", f.Quantum),
		span("target", f.Target),
		span("interval", f.Interval),
		{"memory_limit", sizeWord(f.MemoryLimit), "memory_limit " + sizeWord(f.MemoryLimit)},
		either("ecn", f.ECN, "ecn", "noecn"),
		number("drop_batch", f.DropBatch),
	}
}
