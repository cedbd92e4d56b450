package qdisc

import (
	"math"
	"math/bits"
)

// turns are the queues that take turns. The kernel gives a queue a quantum in
// each turn, and lets it send when that makes up for what it has sent. Where a
// hundred flows share a host, a quantum is a few bytes and hundreds of turns
// pass for a packet. Here a queue gets them all at once, and waits until the
// others have had theirs: a heap by what each one waits for, then by age.
type turns struct {
	waiting []turn
	clock   uint64 // what a queue that shares with all has been given, 16 bits of fraction: of the last one that was first
	age     uint64 // turns so far
}

type turn struct {
	until uint64
	age   uint64 // and in the 16 lowest bits the queue
}

// before is 1 if a turn comes before another one, and 0 if not. Which of two is
// first is left to chance, so it is computed: a branch would be foreseen wrong
// half of the time.
func (t *turn) before(o *turn) uint64 {
	_, less := bits.Sub64(t.age, o.age, 0)
	_, less = bits.Sub64(t.until, o.until, less)
	return less
}

func (t *turns) turn(queue uint16, ahead uint64) turn {
	t.age++
	return turn{t.clock + ahead, t.age<<16 | uint64(queue)}
}

// first is the queue whose turn it is. There must be one.
func (t *turns) first() uint16 {
	t.clock = t.waiting[0].until
	return uint16(t.waiting[0].age)
}

// push adds a queue that waits until each has been given so much more.
func (t *turns) push(queue uint16, ahead uint64) {
	added := t.turn(queue, ahead)
	t.waiting = append(t.waiting, added)
	i := len(t.waiting) - 1
	for i > 0 && added.before(&t.waiting[(i-1)/2]) != 0 {
		t.waiting[i] = t.waiting[(i-1)/2]
		i = (i - 1) / 2
	}
	t.waiting[i] = added
}

// again lets the first queue wait again.
func (t *turns) again(ahead uint64) { t.sink(t.turn(uint16(t.waiting[0].age), ahead)) }

// pop takes out the first queue.
func (t *turns) pop() {
	last := len(t.waiting) - 1
	moved := t.waiting[last]
	t.waiting = t.waiting[:last]
	if last > 0 {
		t.sink(moved)
	}
}

// sink puts a turn in the first one's place, or as far below as it belongs.
func (t *turns) sink(moved turn) {
	i, waiting := 0, t.waiting
	for {
		child := 2*i + 1
		if child+1 < len(waiting) {
			child += int(waiting[child+1].before(&waiting[child]))
		}
		if child >= len(waiting) || waiting[child].before(&moved) == 0 {
			break
		}
		waiting[i] = waiting[child]
		i = child
	}
	waiting[i] = moved
}

// quantumAt is what a queue may send in a turn, with 16 bits of fraction: less if
// its host has many bulk flows.
func (t *tin) quantumAt(load int) int64 {
	return int64(t.tinSettings.quantum) * int64(quantumParts[load])
}

// quantumParts are 65535/n, as a division takes longer than all else here.
var quantumParts = func() (parts [cakeQueues + 1]uint16) {
	for n := 1; n < len(parts); n++ {
		parts[n] = uint16(65535 / n)
	}
	return parts
}()

// refill gives a queue quanta until it may send, and returns how many rounds
// that takes.
func (q *Cake) refill(t *tin, f *cakeFlow) (rounds int64) {
	const few = 8
	quantum := t.quantumAt(t.load(f, q.sides))
	if need := int64(1-f.deficit) << 16; need > few*quantum {
		luck := q.luck(need/quantum, quantum&65535)
		rounds = max((need-luck+quantum-1)/quantum, 1)
		f.deficit += int32((rounds*quantum + luck) >> 16)
	}
	for ; f.deficit <= 0; rounds++ {
		f.deficit += q.round(quantum)
	}
	return rounds
}

// ahead is for how much a queue waits that has to wait for so many rounds: what
// those give a queue which shares with all others. In rounds it would go wrong
// when others come or go, as all quanta change then.
func (q *Cake) ahead(t *tin, rounds int64) uint64 {
	if q.sides == (hostSides{}) {
		return uint64(rounds * t.quantumAt(1))
	}
	// The first turn is over already, and the next one comes when all that wait
	// have had theirs, however few of them count as bulk by now.
	sharers := max(t.bulk, 1)
	next := min(max(sharers, len(t.old.waiting)), cakeQueues)
	return uint64((rounds-1)*t.quantumAt(sharers) + t.quantumAt(next))
}

// round is a quantum in bytes. What the division left over is left to chance,
// so that it comes right on average.
func (q *Cake) round(quantum int64) int32 {
	return int32((quantum + int64(q.random.uint32()&65535)) >> 16)
}

// luck is by how much n quanta that were rounded like that exceed what they are
// on average, with 16 bits of fraction: a sum of four even chances is near
// enough to the normal distribution.
func (q *Cake) luck(n, fraction int64) int64 {
	x := q.random.next()
	even := int64(x&65535+x>>16&65535+x>>32&65535+x>>48) - 2*65536
	return even * int64(math.Sqrt(float64(3*n*fraction*(65536-fraction)))) >> 16
}
