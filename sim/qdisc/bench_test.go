package qdisc

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

var benchQdiscs = []struct {
	name string
	make func() Qdisc
}{
	{"pfifo", func() Qdisc { return NewFIFO(1000) }},
	{"codel", func() Qdisc { return NewCoDel(1000, CoDelTarget, CoDelInterval, false) }},
	{"fq_codel", func() Qdisc { return NewFQCodel(FQCodelOptions{}, 1) }},
	{"htb_fq_codel", func() Qdisc {
		return NewHTB(NewFQCodel(FQCodelOptions{}, 1), 10*linklayer.Gbit, 1514, FrameCharge())
	}},
	{"red", func() Qdisc { return NewRED(REDOptions{Limit: 1000, Min: 5, Max: 15, PacketTime: 100_000}, 1) }},
	{"pie", func() Qdisc { return NewPIE(1000, PIETarget, false, 1) }},
	{"cake", benchCake(func(*plan.Cake) {})},
	{"cake_diffserv4", benchCake(func(o *plan.Cake) { o.Diffserv = plan.Diffserv4 })},
	{"cake_ingress", benchCake(func(o *plan.Cake) { o.Ingress = true })},
	{"cake_autorate", benchCake(func(o *plan.Cake) { o.Autorate = true })},
}

// What it costs to make one and to send a packet of each of 9 flows.
func BenchmarkNew(b *testing.B) {
	for _, test := range benchQdiscs {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				q := test.make()
				for n := range 9 {
					q.Enqueue(Packet{Size: 1514, Flow: uint16(n)}, 0)
				}
			}
		})
	}
}

// A packet in and a packet out, with 20 waiting of 9 flows, of which one is
// the call's.
func BenchmarkQdisc(b *testing.B) {
	for _, test := range benchQdiscs {
		b.Run(test.name, func(b *testing.B) {
			q := test.make()
			now := int64(0)
			for n := range 20 {
				q.Enqueue(benchPacket(n), now)
			}
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				now += 12_000
				q.Enqueue(benchPacket(n), now)
				if _, ok := q.Dequeue(now); !ok && q.Ready() <= now {
					b.Fatal("nothing comes")
				}
			}
		})
	}
}

func benchPacket(n int) Packet {
	if n%50 == 0 {
		return Packet{Size: 214, Flow: 9, Kind: Sparse, Seq: uint32(n)}
	}
	return Packet{Size: 1514, Flow: uint16(n & 7), Seq: uint32(n)}
}

func benchCake(change func(*plan.Cake)) func() Qdisc {
	return func() Qdisc {
		o := plan.Cake{Rate: 10 * linklayer.Gbit, Diffserv: plan.Besteffort, Isolation: plan.TripleIsolate}
		change(&o)
		return NewCake(o, 1)
	}
}
