package qdisc

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// tested are qdiscs of every kind, some with so little room or rate that they
// have to drop.
var tested = []struct {
	name string
	make func(seed uint64) Qdisc
}{
	{"pfifo", func(uint64) Qdisc { return NewFIFO(50) }},
	{"bfifo", func(uint64) Qdisc { return NewByteFIFO(30_000) }},
	{"codel", func(uint64) Qdisc { return NewCoDel(100, CoDelTarget, CoDelInterval, true) }},
	{"red", func(seed uint64) Qdisc {
		return NewRED(REDOptions{Limit: 60, Min: 5, Max: 15, PacketTime: 1_000_000, ECN: true}, seed)
	}},
	{"pie", func(seed uint64) Qdisc { return NewPIE(200, PIETarget, true, seed) }},
	{"fq_codel", func(seed uint64) Qdisc { return NewFQCodel(FQCodelOptions{ECN: true}, seed) }},
	{"fq_codel, short", func(seed uint64) Qdisc { return NewFQCodel(FQCodelOptions{Limit: 40, Flows: 4, Quantum: 300}, seed) }},
	{"fq_codel, little memory", func(seed uint64) Qdisc { return NewFQCodel(FQCodelOptions{MemoryLimit: 100_000}, seed) }},
	{"htb and fq_codel", func(seed uint64) Qdisc {
		return NewHTB(NewFQCodel(FQCodelOptions{}, seed), 10*linklayer.Mbit, 1600, FrameCharge())
	}},
	{"cake", cakeOf(plan.Cake{Rate: 10 * linklayer.Mbit, Isolation: plan.Flows})},
	{"cake, unlimited", cakeOf(plan.Cake{Diffserv: plan.Diffserv4, Isolation: plan.Flows})},
	{"cake, ingress", cakeOf(plan.Cake{Rate: 8 * linklayer.Mbit, Diffserv: plan.Besteffort, Isolation: plan.DualDsthost, Ingress: true, AckFilter: plan.AckFilterAggressive})},
	{"cake, all else", cakeOf(plan.Cake{Rate: 5 * linklayer.Mbit, Diffserv: plan.Diffserv8, Isolation: plan.TripleIsolate, Autorate: true, AckFilter: plan.AckFilterOn, MemoryLimit: 60_000,
		Encapsulation: linklayer.Encapsulation{Overhead: 44, Framing: linklayer.ATM}})},
	{"cake, flowblind", cakeOf(plan.Cake{Rate: 5 * linklayer.Mbit, Diffserv: plan.Precedence, Isolation: plan.Flowblind, MemoryLimit: 50_000})},
	{"cake, hosts", cakeOf(plan.Cake{Rate: 12 * linklayer.Mbit, Diffserv: plan.Diffserv4, Isolation: plan.Hosts, Ingress: true})},
}

func cakeOf(o plan.Cake) func(uint64) Qdisc {
	return func(seed uint64) Qdisc {
		q := NewCake(o, seed)
		q.Hosts = func(flow uint16) (uint16, uint16) { return flow / 4, flow & 3 }
		return q
	}
}

// traffic drives a qdisc with packets that come in bursts and leave on a line,
// and counts them.
type traffic struct {
	t              *testing.T
	r              *rand.Rand
	q              Qdisc
	now            int64
	in, out        int64
	flows          int
	sequence, last map[uint16]uint32 // by flow
	marked         int64
	trace          []byte
}

func newTraffic(t *testing.T, q Qdisc, seed uint64) *traffic {
	return &traffic{t: t, q: q, r: rand.New(rand.NewPCG(seed, 7)), flows: 40, sequence: map[uint16]uint32{}, last: map[uint16]uint32{}}
}

func (x *traffic) packet() Packet {
	p := Packet{Flow: uint16(x.r.IntN(x.flows)), Size: 1514, ECN: ECN(x.r.IntN(2)), Tin: uint8(x.r.IntN(4))}
	p.Tin = uint8(p.Flow) & 3 // a flow has one class, or it would be reordered
	switch x.r.IntN(6) {
	case 0:
		p.Kind, p.Size, p.ECN = Ack, 66, NotECT
		p.Echo = x.r.IntN(5) == 0
	case 1:
		p.Kind, p.Size = Sparse, uint16(60+x.r.IntN(300))
	}
	x.sequence[p.Flow]++
	p.Seq = x.sequence[p.Flow]
	return p
}

func (x *traffic) enqueue() {
	p := x.packet()
	x.in++
	x.q.Enqueue(p, x.now)
	x.check()
}

// dequeue takes one packet, which must be of its flow's next.
func (x *traffic) dequeue() bool {
	x.t.Helper()
	ready := x.q.Ready()
	p, ok := x.q.Dequeue(x.now)
	if ok {
		x.out++
	}
	x.check()
	if !ok {
		return false
	}
	if ready > x.now {
		x.t.Fatalf("a packet comes at %d, before Ready, %d", x.now, ready)
	}
	if p.Enqueued > x.now || p.Seq <= x.last[p.Flow] {
		x.t.Fatalf("flow %d: %d comes after %d", p.Flow, p.Seq, x.last[p.Flow])
	}
	x.last[p.Flow] = p.Seq
	if p.ECN == CE {
		x.marked++
	}
	x.trace = binary.LittleEndian.AppendUint64(x.trace, uint64(x.now))
	x.trace = binary.LittleEndian.AppendUint32(x.trace, uint32(p.Flow)<<16^p.Seq)
	return true
}

func (x *traffic) check() {
	x.t.Helper()
	s := x.q.Signals()
	if lost := x.in - x.out - int64(x.q.Len()); lost != s.Dropped() {
		x.t.Fatalf("%d came and %d went, %d are queued and %d dropped", x.in, x.out, x.q.Len(), s.Dropped())
	}
	if (x.q.Len() == 0) != (x.q.Bytes() == 0) || (x.q.Len() == 0) != (x.q.Ready() == Never) {
		x.t.Fatalf("%d packets, %d bytes, ready at %d", x.q.Len(), x.q.Bytes(), x.q.Ready())
	}
}

// run lets packets come for a while, and the rest go.
func (x *traffic) run(steps int) {
	for range steps {
		x.now += x.r.Int64N(2_000_000)
		for range x.r.IntN(4) {
			x.enqueue()
		}
		for range x.r.IntN(4) {
			x.dequeue()
		}
	}
	x.drain()
}

func (x *traffic) drain() {
	x.t.Helper()
	for range 10_000_000 {
		if x.dequeue() {
			continue
		}
		ready := x.q.Ready()
		if ready == Never {
			return
		}
		x.now = max(x.now+1, ready)
	}
	x.t.Fatalf("%d packets never come", x.q.Len())
}

// Every packet leaves, is queued, or was dropped for a reason; a flow stays in
// order; nothing comes before it is Ready, and Ready isn't for nothing.
func TestConservation(t *testing.T) {
	for _, test := range tested {
		t.Run(test.name, func(t *testing.T) {
			for seed := range uint64(5) {
				x := newTraffic(t, test.make(seed), seed)
				x.run(20_000)
				if x.q.Signals().Marks > x.marked {
					t.Errorf("%d marks, and %d packets with one", x.q.Signals().Marks, x.marked)
				}
				if x.q.Signals().Dropped() == 0 {
					t.Error("nothing was dropped, which makes this easy")
				}
			}
		})
	}
}

func TestDeterminism(t *testing.T) {
	for _, test := range tested {
		digest := func(seed uint64) uint64 {
			x := newTraffic(t, test.make(seed), 1)
			x.run(5_000)
			h := fnv.New64a()
			h.Write(x.trace)
			return h.Sum64()
		}
		if one, other := digest(3), digest(3); one != other {
			t.Errorf("%s: the same seed gives another result", test.name)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	for _, test := range tested {
		x := newTraffic(t, test.make(1), 1)
		x.run(5_000)
		n := 0
		allocations := testing.AllocsPerRun(2_000, func() {
			n++
			x.now += 1_200_000
			x.q.Enqueue(Packet{Flow: uint16(n % 40), Tin: uint8(n % 4), Size: 1514, Kind: Data}, x.now)
			x.q.Dequeue(x.now)
		})
		if allocations > 0 {
			t.Errorf("%s: %v allocations a packet", test.name, allocations)
		}
	}
}

// A script of bytes: who comes when, and when somebody is asked.
func FuzzQdisc(f *testing.F) {
	f.Add(uint8(3), []byte("\x00\x10\x20\xff\xf0\x01\x02\x03"))
	f.Add(uint8(13), []byte("\xff\xff\xff\xfe\xfd\xfc\x11\x22\x33\x44"))
	f.Fuzz(func(t *testing.T, which uint8, script []byte) {
		x := newTraffic(t, tested[int(which)%len(tested)].make(uint64(which)), uint64(len(script)))
		for _, b := range script {
			x.now += int64(b>>4) * int64(b>>4) * 200_000
			for range b & 15 {
				x.enqueue()
			}
			if b&16 != 0 {
				x.dequeue()
			}
		}
		x.drain()
	})
}
