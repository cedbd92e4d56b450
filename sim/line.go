package sim

import (
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// line is a first-in first-out queue in front of a rate. A packet's departure
// is known when it arrives, so no event is spent on it (Lindley's recursion).
type line struct {
	rate    linklayer.Rate
	charge  *qdisc.Charge
	limit   int   // bytes of wire
	packets int   // 0: limit counts
	burst   int64 // ns
	course  *course

	credit, since int64       // ns of the token bucket, and when
	times         [2048]int64 // ns of each frame size, at a fixed rate

	waiting    []departure // a power of two of them, and two more places than are used
	head, tail uint32
	backlog    int // bytes

	queue   tally
	busy    int64 // ns
	refused int64 // packets, from the start
}

type departure struct {
	at    int64
	bytes int
}

func newLine(l Line) *line {
	n := &line{
		rate: l.Rate, charge: qdisc.WireCharge(l.Encapsulation),
		limit: l.Buffer, packets: l.BufferPackets,
		burst:   int64(l.Rate.Time(l.Burst)),
		waiting: make([]departure, 64),
		course:  newCourse(l),
	}
	for frame := range n.times {
		n.times[frame] = int64(l.Rate.Time(n.charge.Size(uint16(frame))))
	}
	n.end()
	n.credit = n.burst
	return n
}

// pass takes a packet that arrives at a moment and gives that of its
// departure; it is false if there is no room.
func (l *line) pass(p *qdisc.Packet, at int64) (int64, bool) {
	l.clear(at)
	size := l.charge.Size(p.Size)
	if !l.room(size) {
		l.refused++
		l.queue.drop(at)
		return 0, false
	}
	begins, leaves := l.leave(at, p.Size)
	l.remember(departure{leaves, size})
	l.queue.note(begins-at, at)
	return leaves, true
}

// clear forgets what has left by a moment: mostly none, one or two packets, which
// is left to chance, so those two are done without a branch.
func (l *line) clear(now int64) {
	first, second := &l.waiting[l.head&l.mask()], &l.waiting[(l.head+1)&l.mask()]
	one, two := uint64(first.at-now-1)>>63, uint64(second.at-now-1)>>63
	l.backlog -= first.bytes*int(one) + second.bytes*int(two)
	l.head += uint32(one + two)
	for l.waiting[l.head&l.mask()].at <= now {
		l.backlog -= l.waiting[l.head&l.mask()].bytes
		l.head++
	}
}

func (l *line) mask() uint32 { return uint32(len(l.waiting) - 1) }

func (l *line) room(size int) bool {
	if l.packets > 0 {
		return int(l.tail-l.head) < l.packets
	}
	return l.backlog+size <= l.limit
}

// leave is when the line takes a packet that arrives at a moment, and when it is
// through: with a burst, when it has the tokens it needs.
func (l *line) leave(at int64, frame uint16) (begins, leaves int64) {
	start := max(at, l.since)
	cost := l.times[frame]
	if l.course != nil {
		cost = l.course.cost(cost, start)
	}
	if l.burst == 0 {
		l.since = start + cost
		l.work(start, l.since)
		return start, l.since
	}
	have := min(l.burst, l.credit+start-l.since)
	wait := max(0, cost-have)
	l.credit = have + wait - cost
	l.since = start + wait
	l.work(l.since, l.since+cost)
	return l.since, l.since
}

// work counts the time that the line was sending, as far as it counts.
func (l *line) work(from, until int64) {
	l.busy += max(0, min(until, l.queue.until)-max(from, l.queue.from))
}

func (l *line) remember(d departure) {
	if int(l.tail-l.head)+2 >= len(l.waiting) {
		larger := make([]departure, 2*len(l.waiting))
		for n := l.head; n != l.tail; n++ {
			larger[n&uint32(len(larger)-1)] = l.waiting[n&l.mask()]
		}
		l.waiting = larger
	}
	l.waiting[l.tail&l.mask()] = d
	l.tail++
	l.end()
	l.backlog += d.bytes
}

// end puts two that never leave behind the last one.
func (l *line) end() {
	l.waiting[l.tail&l.mask()].at = qdisc.Never
	l.waiting[(l.tail+1)&l.mask()].at = qdisc.Never
}
