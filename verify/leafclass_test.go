package verify

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// growing lets something grow by so much from one sample to the next.
func growing(each uint64, set func(*plan.State, uint64)) func(*plan.State) {
	return func(s *plan.State) { set(s, each*uint64(s.Time.Sub(time.Unix(1000, 0))/(200*time.Millisecond))) }
}

func TestMemoryLimit(t *testing.T) {
	cakeUsed := func(used, limit uint64) func(*plan.State) {
		return onCake(func(q *plan.QdiscState) { q.CakeStats.MemoryUsed, q.CakeStats.MemoryLimit = used, limit })
	}
	overlimit := func(n, memory uint64) func(*plan.State) {
		return func(s *plan.State) {
			q := s.Device("wan").At(0x10001)
			q.FQCodelStats.DropOverlimit, q.FQCodelStats.DropOvermemory = n, memory
		}
	}
	room := func(packets int, memory uint32) func(*plan.State) {
		return onLeaf(func(q *plan.QdiscState) { q.FQCodel.Limit, q.FQCodel.MemoryLimit = packets, memory })
	}
	grows := growing(3, func(s *plan.State, n uint64) { overlimit(n, 0)(s) })
	growsMemory := growing(3, func(s *plan.State, n uint64) { overlimit(n, n)(s) })
	once := func(s *plan.State) { overlimit(7, 0)(s) }
	load := seconds(2, traffic{packets: 100}, traffic{})
	checkSituations(t, MemoryLimit, []situation{
		{name: "CAKE below its limit", alter: cakeUsed(1797884, 10_000_000), want: absent},
		{name: "CAKE at its limit", alter: cakeUsed(4<<20, 4<<20), want: absent},
		{name: "CAKE beyond it", alter: cakeUsed(4<<20+1500, 4<<20), want: Notice, says: "somebody sends without listening"},
		{name: "CAKE beyond a limit that is too low", alter: cakeUsed(66_000, 65_536), want: Warning, says: "raise its memlimit to 1000000 bytes"},
		{name: "CAKE unused", alter: cakeUsed(0, 15140<<10), want: absent},
		{name: "CAKE's limit not told", alter: cakeUsed(66_000, 0), want: absent},
		{name: "fq_codel never full", intervals: load, alter: htb, want: absent},
		{name: "fq_codel full", intervals: load, alter: both(htb, grows), want: Notice, says: "30 packets dropped because it was full, 0 of them for memory"},
		{name: "fq_codel full of too few packets", intervals: load, alter: both(room(60, 32<<20), grows), want: Warning, says: "raise its limit"},
		{name: "fq_codel out of too little memory", intervals: load, alter: both(room(10240, 100_000), growsMemory), want: Warning, says: "raise its memory_limit"},
		{name: "fq_codel full before", intervals: load, alter: both(htb, once), want: absent},
		{name: "fq_codel full at some time, one look", alter: both(htb, once), want: Notice, says: "7 packets dropped"},
		{name: "statistics not shown", alter: both(onLeaf(func(q *plan.QdiscState) { q.Unknown.Stats = true }), once), want: absent},
	})
}

func TestQuantum(t *testing.T) {
	quantum := func(n int) func(*plan.State) { return onClass(func(c *plan.ClassState) { c.HTB.Quantum = n }) }
	checkSituations(t, Quantum, []situation{
		{name: "big", alter: quantum(200_000), want: Fine, says: "class 1:1: 200000 bytes"},
		{name: "small", alter: quantum(1000), want: Fine, says: "harmless"},
		{name: "a packet", alter: quantum(1514), want: absent},
		{name: "chosen", alter: quantum(300), want: absent},
	})
}

func TestUnclassified(t *testing.T) {
	load := seconds(2, traffic{packets: 900}, traffic{})
	direct := func(s *plan.State, n uint64) { s.Device("wan").At(plan.HandleRoot).DirectPackets = n }
	nowhere := func(s *plan.State) { s.Device("wan").At(plan.HandleRoot).HTB.Default = 0x20 }
	sent := func(n uint64) func(*plan.State) {
		return both(htb, onCake(func(q *plan.QdiscState) { q.Stats.Packets = n }))
	}
	checkSituations(t, Unclassified, []situation{
		{name: "a default that is no class, and packets", intervals: load, alter: both(htb, nowhere, growing(90, direct)), want: Warning, says: "900 of 9000 packets passed the classes by, 10 %"},
		{name: "its advice", intervals: load, alter: both(htb, nowhere, growing(90, direct)), want: Warning, says: "it is 0x20 now, and there is no class 1:20"},
		{name: "no default", intervals: load, alter: both(htb, onCake(func(q *plan.QdiscState) { q.HTB.Default = 0 }), growing(900, direct)), want: Warning, says: "it is 0 now, which is none"},
		{name: "a default that is no class, and filters for all", intervals: load, alter: both(htb, nowhere), want: absent},
		{name: "some before its class was made", alter: both(sent(9027), func(s *plan.State) { direct(s, 4) }), want: absent},
		{name: "many at some time, one look", alter: both(sent(9027), func(s *plan.State) { direct(s, 400) }), want: Warning, says: "400 of 9027"},
		{name: "many before, none now", intervals: load, alter: both(htb, func(s *plan.State) { direct(s, 400) }), want: absent},
		{name: "a few now and then", intervals: load, alter: both(htb, growing(1, direct)), want: absent},
		{name: "CAKE", intervals: load, want: absent},
	})
}

func TestFIFO(t *testing.T) {
	hidden := func(length int) func(*plan.State) {
		return both(htb, onDevice("wan", func(d *plan.Device) { d.Qdiscs = d.Qdiscs[:2]; d.TxQueueLen = length }))
	}
	shown := func(kind string, limit int) func(*plan.State) {
		return onLeaf(func(q *plan.QdiscState) { q.Kind, q.FIFOLimit, q.FQCodel, q.FQCodelStats = kind, limit, nil, nil })
	}
	checkSituations(t, FIFO, []situation{
		{name: "no qdisc below the class", alter: hidden(1000), want: Warning, says: "a FIFO that the kernel doesn't show, of 1000 packets, 1.211s when full at 10 Mbit/s"},
		{name: "no qdisc below it, a short queue", alter: hidden(32), want: absent},
		{name: "fq_codel below it", alter: htb, want: absent},
		{name: "pfifo", alter: shown("pfifo", 1000), want: Warning, says: "pfifo of 1000 packets"},
		{name: "a short pfifo", alter: shown("pfifo", 30), want: absent},
		{name: "bfifo", alter: shown("bfifo", 1_514_000), want: Warning, says: "bfifo of 1000 packets"},
		{name: "a pfifo whose length isn't known", alter: shown("pfifo", 0), want: absent},
		{name: "CAKE below it", alter: shown("cake", 0), want: absent},
		{name: "a queue not shown, and a device not shown", alter: both(hidden(0), unseenLink), want: Warning, says: "1000 packets"},
		{name: "classes not shown", alter: both(hidden(1000), onDevice("wan", func(d *plan.Device) { d.Unknown.Classes = true })), want: absent},
		{name: "at 1 Gbit/s", alter: both(hidden(1000), onDevice("wan", func(d *plan.Device) { d.Classes[0].Ceil = linklayer.Gbit })), want: absent},
	})
}

func TestSuperPackets(t *testing.T) {
	longest := func(bytes int, r linklayer.Rate) func(*plan.State) {
		return both(htb, func(s *plan.State) {
			s.Device("wan").At(0x10001).FQCodelStats.MaxPacket = bytes
			s.Device("wan").Classes[0].Rate, s.Device("wan").Classes[0].Ceil = r, r
		})
	}
	atm := withStab(plan.Stab{Overhead: -4, ATM: true})
	target := func(s *plan.State) { s.Device("wan").At(0x10001).FQCodel.Target = 17700 * time.Microsecond }
	cake := func(bytes int, split bool, r linklayer.Rate) func(*plan.State) {
		return onCake(func(q *plan.QdiscState) {
			q.Cake.SplitGSO, q.Cake.Rate = split, r
			q.CakeStats.Tins[0].MaxPacketLength = bytes
		})
	}
	const kbit = linklayer.Kbit
	checkSituations(t, SuperPackets, []situation{
		{name: "three packets at 11 Mbit/s", alter: both(longest(4876, 11_000*kbit), atm), want: absent},
		{name: "three packets at 5 Mbit/s", alter: both(longest(4876, 5_000*kbit), atm), want: Notice, says: "7.8ms at 5 Mbit/s"},
		{name: "three packets at 790 kbit/s", alter: both(longest(4876, 790*kbit), atm), want: Warning, says: "49.4ms"},
		{name: "three packets at 790 kbit/s with their target", alter: both(longest(4876, 790*kbit), atm, target), want: Warning, says: "the queue's target is 17.7ms"},
		{name: "a full packet at 790 kbit/s", alter: longest(1514, 790*kbit), want: absent},
		{name: "a full packet in cells", alter: both(longest(1643, 790*kbit), atm), want: absent},
		{name: "64 KiB at 100 Mbit/s", alter: longest(65226, 100_000*kbit), want: Notice, says: "5.2ms"},
		{name: "64 KiB at 1 Gbit/s", alter: longest(65226, 1_000_000*kbit), want: absent},
		{name: "jumbo frames", alter: both(longest(9014, 10_000*kbit), onDevice("wan", func(d *plan.Device) { d.MTU = 9000 })), want: absent},
		{name: "the hardware below a VLAN", alter: both(longest(65226, 10_000*kbit), named("eth0")), want: Warning, says: "ethtool -K eth0 gro off"},
		{name: "CAKE that doesn't cut", alter: cake(25738, false, 10_000*kbit), want: Warning, says: "set split-gso"},
		{name: "CAKE that cuts", alter: cake(25738, true, 10_000*kbit), want: absent},
		{name: "a root without a rate", alter: onCake(func(q *plan.QdiscState) {
			q.Kind, q.Cake, q.CakeStats, q.FQCodelStats = "fq_codel", nil, nil, &plan.FQCodelStats{MaxPacket: 65226}
		}), want: absent},
	})
}

// waiting is an HTB with packets waiting at every look, that sends so many bytes
// in 200 ms and has to wait so often.
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
