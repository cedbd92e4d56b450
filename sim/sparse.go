package sim

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// sparse is a flow that sends packets at fixed moments, whatever becomes of
// them.
type sparse struct {
	direction linklayer.Direction
	flow      uint16
	kind      sparseKind
	start     int64           // ns: when it sends first
	next      int64           // ns: when it sends again
	sent      uint32          // times so far
	delays    []int64         // of what arrived
	early     int             // so many of those did during the warm-up, which don't count
	came      int             // of those sent after the warm-up
	past      uint32          // all numbers below it have come or never will
	course    []time.Duration // of a call: the greatest delay in each CourseInterval
}

type sparseKind uint8

const (
	call sparseKind = iota
	ping
	web
)

// Each kind's frames (IP packet and 14 bytes), how many at once, how often.
var sparseShape = [...]struct {
	size     uint16
	burst    int
	interval time.Duration
}{
	call: {214, 1, 20 * time.Millisecond},
	ping: {98, 1, 200 * time.Millisecond},
	web:  {1514, 15, 500 * time.Millisecond},
}

func (n *network) addSparse(d linklayer.Direction) {
	load := n.scenario.Ways[d].Load
	for kind, wanted := range []bool{call: load.Call, ping: load.Ping, web: load.Web} {
		if !wanted {
			continue
		}
		shape := &sparseShape[kind]
		interval := int64(shape.interval)
		s := &sparse{
			direction: d, kind: sparseKind(kind), flow: uint16(len(n.bulk) + len(n.sparse)),
			start:  n.random.Int64N(interval),
			delays: make([]int64, 0, (n.end/interval+1)*int64(shape.burst)),
		}
		s.next = s.start
		if s.kind == call {
			s.course = make([]time.Duration, (n.end-1)/int64(CourseInterval)+1)
		}
		n.sparse = append(n.sparse, s)
		n.answers = n.answers || kind == int(ping)
	}
}

// planSparse finds out which sparse flow sends next.
func (n *network) planSparse() {
	n.sparseDue = qdisc.Never
	for _, s := range n.sparse {
		n.sparseDue = min(n.sparseDue, s.next)
	}
}

// sendSparse sends what is due now.
func (n *network) sendSparse() {
	for _, s := range n.sparse {
		if s.next > n.now {
			continue
		}
		shape := sparseShape[s.kind]
		number := s.sent
		s.sent++
		s.next += int64(shape.interval)
		for range shape.burst {
			n.paths[s.direction].enter(&qdisc.Packet{Kind: qdisc.Sparse, Flow: s.flow, Seq: number, Size: shape.size}, n.now)
		}
	}
	n.planSparse()
}

// receiveSparse notes a packet's delay; a ping's first half is sent back.
func (n *network) receiveSparse(p *path, pkt *qdisc.Packet, at int64) {
	s := n.sparse[int(pkt.Flow)-len(n.bulk)]
	if s.kind == ping && p.direction == s.direction {
		p.back().enter(pkt, at)
		return
	}
	if at >= n.end {
		return
	}
	sent := s.start + int64(pkt.Seq)*int64(sparseShape[s.kind].interval)
	delay := at - sent
	s.past = max(s.past, pkt.Seq+1)
	if sent >= int64(n.scenario.Warmup) {
		s.came++
	}
	if s.kind == call {
		greatest := &s.course[at/int64(CourseInterval)]
		*greatest = max(*greatest, time.Duration(delay))
	}
	s.delays = append(s.delays, delay)
	if at < int64(n.scenario.Warmup) {
		s.early = len(s.delays)
	}
}

// lost is how many packets, of those sent after a moment, never came. Nothing
// overtakes others of its flow, so that is known up to the last that came.
func (s *sparse) lost(after int64) int {
	interval := int64(sparseShape[s.kind].interval)
	first := int(min(max(0, after-s.start+interval-1)/interval, int64(s.sent)))
	past := int(s.past)
	if past <= first { // none came
		past = int(s.sent)
	}
	return (past-first)*sparseShape[s.kind].burst - s.came
}
