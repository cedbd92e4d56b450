package verify

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func waiting(bytes, waits uint64, burst int) func(*plan.State) {
	return both(htb, growing(1, func(s *plan.State, n uint64) {
		wan := s.Device("wan")
		class := &wan.Classes[0]
		class.HTB.Burst, class.HTB.CBurst = burst, burst
		class.Stats = plan.Stats{Bytes: n * bytes, Packets: n * bytes / fullPacket, Backlog: 9000}
		wan.At(plan.HandleRoot).Stats = plan.Stats{Bytes: n * bytes, Packets: n * bytes / fullPacket, Overlimits: n * waits, Backlog: 9000}
	}))
}

func TestBurst(t *testing.T) {
	load := seconds(2, traffic{}, traffic{})
	busy := func(idle time.Duration) func(*plan.State) {
		return growing(1, func(s *plan.State, n uint64) {
			s.Processors = []plan.Processor{{Total: time.Duration(n) * time.Second, Idle: time.Duration(n) * idle}}
		})
	}
	limited := func(s *plan.State) { // the rate is that of a class above it
		wan := s.Device("wan")
		top := wan.Classes[0]
		top.Handle, top.Rate = 0x10002, 20*linklayer.Mbit
		wan.Classes[0].Parent = 0x10002
		wan.Classes = append(wan.Classes, top)
	}
	checkSituations(t, Burst, []situation{
		{name: "a quarter of the rate", intervals: load, alter: waiting(60_700, 20, 1600), want: Warning, says: "HTB on wan reached 24 % of its rate with packets waiting all the time: it may send 1600 bytes at once"},
		{name: "its advice", intervals: load, alter: waiting(60_700, 20, 1600), want: Warning, says: "burst 12500b cburst 12500b"},
		{name: "the rate", intervals: load, alter: waiting(250_000, 160, 1600), want: absent},
		{name: "a burst that is long enough", intervals: load, alter: waiting(60_700, 20, 12_500), want: absent},
		{name: "a device that is slower", intervals: load, alter: waiting(60_700, 0, 1600), want: absent},
		{name: "nothing waits", intervals: load, alter: both(waiting(60_700, 20, 1600), onDevice("wan", func(d *plan.Device) { d.Classes[0].Stats.Backlog = 0 })), want: absent},
		{name: "a processor without time", intervals: load, alter: both(waiting(60_700, 20, 1600), busy(20*time.Millisecond)), want: absent},
		{name: "a processor with time", intervals: load, alter: both(waiting(60_700, 20, 1600), busy(600*time.Millisecond)), want: Warning},
		{name: "a class that may have half of the rate", intervals: load, alter: both(waiting(60_700, 20, 1600), limited), want: absent},
		{name: "one look", alter: waiting(60_700, 20, 1600), want: absent},
	})
}
